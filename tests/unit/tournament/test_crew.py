"""Battles spread over worker processes: the same record, whatever becomes of the workers."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from porimon.errors import (
    BattleAborted,
    MachineSetupError,
    ModelAccessError,
    ModelAnswerError,
    RunStopped,
)
from porimon.tournament.crew.crew import CrewGame
from porimon.tournament.crew.local import LocalWorker, LocalWorkers
from porimon.tournament.crew.messages import Job
from porimon.tournament.crew.wire import ConnectionEnded, Wire, error_of, failure_of
from porimon.tournament.game import Game
from porimon.tournament.record.read import RunReader
from tests.records import contents

from .coin_game import CoinGame, EchoModel
from .test_run import play, tournament


class Watched(LocalWorkers):
    """Local workers whose processes the test knows."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.started: list[LocalWorker] = []

    async def start(self, job: Job) -> LocalWorker:
        worker = await super().start(job)
        self.started.append(worker)
        return worker


class BrokenGame(CoinGame):
    """A game that this machine cannot play."""

    async def __aenter__(self) -> CoinGame:
        raise MachineSetupError("there is no coin", remedy="bring one")


def made(game: Callable[[], Game], number: int) -> Callable[[], Game]:
    return game


def crew(folder: Path, game: Callable[[], Game], **options: Any) -> tuple[CrewGame, Watched]:
    starter = Watched(folder)
    options = {"workers": 2, "battle_seconds": 30.0, **options}
    return CrewGame(CoinGame(), partial(made, game), starter, **options), starter


@pytest.fixture(autouse=True)
def folders(tmp_path: Path) -> None:
    for name in ("alone", "crew"):
        (tmp_path / name).mkdir()


async def play_with(folder: Path, game: CrewGame, model: EchoModel | None = None) -> EchoModel:
    async with game:
        _, asked = await play(folder, tournament(), game, model)  # type: ignore[arg-type]
    return asked


@pytest.mark.parametrize("whole_matchups", [False, True])
async def test_a_crew_leaves_the_record_that_one_process_leaves(
    tmp_path: Path, whole_matchups: bool
) -> None:
    alone = tmp_path / "alone"
    _, asked_alone = await play(alone, tournament())
    game, starter = crew(tmp_path, partial(CoinGame, 0.02), whole_matchups=whole_matchups)
    asked = await play_with(tmp_path / "crew", game)
    assert contents(tmp_path / "crew") == contents(alone)
    assert sorted(asked.questions) == sorted(asked_alone.questions)
    assert len(starter.started) == 2


async def test_a_lost_worker_costs_nothing_but_time(tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    _, asked_alone = await play(alone, tournament())
    game, starter = crew(tmp_path, partial(CoinGame, 0.3))

    async def kill() -> None:
        # The first worker dies among its battles; a hung one would be found by its deadline.
        while not any(post.battles for post in game._posts):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.4)
        os.kill(starter.started[0].process_id, signal.SIGKILL)

    killer = asyncio.create_task(kill())
    asked = await play_with(tmp_path / "crew", game)
    await killer
    assert len(starter.started) == 3
    assert contents(tmp_path / "crew") == contents(alone)
    # What was paid for is asked once: the battle that is played again gets the journal's answers.
    assert sorted(asked.questions) == sorted(asked_alone.questions)
    with RunReader(tmp_path / "crew") as reader:
        reasons = [row[0] for row in reader.connection.execute("SELECT reason FROM put_back")]
    assert reasons
    assert all("worker" in reason for reason in reasons)


async def test_a_refused_key_stops_the_run_and_it_goes_on_later(tmp_path: Path) -> None:
    folder = tmp_path / "crew"
    model = EchoModel()
    model.errors[20] = ModelAccessError("the key is refused", remedy="mend it")
    game, _ = crew(tmp_path, CoinGame)
    with pytest.raises(ModelAccessError, match="refused"):
        await play_with(folder, game, model)
    game, _ = crew(tmp_path, CoinGame)
    await play_with(folder, game)
    alone = tmp_path / "alone"
    await play(alone, tournament())
    assert contents(folder) == contents(alone)


async def test_a_game_that_cannot_be_set_up_says_why(tmp_path: Path) -> None:
    game, starter = crew(tmp_path, BrokenGame)
    with pytest.raises(MachineSetupError, match="there is no coin"):
        await game.__aenter__()
    assert len(starter.started) == 2  # nobody tries what cannot work again and again


async def test_the_workers_end_with_the_crew(tmp_path: Path) -> None:
    game, starter = crew(tmp_path, CoinGame)
    async with game:
        pass
    assert [await worker.ended() for worker in starter.started] == ["exit code 0"] * 2


async def test_a_stranger_gets_no_message_read(tmp_path: Path) -> None:
    game, _ = crew(tmp_path, CoinGame, workers=1)
    async with game:
        assert game._server is not None
        port = game._server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        with pytest.raises(ConnectionEnded):
            await Wire(reader, writer).prove(b"a guess")
        writer.close()
        # One that gives back what it gets learns nothing either.
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(await reader.readexactly(32))
        writer.write(await reader.readexactly(32))
        assert await asyncio.wait_for(reader.read(), 10) == b""
        writer.close()


@pytest.mark.parametrize(
    "error",
    [
        BattleAborted("gone", where="here", remedy="again"),
        RunStopped("enough", remedy="go on"),
        ModelAnswerError("not_json", "no JSON"),
    ],
)
def test_errors_arrive_as_they_were(error: Any) -> None:
    back = error_of(failure_of(error))
    assert type(back) is type(error)
    assert vars(back) == vars(error)


def test_an_unknown_error_arrives_as_text() -> None:
    assert "ZeroDivisionError: nothing" in str(error_of(failure_of(ZeroDivisionError("nothing"))))
