"""`porimon doctor`: what is missing is named with its command; keys are never shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from porimon.cli.doctor import command
from porimon.doctor import all_needed_present, examine_machine


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
    assert "run: porimon setup" in shown.output


def test_packages_of_the_project_are_found() -> None:
    checks = {check.name: check for check in examine_machine()}
    for package in ("poke-env", "openai", "scipy"):
        assert checks[f"package {package}"].present
        assert checks[f"package {package}"].needed
    assert not checks["package xllamacpp"].needed
    assert "package pytest" not in checks
