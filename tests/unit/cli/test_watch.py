"""`porimon watch` tells what the record holds, while another task writes it."""

from __future__ import annotations

import asyncio
import datetime
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from porimon.cli.watch import command, standing_view
from porimon.errors import ModelAccessError, RunStopped, UserInputError
from porimon.tournament.record.lock import RunLock, holder
from porimon.tournament.record.read import RunReader
from porimon.tournament.record.standing import run_standing
from tests.unit.tournament.coin_game import CoinGame, EchoModel
from tests.unit.tournament.test_run import play, tournament


def told(folder: Path, *options: str) -> dict[str, Any]:
    result = CliRunner().invoke(command, [str(folder), "--json", *options], catch_exceptions=False)
    assert result.exit_code == 0
    document: dict[str, Any] = json.loads(result.stdout)
    return document


async def test_a_finished_run_is_told_in_full(tmp_path: Path) -> None:
    """The sums are those of the record, counted another way."""
    _, model = await play(tmp_path, tournament(), card={"model": "echo"})
    document = told(tmp_path)
    with RunReader(tmp_path) as reader:
        battles = list(reader.battles())
    assert document["done"] is True
    assert document["planned"] == document["finished"] == len(battles) == 36
    assert document["calls"] == len(model.questions)
    assert document["cost"] == pytest.approx(0.001 * len(model.questions))
    assert document["tokens"] == 11 * len(model.questions)
    assert document["models"] == ["echo"]
    for matchup in document["matchups"]:
        own = [battle for battle in battles if battle.matchup_id == matchup["matchup"]]
        won = [battle.winner for battle in own]
        assert (matchup["wins_a"], matchup["wins_b"], matchup["ties"]) == (
            won.count("a"),
            won.count("b"),
            won.count(None),
        )
        assert matchup["decisions"] == 6 * len(own)
        assert matchup["fallbacks"] == 0


async def test_answers_of_a_battle_in_play_are_counted(tmp_path: Path) -> None:
    """A run that stopped in the middle of a battle has paid for what the journal holds."""
    model = EchoModel()
    model.errors[20] = ModelAccessError("the key is refused")
    with pytest.raises(RunStopped):
        await play(tmp_path, tournament(), model=model, per_matchup=1)
    document = told(tmp_path)
    answered = len(model.questions) - 1
    assert document["done"] is False
    assert document["process"] is None
    assert document["calls"] == answered
    assert document["cost"] == pytest.approx(0.001 * answered)
    result = CliRunner().invoke(command, [str(tmp_path)], catch_exceptions=False)
    assert f"{document['finished']} of 36 battles" in result.stdout
    assert "no process plays this run now" in result.stderr


async def test_a_run_is_followed_to_its_end(tmp_path: Path) -> None:
    """Lines appear while battles end, and the watching ends with the run."""
    with RunLock(tmp_path):
        assert holder(tmp_path) is not None
        playing = asyncio.create_task(play(tmp_path, tournament(battles=40), CoinGame(delay=0.3)))
        await asyncio.sleep(0.5)
        result = await asyncio.to_thread(
            CliRunner().invoke, command, [str(tmp_path), "--every", "0.2"]
        )
        await playing
    lines = result.stdout.splitlines()
    assert len(lines) > 2
    assert lines[-1].startswith("120 of 120 battles")
    finished = [int(line.split()[0]) for line in lines]
    assert finished == sorted(finished)
    assert "battles/min" in lines[-2]
    assert "everything is played" in result.stderr


async def test_speed_comes_from_recent_battles_only(tmp_path: Path) -> None:
    await play(tmp_path, tournament())
    with RunReader(tmp_path) as reader:
        ends = sorted(
            datetime.datetime.fromisoformat(battle.finished_at) for battle in reader.battles()
        )
    later = ends[0] + datetime.timedelta(seconds=120)
    assert run_standing(tmp_path, later).battles_per_minute == pytest.approx(36 / 2)
    long_after = ends[-1] + datetime.timedelta(hours=1)
    assert run_standing(tmp_path, long_after).battles_per_minute is None


async def test_a_terminal_shows_as_many_matchups_as_fit(tmp_path: Path) -> None:
    from rich.console import Console

    await play(tmp_path, tournament(), card={"model": "offline reader (no language model)"})
    console = Console(record=True, width=80, height=10)
    standing = run_standing(tmp_path)
    console.print(standing_view(standing, console.height))
    shown = console.export_text()
    assert "offline reader (no language model)" in shown
    assert "and 1 more matchups" in shown
    assert "12/12" in shown
    assert len(shown.splitlines()) <= 10


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(tmp_path)])
    assert isinstance(result.exception, UserInputError)
    assert result.exception.where == str(tmp_path)


def test_a_dead_process_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "run.lock").write_text("4194304999\n")
    assert holder(tmp_path) is None
    (tmp_path / "run.lock").write_text("")
    assert holder(tmp_path) is None
