"""`porimon analyze DIR` on a recorded tournament, played for the test by a very small game."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from porimon.cli.analyze import command
from porimon.config.tournament import TournamentSettings
from porimon.tournament.record.read import RunReader
from tests.unit.tournament.test_run import play, tournament


async def test_a_recorded_run_is_analysed(tmp_path: Path) -> None:
    """Counts, pairs and rates of the document are those of the record, read another way."""
    folder = tmp_path / "run"
    folder.mkdir()
    await play(folder, tournament(battles=40))
    result = CliRunner().invoke(
        command, [str(folder), "--json", "--details"], catch_exceptions=False
    )
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    with RunReader(folder) as run:
        matchups = {matchup.matchup_id: matchup for matchup in run.matchups()}
        battles = list(run.battles())
    assert len(battles) == 120
    for shown in document["matchups"]:
        points = {shown["a"]: 0, shown["b"]: 0}
        for battle in battles:
            labels = matchups[battle.matchup_id].labels
            if set(labels.values()) == set(points) and battle.winner is not None:
                points[labels[battle.winner]] += 1
        assert (shown["wins_a"], shown["wins_b"]) == (points[shown["a"]], points[shown["b"]])
    assert document["reference"] == "h"
    assert all(pairs["pairs"] == 20 for pairs in document["pairs"].values())
    assert document["standard_errors"] == "pairs"
    assert all(player["forfeits"] == 0 for player in document["players"])


async def test_a_run_played_twice_may_be_pooled(tmp_path: Path) -> None:
    """The same players in two runs: battles add up, and nothing is refused."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        await play(tmp_path / name, tournament(battles=6))
    result = CliRunner().invoke(
        command, [str(tmp_path / "one"), str(tmp_path / "two"), "--json"], catch_exceptions=False
    )
    players = json.loads(result.stdout)["players"]
    assert [player["battles"] for player in players] == [24, 24, 24]


async def test_a_tournament_of_parts_prints_each_and_what_its_stages_selected(
    tmp_path: Path,
) -> None:
    """The paper's tables: all parts together, every part by itself, the winners, the trend."""
    settings = tournament().model_dump(mode="json")
    settings["stages"] = [
        {
            "name": "window",
            "part": "2 window",
            "players": ["p-T1", "p-T7", "p-T9"],
            "selects": {"settings": ["window"], "passes_to": ["lt0"], "alias": "best"},
        },
        {"name": "comparison", "part": "3 comparison", "players": ["h", "lt0", "best"]},
    ]
    settings["contrasts"] = {"rise": ["h", "lt0", "best"]}
    await play(tmp_path, TournamentSettings.model_validate(settings))
    shown = CliRunner().invoke(command, [str(tmp_path)], catch_exceptions=False).stdout
    for title in ("all parts together", "2 window", "3 comparison", "window: selected p-T", "rise"):
        assert title in shown
    one = CliRunner().invoke(
        command, [str(tmp_path), "--json", "--stage", "3 comparison"], catch_exceptions=False
    )
    document = json.loads(one.stdout)
    assert [player["battles"] for player in document["players"]] == [24, 24, 24]
    assert [contrast["name"] for contrast in document["contrasts"]] == ["rise"]
