"""`porimon plan`: readable in a narrow terminal; names of shipped files work anywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from porimon.cli.plan import command
from porimon.cli.run import shipped_or_own
from porimon.errors import UserInputError
from porimon.paths import shipped_tournaments


def test_every_name_is_shown_whole_in_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = json.loads(CliRunner().invoke(command, ["porimon", "--no-probe", "--json"]).stdout)
    assert len(told["matchups"]) == 30
    shown = CliRunner().invoke(command, ["porimon", "--no-probe"]).stdout
    lines = shown.splitlines()
    for matchup in told["matchups"]:
        whole = [str(matchup[key]) for key in ("number", "stage", "a", "b", "battles")]
        assert any(line.split() == whole for line in lines), matchup
    assert "battles         15,000" in lines


def test_a_shipped_name_is_found_beside_a_folder_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "porimon").mkdir()
    shipped = shipped_tournaments() / "porimon.toml"
    assert shipped_or_own(Path("porimon")) == shipped
    own = tmp_path / "porimon.toml"
    assert shipped_or_own(Path("porimon.toml")) == shipped
    own.write_text('name = "own"\n')
    assert shipped_or_own(Path("porimon.toml")) == Path("porimon.toml")


def test_a_misspelt_name_is_corrected() -> None:
    with pytest.raises(UserInputError) as caught:
        shipped_or_own(Path("porimonn"))
    assert caught.value.remedy == "did you mean 'porimon'?"
    with pytest.raises(UserInputError, match="no such") as caught:
        shipped_or_own(Path("elsewhere/porimon.toml").with_name("zzz.toml"))
    assert "demo" in (caught.value.remedy or "")
