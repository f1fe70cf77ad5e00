"""`porimon bench start`: the command's start, and a run's way to its first battle."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from porimon.bench.result import BenchResult, figure
from porimon.bench.timed_run import MIRROR, TimedRun, timed_run
from porimon.tournament.game import BattleSpec
from porimon.tournament.plan import Matchup

HELP_GOAL_SECONDS = 0.5
RUN_GOAL_SECONDS = 5.0
_DEADLINE_SECONDS = 120.0


def run(quick: bool = False) -> BenchResult:
    """Start each of them several times, in processes of their own."""
    helps = [_help() for _ in range(5 if quick else 15)]
    runs = [_first_battle() for _ in range(2 if quick else 5)]
    median_help, median_run = sorted(helps)[len(helps) // 2], sorted(runs)[len(runs) // 2]
    return BenchResult(
        "start",
        (
            figure("porimon --help", "s", helps, "at most 0.5 s", median_help <= HELP_GOAL_SECONDS),
            figure(
                "porimon run, to the first battle's start",
                "s",
                runs,
                "at most 5 s",
                median_run <= RUN_GOAL_SECONDS,
            ),
        ),
        (
            "a run starts the Showdown server and the calculator and loads the game's data;"
            " the Node parts were set up before",
        ),
    )


class _Telling(TimedRun):
    """Prints a line when the first battle begins."""

    def battle_started(self, matchup: Matchup, spec: BattleSpec) -> None:
        """Called once: there is one battle."""
        super().battle_started(matchup, spec)
        print("begun", flush=True)


def play_one_battle(folder: str) -> None:
    """What the measured process does after its start."""
    asyncio.run(
        timed_run(Path(folder), more=MIRROR, battles=1, concurrency=1, listener=_Telling(1))
    )


def _help() -> float:
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "porimon", "--help"],
        check=True,
        capture_output=True,
        timeout=_DEADLINE_SECONDS,
    )
    return time.perf_counter() - started


def _first_battle() -> float:
    code = "import sys; from porimon.bench.start import play_one_battle as p; p(sys.argv[1])"
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-c", code, folder], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            taken = time.perf_counter() - started
            process.communicate(timeout=_DEADLINE_SECONDS)
        if line.strip() != "begun":
            raise RuntimeError("the run ended before its first battle")
    return taken
