"""`porimon bench record`: what recording costs, and what it takes on disk.

Battles are played. Then, by themselves, the views and facts of their decisions are written as JSON
again, and their outcomes into an empty record: that is what recording takes, to be held against
what the whole run took.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from porimon.bench.result import BenchResult, Figure, figure
from porimon.bench.timed_run import MIRROR, TimedRun, timed_run
from porimon.showdown.facts.model import (
    Facts,
    PokemonFacts,
    dump_facts,
    load_facts,
    pokemon_json,
)
from porimon.showdown.view.model import BattleView, dump_view, load_view
from porimon.tournament.record.connect import record_path
from porimon.tournament.record.run_record import RunRecord

LT0_MIRROR = """round_robin = ["lt0", "other"]
[players.other]
base = "lt0"
"""
SHARE_GOAL = 0.05
BYTES_GOAL = 60_000


def run(quick: bool = False) -> BenchResult:
    """Measure 100 battles of ``h`` and 20 of ``lt0`` against themselves (30 and 6 if ``quick``)."""
    return asyncio.run(_measure(quick))


async def _measure(quick: bool) -> BenchResult:
    figures: list[Figure] = []
    for name, more, battles in (
        ("h mirror", MIRROR, 30 if quick else 100),
        ("lt0 mirror", LT0_MIRROR, 6 if quick else 20),
    ):
        with tempfile.TemporaryDirectory() as folder:
            timed = await timed_run(Path(folder), more=more, battles=battles, concurrency=16)
            shares, shares_of_all, milliseconds, to_disk = [], [], [], []
            held = _views_and_facts(timed)
            for number in range(3):
                again = Path(folder) / f"again{number}"
                again.mkdir()
                written, size = await _recorded(again, timed)
                processor = written + _written_as_json(*held)
                to_disk.append(written / battles * 1e3)
                shares.append(processor / timed.processor_seconds)
                shares_of_all.append(processor / sum(timed.processors.values()))
                milliseconds.append(processor / battles * 1e3)
            met = sorted(shares)[1] < SHARE_GOAL
            figures += [
                figure(
                    f"{name}: recording / our process's processor time",
                    "×",
                    shares,
                    f"under {SHARE_GOAL}",
                    met,
                ),
                figure(f"{name}: recording / all processes' processor time", "×", shares_of_all),
                figure(f"{name}: recording, processor time per battle", "ms", milliseconds),
                figure(f"{name}: of it, from the finished battle to the disk", "ms", to_disk),
                figure(
                    f"{name}: on disk per battle",
                    "bytes",
                    [size / battles],
                    f"under {BYTES_GOAL:,}" if name == "lt0 mirror" else None,
                    size / battles < BYTES_GOAL if name == "lt0 mirror" else None,
                ),
            ]
    return BenchResult(
        "record",
        tuple(figures),
        (
            "all processes: ours, the Showdown server, the simulator and the calculator, which"
            " together are what throughput waits for where processors are few",
            "a battle on disk holds both players' views, facts, prompts, answers and the log;"
            " the offline reader's answers are as long as a model's without reasoning",
        ),
    )


def _views_and_facts(timed: TimedRun) -> tuple[list[BattleView], list[Facts]]:
    """What the players of a run saw and knew at each of their decisions."""
    decisions = [made for _, _, outcome in timed.outcomes for made in outcome.decisions]
    facts = [load_facts(made.facts) for made in decisions if made.facts is not None]
    return (
        [load_view(made.view) for made in decisions if made.view is not None],
        _as_in_play(facts),
    )


def _as_in_play(found: list[Facts]) -> list[Facts]:
    """The facts with one object for equal facts of a Pokémon, as gathering them gives."""
    same: dict[str, PokemonFacts] = {}

    def shared(team: tuple[PokemonFacts, ...]) -> tuple[PokemonFacts, ...]:
        return tuple([same.setdefault(repr(each), each) for each in team])

    return [replace(facts, own=shared(facts.own), foe=shared(facts.foe)) for facts in found]


def _written_as_json(views: list[BattleView], facts: list[Facts]) -> float:
    """Processor seconds that writing them takes, which happens at each decision."""
    pokemon_json.cache_clear()
    started = time.process_time()
    for view in views:
        dump_view(view)
    for known in facts:
        dump_facts(known)
    return time.process_time() - started


async def _recorded(folder: Path, timed: TimedRun) -> tuple[float, int]:
    """Processor seconds that recording the outcomes takes, and the bytes that it adds."""
    record = await RunRecord.open(folder, {"bench": "record"}, {})
    entered: set[str] = set()
    for matchup, spec, _ in timed.outcomes:
        if matchup.matchup_id not in entered:
            entered.add(matchup.matchup_id)
            cards = {seat: json.loads("{}") for seat in spec.players}
            await record.enter_matchup(matchup, spec.players, cards)
    await record.close()
    empty = record_path(folder).stat().st_size
    record = await RunRecord.open(folder, {"bench": "record"}, {})
    started = time.process_time()
    for _, spec, outcome in timed.outcomes:
        await record.finish_battle(spec, outcome, {}, {})
    await record.close()
    return time.process_time() - started, record_path(folder).stat().st_size - empty
