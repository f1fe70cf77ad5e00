"""`porimon bench report`: how long the report of a large run takes to write.

A few real battles of every kind of player are multiplied to 15,000, the size of the paper's
tournament, and reported by the command itself, in a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from porimon.bench.multiplied_record import multiply_record
from porimon.bench.result import BenchResult, figure
from porimon.bench.timed_run import timed_run

PLAYERS = ("h", "p", "lt0", "lt1-uniform")
MATCHUPS = 6
BATTLES = 15_000
GOAL_SECONDS = 120.0
_DEADLINE_SECONDS = 3600.0


def run(quick: bool = False) -> BenchResult:
    """Measure; ``quick``: 600 battles once instead of 15,000 three times."""
    battles = 600 if quick else BATTLES
    with tempfile.TemporaryDirectory() as name:
        large = large_run(Path(name), battles, played=2 if quick else 10)
        written = []
        for _ in range(1 if quick else 3):
            shutil.rmtree(large / "report", ignore_errors=True)
            written.append(write(large))
        again = write(large)
    seconds = [each.seconds for each in written]
    median = sorted(seconds)[len(seconds) // 2]
    whole = battles == BATTLES
    return BenchResult(
        "report",
        (
            figure(
                f"{battles:,} battles: writing",
                "s",
                seconds,
                f"under {GOAL_SECONDS:g} s" if whole else None,
                median < GOAL_SECONDS if whole else None,
            ),
            figure(
                f"{battles:,} battles: processor time, all processes",
                "s",
                [each.processor_seconds for each in written],
            ),
            figure(f"{battles:,} battles: written again, unchanged", "s", [again.seconds]),
            figure("on disk per battle", "bytes", [written[0].bytes / battles]),
        ),
        (
            f"battles of {', '.join(PLAYERS)} against each other, multiplied;"
            " the offline reader's answers are as long as a model's without reasoning",
        ),
    )


def large_run(folder: Path, battles: int, played: int) -> Path:
    """The folder of a made run: ``played`` real battles a matchup, multiplied to ``battles``."""
    names = ", ".join(f'"{name}"' for name in PLAYERS)
    asyncio.run(
        timed_run(folder, more=f"round_robin = [{names}]\n", battles=played, concurrency=16)
    )
    multiply_record(folder / "run", folder / "large", battles // MATCHUPS)
    return folder / "large"


@dataclass(frozen=True, slots=True)
class Writing:
    """What writing a report took: wall time, processor time of all processes, size on disk."""

    seconds: float
    processor_seconds: float
    bytes: int


def write(run_folder: Path) -> Writing:
    """Write a run's report as a user does."""
    before, started = _children(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "porimon", "report", str(run_folder), "--json"],
        check=True,
        stdout=subprocess.PIPE,
        timeout=_DEADLINE_SECONDS,
    )
    return Writing(
        time.perf_counter() - started, _children() - before, json.loads(done.stdout)["bytes"]
    )


def _children() -> float:
    """Processor seconds of the processes that have been waited for, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
