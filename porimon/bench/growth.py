"""`porimon bench growth`: how cost grows with battles, experiences and players.

Each series is fitted by a power: an exponent of 1 is linear growth. Battles are real outcomes that
are recorded again under new numbers, so that the longest series takes seconds, not hours.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from porimon.bench.made_experiences import ExperienceMaker
from porimon.bench.plot import Points, exponent, log_log_svg
from porimon.bench.result import BenchResult, Figure, figure
from porimon.bench.stats import simulated_battles
from porimon.bench.timed_run import MIRROR, TimedRun, timed_run
from porimon.config.player import MemoryConfig
from porimon.memory.retrieval import Memory
from porimon.showdown.dex.store import dex
from porimon.showdown.similarity import PokemonSimilarity
from porimon.stats.analysis import analyze_battles
from porimon.tournament.record.connect import record_path
from porimon.tournament.record.read import RunReader
from porimon.tournament.record.run_record import RunRecord
from porimon.tournament.record.totals import player_totals

BATTLES = (10, 100, 1000)
EXPERIENCES = (10, 100, 1000, 10_000, 100_000)
PLAYERS = (3, 6, 12, 30)
BATTLES_PER_MATCHUP = 100
LINEAR = 1.1
"""An exponent up to this counts as linear: the smallest sizes are mostly noise."""
_REPETITIONS = 5


def run(quick: bool = False) -> BenchResult:
    """Measure all series; ``quick`` leaves out the largest size of each."""
    end = -1 if quick else None
    recording, reading, size = asyncio.run(_battles(BATTLES[:end]))
    retrieval = _experiences(EXPERIENCES[:end])
    analysis = _players(PLAYERS[:end])
    series: dict[str, Points] = {
        "recording, battles": recording,
        "reading and counting, battles": reading,
        "bytes on disk, battles": size,
        "retrieval, experiences": retrieval,
        "analysis, matchups": analysis,
    }
    figures: list[Figure] = []
    for name, points in series.items():
        grows = exponent(points)
        figures.append(
            figure(f"{name}: exponent", "power", [grows], f"at most {LINEAR}", grows <= LINEAR)
        )
        unit = "bytes" if name.startswith("bytes") else "ms"
        figures += [figure(f"{name}: {x:,}", unit, [y]) for x, y in points]
    plots = {
        "growth-battles": log_log_svg(
            "Cost by battles",
            "battles",
            "ms",
            {"recording": recording, "reading and counting": reading},
        ),
        "growth-experiences": log_log_svg(
            "One retrieval by experiences", "experiences", "ms", {"retrieval": retrieval}
        ),
        "growth-players": log_log_svg(
            f"Full analysis by matchups ({BATTLES_PER_MATCHUP} battles each)",
            "matchups",
            "ms",
            {"analysis": analysis},
        ),
    }
    return BenchResult(
        "growth",
        tuple(figures),
        (
            f"analysis: round robins of {', '.join(map(str, PLAYERS[:end]))} players,"
            f" {BATTLES_PER_MATCHUP} battles a matchup",
        ),
        {"plots": plots},
    )


def _median_ms(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(_REPETITIONS):
        started = time.process_time()
        work()
        taken.append((time.process_time() - started) * 1e3)
    return max(statistics.median(taken), 1e-3)


async def _battles(sizes: tuple[int, ...]) -> tuple[Points, Points, Points]:
    recording, reading, size = [], [], []
    with tempfile.TemporaryDirectory() as name:
        timed = await timed_run(Path(name), more=MIRROR, battles=10, concurrency=8)
        for count in sizes:
            folder = Path(name) / str(count)
            folder.mkdir()
            started = time.process_time()
            await _record(folder, timed, count)
            recording.append((count, (time.process_time() - started) * 1e3))
            reading.append((count, _median_ms(partial(_read, folder))))
            size.append((count, record_path(folder).stat().st_size))
    return recording, reading, size


async def _record(folder: Path, timed: TimedRun, count: int) -> None:
    record = await RunRecord.open(folder, {"stages": []}, {})
    matchup, first, _ = timed.outcomes[0]
    await record.enter_matchup(matchup, first.players, {seat: {} for seat in first.players})
    for index in range(count):
        _, spec, outcome = timed.outcomes[index % len(timed.outcomes)]
        place = replace(spec, battle_id=f"1.{index + 1}", index=index, pair=index // 2)
        await record.finish_battle(place, outcome, {}, {})
    await record.close()


def _read(folder: Path) -> None:
    with RunReader(folder) as reader:
        reader.battle_rows()
        player_totals(reader)


def _experiences(sizes: tuple[int, ...]) -> Points:
    maker = ExperienceMaker(dex(), random.Random(11))
    made = [maker.experience(index) for index in range(max(sizes))]
    teams = maker.current_teams()
    points = []
    for count in sizes:
        memory = Memory(PokemonSimilarity(), MemoryConfig(retrieval="weighted", alpha=0.3))
        for each in made[:count]:
            memory.add(each)
        snapshot = memory.snapshot(count - 1)
        snapshot.retrieve(*teams)
        points.append((count, _median_ms(partial(snapshot.retrieve, *teams))))
    return points


def _players(sizes: tuple[int, ...]) -> Points:
    points = []
    for count in sizes:
        names = [f"player-{number:02}" for number in range(count)]
        matchups = [("stage", *pair) for pair in itertools.combinations(names, 2)]
        rows = simulated_battles(matchups, BATTLES_PER_MATCHUP)
        points.append((len(matchups), _median_ms(partial(analyze_battles, rows))))
    return points
