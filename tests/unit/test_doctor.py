"""`porimon doctor`: what is missing is named with its command; keys are never shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from porimon.cli.doctor import command
from porimon.doctor import all_needed_present, examine_machine, examine_model
from porimon.errors import MachineSetupError, UserInputError
from porimon.llm.local import INSTALL
from porimon.llm.settings import load_models


def test_keys_are_seen_but_never_shown() -> None:
    checks = examine_machine({"OPENAI_API_KEY": "sk-planted-secret"})
    (key,) = [check for check in checks if check.name == "key OPENAI_API_KEY"]
    assert key.present
    assert "sk-planted-secret" not in repr(checks)
    (absent,) = [check for check in examine_machine({}) if check.name == "key OPENAI_API_KEY"]
    assert not absent.present
    assert not absent.needed
    assert absent.remedy == "export OPENAI_API_KEY=…"


def test_without_node_nothing_can_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PORIMON_CACHE", str(tmp_path / "cache"))
    checks = {check.name: check for check in examine_machine()}
    assert not all_needed_present(list(checks.values()))
    for name in ("node", "npm", "Node parts"):
        assert not checks[name].present
        assert checks[name].remedy
    assert checks["Python"].present
    ran = CliRunner().invoke(command, ["--json"])
    assert ran.exit_code == 3
    document = json.loads(ran.stdout)
    assert document["ready"] is False
    assert {check["name"] for check in document["checks"]} == set(checks)
    shown = CliRunner().invoke(command, [])
    assert shown.exit_code == 3
    assert "MISSING node" in shown.output
    assert "what to do: porimon setup" in shown.output


def test_packages_of_the_project_are_found() -> None:
    checks = {check.name: check for check in examine_machine()}
    for package in ("poke-env", "aiohttp", "scipy"):
        assert checks[f"package {package}"].present
        assert checks[f"package {package}"].needed
    assert "package xllamacpp" not in checks
    assert "package pytest" not in checks


def test_the_local_model_is_optional_and_named_with_its_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing() -> Path:
        raise MachineSetupError("the local language model needs xllamacpp", remedy=INSTALL)

    monkeypatch.setattr("porimon.doctor.find_smollm2", missing)
    (local,) = [check for check in examine_machine() if check.name == "local model smollm2"]
    assert not local.present
    assert not local.needed
    assert local.remedy == INSTALL
    (asked,) = examine_model(load_models()["smollm2"])
    assert not asked.present
    assert asked.needed
    (offline,) = examine_model(load_models()["offline"])
    assert offline.present


def test_a_models_name_that_does_not_exist_is_corrected() -> None:
    with pytest.raises(UserInputError, match="luna"):
        CliRunner().invoke(command, ["--llm", "lunar"], catch_exceptions=False)
