"""The same run on a Ray cluster of this machine, one of its two workers killed in the middle."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import porimon
from porimon.tournament.crew.crew import CrewGame
from porimon.tournament.crew.on_ray import open_ray
from porimon.tournament.game import Game
from porimon.tournament.record.read import RunReader
from tests.records import contents
from tests.unit.tournament.coin_game import CoinGame
from tests.unit.tournament.test_run import play, tournament

pytest.importorskip("ray", reason="the extra `ray` is not installed")
pytestmark = pytest.mark.long

REPOSITORY = Path(porimon.__file__).parent.parent


class TellingGame(CoinGame):
    """A slow coin game that leaves its process's number in a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(delay=1.0)
        self._folder = folder

    async def __aenter__(self) -> CoinGame:
        (self._folder / str(os.getpid())).touch()
        return self


def telling(folder: Path, number: int) -> Callable[[], Game]:
    return partial(TellingGame, folder)


async def test_a_run_on_ray_outlives_a_lost_worker(tmp_path: Path) -> None:
    alone, spread, processes = tmp_path / "alone", tmp_path / "spread", tmp_path / "processes"
    for folder in (alone, spread, processes):
        folder.mkdir()
    await play(alone, tournament())

    async def kill() -> None:
        await asyncio.sleep(1.0)
        os.kill(int(min(processes.iterdir()).name), signal.SIGKILL)

    async with open_ray(None, workers=2, python_path=str(REPOSITORY)) as starter:
        game = CrewGame(
            CoinGame(),
            partial(telling, processes),
            starter,
            workers=2,
            battle_seconds=30.0,
            whole_matchups=True,
        )
        async with game:
            killer = asyncio.create_task(kill())
            await play(spread, tournament(), game)  # type: ignore[arg-type]
            await killer
    assert len(list(processes.iterdir())) >= 2  # the third may come up too late to play
    assert contents(spread) == contents(alone)
    with RunReader(spread) as reader:
        assert reader.connection.execute("SELECT count(*) FROM put_back").fetchone()[0] > 0
