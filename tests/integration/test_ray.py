"""The same run on a Ray cluster of this machine, one of its two workers killed in the middle."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil
import pytest

import porimon
from porimon.launch import RunRequest, launch
from porimon.tournament.crew.crew import CrewGame
from porimon.tournament.crew.on_ray import open_ray
from porimon.tournament.game import BattleOutcome, BattleSpec, Game
from porimon.tournament.plan import Matchup
from porimon.tournament.progress import Silent
from porimon.tournament.record.read import RunReader
from tests.records import contents
from tests.unit.tournament.coin_game import CoinGame
from tests.unit.tournament.test_run import play, tournament

SHOWDOWN = """
name = "spread"
seed = 3
battles = 8
llm = "offline"
round_robin = ["h", "random", "max-power"]
[concurrency]
battles = 4
per_matchup = 2
"""

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


class KillsOneWorker(Silent):
    """Kills a worker of the cluster that was started here while both are at a matchup."""

    def __init__(self) -> None:
        self._finished: Counter[str] = Counter()
        self.killed: int | None = None

    def battle_finished(self, matchup: Matchup, spec: BattleSpec, outcome: BattleOutcome) -> None:
        self._finished[matchup.matchup_id] += 1
        # A matchup stays with one worker, which plays two battles of it at once.
        halfway = [done for done in self._finished.values() if done <= 5]
        if self.killed is None and len(halfway) == 2:
            workers = [
                process.pid
                for process in psutil.Process().children(recursive=True)
                if process.cmdline()[:1] == ["ray::_work"]
            ]
            assert len(workers) == 2
            self.killed = workers[0]
            os.kill(self.killed, signal.SIGKILL)


@pytest.mark.server
@pytest.mark.timeout(600)
async def test_showdown_battles_on_ray_outlive_a_lost_worker_too(tmp_path: Path) -> None:
    """Each worker starts a server of its own; what is recorded is what one process records."""
    file = tmp_path / "spread.toml"
    file.write_text(SHOWDOWN)
    alone, spread = tmp_path / "alone", tmp_path / "spread"
    await launch(RunRequest(file=file, out=alone), Silent())
    killer = KillsOneWorker()
    await launch(RunRequest(file=file, out=spread, workers=2, ray="local"), killer)
    assert killer.killed is not None
    assert len(contents(alone)["battles"]) == 24
    assert contents(spread) == contents(alone)
    with RunReader(spread) as reader:
        assert reader.connection.execute("SELECT count(*) FROM put_back").fetchone()[0] > 0
