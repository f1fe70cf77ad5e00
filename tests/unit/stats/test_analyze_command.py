"""The command `porimon analyze` from its arguments to what it prints and its exit code."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from porimon.bench.stats import matchup_players, run, simulated_battles
from porimon.cli.analyze import command
from porimon.errors import UserInputError
from porimon.stats.analysis import analyze_battles
from porimon.stats.battles import BattleRow
from porimon.stats.cards import HarnessCard
from porimon.stats.details import details_of_battles
from porimon.tournament.record.read import RecordedMatchup

ENTRY = [sys.executable, "-c", "from porimon.cli.main import entry; entry()"]
CSV = "player_a,player_b,wins_a,wins_b,ties\nh,p,180,318,2\nlt0,h,330,170,0\nlt0,p,270,230,0\n"


@pytest.fixture
def counts(tmp_path: Path) -> str:
    """A file of counts."""
    file = tmp_path / "counts.csv"
    file.write_text(CSV, encoding="utf-8")
    return str(file)


def analyze(*arguments: str) -> Result:
    """Call the command; errors raised on purpose come through."""
    result = CliRunner().invoke(command, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def test_json_is_one_document_and_warnings_are_in_it(counts: str) -> None:
    document = json.loads(analyze("--counts", counts, "--json", "--reference", "p").stdout)
    assert document["reference"] == "p"
    assert {player["name"] for player in document["players"]} == {"h", "lt0", "p"}
    assert set(document) == {
        "reference",
        "players",
        "pairwise",
        "contrasts",
        "matchups",
        "warnings",
    }


def test_details_stand_beside_the_contract(counts: str) -> None:
    document = json.loads(analyze("--counts", counts, "--json", "--details").stdout)
    assert document["goodness_of_fit"]["degrees"] == 1
    assert document["win_rates"]["lt0"] == pytest.approx(0.6)


def test_contrasts_are_tested(counts: str) -> None:
    result = analyze("--counts", counts, "--contrast", "rise: h < p < lt0", "--json")
    (contrast,) = json.loads(result.stdout)["contrasts"]
    assert contrast["name"] == "rise"
    assert contrast["weights"] == {"h": -0.5, "p": 0.0, "lt0": 0.5}
    assert contrast["estimate"] > 0.3


@pytest.mark.parametrize("layout", ["table", "csv", "markdown", "latex"])
def test_every_format_names_every_player(counts: str, layout: str) -> None:
    text = analyze("--counts", counts, "--format", layout).stdout
    assert all(name in text for name in ("lt0", "318", "270"))


def test_one_table_alone_is_clean_csv(counts: str) -> None:
    lines = analyze("--counts", counts, "--format", "csv", "--table", "pairwise").stdout
    assert len(lines.splitlines()) == 4


def test_firth_gives_estimates_for_a_sweep(tmp_path: Path) -> None:
    file = tmp_path / "sweep.csv"
    file.write_text("player_a,player_b,wins_a,wins_b,ties\nh,p,0,12,0\n", encoding="utf-8")
    plain = json.loads(analyze("--counts", str(file), "--json").stdout)
    assert plain["players"][1]["beta"] is None
    assert plain["players"][1]["se"] is None
    assert any("p won all 12 battles" in warning for warning in plain["warnings"])
    reduced = json.loads(analyze("--counts", str(file), "--json", "--firth").stdout)
    assert reduced["players"][1]["beta"] == pytest.approx(3.2189, abs=1e-4)


def test_neither_or_both_inputs_is_a_mistake(counts: str, tmp_path: Path) -> None:
    for arguments in ([], [str(tmp_path), "--counts", counts]):
        with pytest.raises(UserInputError, match="either"):
            CliRunner().invoke(command, arguments, catch_exceptions=False)


def test_a_wrong_table_gets_the_nearest_name(counts: str) -> None:
    with pytest.raises(UserInputError) as caught:
        CliRunner().invoke(
            command, ["--counts", counts, "--table", "player"], catch_exceptions=False
        )
    assert "'players'" in str(caught.value)


def test_the_installed_command_exits_with_2_and_the_line(tmp_path: Path) -> None:
    file = tmp_path / "counts.csv"
    file.write_text(CSV.replace("330", "-330"), encoding="utf-8")
    done = subprocess.run(
        [*ENTRY, "analyze", "--counts", str(file), "--json"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "line 3" in done.stderr
    assert "wins_a is negative" in done.stderr


class FakeRun:
    """Stands for a run's record: rows and cards by folder."""

    rows: dict[str, list[BattleRow]]
    cards_of: dict[str, list[HarnessCard]]

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> FakeRun:
        return self

    def __exit__(self, *exc_info: object) -> None: ...

    def selections(self) -> dict[str, str]:
        return {}

    def matchups(self) -> list[RecordedMatchup]:
        return []

    @property
    def plan(self) -> dict[str, Any]:
        return {"reference": "h"}

    def battle_rows(self) -> list[BattleRow]:
        return self.rows[self.folder.name]

    def cards(self) -> list[HarnessCard]:
        return self.cards_of[self.folder.name]


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two runs in which p has different windows."""
    rows = [
        BattleRow("m", "comparison", "h", "p", "a" if i % 4 == 0 else "b", i // 2, i)
        for i in range(40)
    ]
    monkeypatch.setattr(FakeRun, "rows", {"one": rows, "two": rows}, raising=False)
    cards = {
        name: [HarnessCard("p", {"window": window}, name)]
        for name, window in (("one", 5), ("two", 10))
    }
    monkeypatch.setattr(FakeRun, "cards_of", cards, raising=False)
    monkeypatch.setattr("porimon.report.analysis.RunReader", FakeRun)
    for name in cards:
        (tmp_path / name).mkdir()
    return [str(tmp_path / name) for name in cards]


def test_a_run_is_analysed(runs: list[str]) -> None:
    document = json.loads(analyze(runs[0], "--json", "--stage", "comparison").stdout)
    assert document["matchups"][0]["wins_b"] == 30


def test_runs_with_different_cards_are_not_pooled_unless_told_so(runs: list[str]) -> None:
    with pytest.raises(UserInputError, match=r"window: 5 \| 10"):
        CliRunner().invoke(command, runs, catch_exceptions=False)
    document = json.loads(analyze(*runs, "--json", "--pool").stdout)
    assert document["matchups"][0]["wins_b"] == 60
    assert any(warning.startswith("pooled all the same") for warning in document["warnings"])


def test_pairs_of_two_runs_are_not_mixed_up(runs: list[str]) -> None:
    """Forty pairs, not twenty of four battles."""
    document = json.loads(analyze(*runs, "--json", "--pool", "--details").stdout)
    assert document["pairs"]["h against p"]["pairs"] == 40


def test_a_wrong_stage_gets_the_nearest_name(runs: list[str]) -> None:
    with pytest.raises(UserInputError) as caught:
        CliRunner().invoke(command, [runs[0], "--stage", "comparsion"], catch_exceptions=False)
    assert "'comparison'" in str(caught.value)


def test_fifteen_thousand_battles_take_seconds_at_most() -> None:
    """The goal is one second on a quiet machine; a loaded one gets four times as long."""
    rows = simulated_battles(matchup_players(), battles=500)
    assert len(rows) == 15_000
    analyze_battles(rows[:100])
    start = time.process_time()
    details_of_battles(rows, analyze_battles(rows))
    assert time.process_time() - start < 4.0


def test_the_bench_measures_both_sizes() -> None:
    result = run(quick=True)
    assert result.name == "stats"
    assert [figure.name.split(" battles")[0] for figure in result.figures[:2]] == [
        "1,500",
        "99,990",
    ]
    assert all(value > 0 for figure in result.figures for value in figure.values)
