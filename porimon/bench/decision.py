"""`porimon bench decision`: the way from a view to its prompt, by itself and step by step.

What a player with Long-Term KAG does before it asks: candidate sets and facts, damage ranges from
the running calculator, the three best of 1,000 experiences, the prompt. One decision after the
other; every one is new, as in play, so nothing is answered from an earlier repetition's cache.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from porimon.bench.decisions import MetDecision, met_decisions
from porimon.bench.made_experiences import ExperienceMaker
from porimon.bench.result import BenchResult, figure
from porimon.collector import loaded_objects_stay
from porimon.config.player import MemoryConfig, PlayerConfig
from porimon.memory.retrieval import Memory, MemorySnapshot, Retrieved
from porimon.showdown.calculator.client import Calculator
from porimon.showdown.calculator.service import CalculatorService
from porimon.showdown.calculator.table import DamageTable
from porimon.showdown.candidates import Candidates
from porimon.showdown.dex.store import dex
from porimon.showdown.facts.damage import CalculatedDamage, candidates_of
from porimon.showdown.facts.gather import gather_facts
from porimon.showdown.game_parts import load_game_data
from porimon.showdown.node import prepare_node_parts
from porimon.showdown.players.language_model import experience_for_prompt
from porimon.showdown.prompts.render import load_templates, render_prompt
from porimon.showdown.similarity import PokemonSimilarity, current_teams
from porimon.showdown.view.model import BattleView, PokemonView

DECISIONS = 1000
QUICK_DECISIONS = 150
EXPERIENCES = 1000
SEED = "decision"
MEDIAN_GOAL_MS = 5.0
LATE_GOAL_MS = 20.0
_PARTS = 5

PLAYER = PlayerConfig(
    name="lt1-weighted",
    base="lt1-weighted",
    llm="none",
    memory=MemoryConfig(retrieval="weighted", alpha=0.3),
)
"""The player that does most before it asks."""


def run(quick: bool = False) -> BenchResult:
    """Measure 1,000 decisions (150 if ``quick``)."""
    load_game_data()
    decisions = met_decisions(QUICK_DECISIONS if quick else DECISIONS, SEED, (PLAYER.window,))
    maker = ExperienceMaker(dex(), random.Random(7))
    memory = Memory(PokemonSimilarity(), PLAYER.memory or MemoryConfig())
    for index in range(EXPERIENCES):
        memory.add(maker.experience(index))
    snapshot = memory.snapshot(EXPERIENCES - 1)
    return _result(asyncio.run(_measure(decisions, snapshot)))


Times = dict[str, list[float]]


class _Watch:
    """Takes the milliseconds of each step, wall and processor time."""

    def __init__(self) -> None:
        self.steps: Times = defaultdict(list)
        self._current: dict[str, float] = defaultdict(float)

    def add(self, step: str, started: float) -> None:
        """Add the time since ``started`` to a step of the current decision."""
        self._current[step] += (time.perf_counter() - started) * 1e3

    def end_decision(self) -> None:
        """Keep the current decision's times and begin anew."""
        for step, taken in self._current.items():
            self.steps[step].append(taken)
        self._current.clear()


async def _measure(decisions: Sequence[MetDecision], snapshot: MemorySnapshot) -> Times:
    watch = _Watch()
    async with (
        CalculatorService(prepare_node_parts()) as service,
        Calculator(service) as calculator,
    ):
        damage = _WatchedDamage(CalculatedDamage(calculator), watch)
        for warm_up in decisions[:10]:
            await _prompt(warm_up, snapshot, damage, _Watch())
        watch.end_decision()
        watch.steps.clear()
        with loaded_objects_stay():  # as in a run
            for decision in decisions:
                busy, started = time.process_time(), time.perf_counter()
                await _prompt(decision, snapshot, damage, watch)
                watch.add("all", started)
                watch.end_decision()
                watch.steps["this process"].append((time.process_time() - busy) * 1e3)
    return watch.steps


class _WatchedDamage:
    """A ``DamageSource`` that takes the time of the one behind it."""

    def __init__(self, source: CalculatedDamage, watch: _Watch) -> None:
        self._source = source
        self._watch = watch

    async def table(
        self, view: BattleView, candidates: Mapping[str, Candidates]
    ) -> DamageTable | None:
        """The source's table."""
        started = time.perf_counter()
        found = await self._source.table(view, candidates)
        self._watch.add("damage ranges", started)
        return found


def _watched(watch: _Watch) -> Callable[[PokemonView], Candidates]:
    def source(pokemon: PokemonView) -> Candidates:
        started = time.perf_counter()
        found = candidates_of(pokemon)
        watch.add("candidate sets", started)
        return found

    return source


async def _prompt(
    decision: MetDecision, snapshot: MemorySnapshot, damage: _WatchedDamage, watch: _Watch
) -> None:
    retrieved: list[Retrieved] = []

    def retrieve() -> None:
        started = time.perf_counter()
        retrieved.extend(snapshot.retrieve(*current_teams(decision.view, dex())))
        watch.add("retrieval", started)

    started = time.perf_counter()
    facts = await gather_facts(
        decision.view, PLAYER.knowledge, dex(), _watched(watch), damage, meanwhile=retrieve
    )
    watch.add("facts and retrieval, all included", started)
    started = time.perf_counter()
    render_prompt(
        decision.view,
        decision.logs[PLAYER.window],
        facts,
        PLAYER,
        load_templates(PLAYER.style),
        experiences=[experience_for_prompt(one) for one in retrieved],
    )
    watch.add("prompt", started)


def _result(steps: Times) -> BenchResult:
    everything = np.array(steps["all"])
    # Spread: the same figure over consecutive parts of the decisions.
    parts = np.array_split(everything, _PARTS)
    median, late = float(np.median(everything)), float(np.percentile(everything, 99))
    figures = [
        figure(
            "view to prompt, median",
            "ms",
            [float(np.median(part)) for part in parts],
            f"at most {MEDIAN_GOAL_MS:g} ms",
            median <= MEDIAN_GOAL_MS,
        ),
        figure(
            "view to prompt, 99th percentile",
            "ms",
            [late],
            f"at most {LATE_GOAL_MS:g} ms",
            late <= LATE_GOAL_MS,
        ),
    ]
    figures += [
        figure(
            f"of it: {step}",
            "ms",
            [float(np.median(np.array(part))) for part in np.array_split(np.array(taken), _PARTS)],
        )
        for step, taken in steps.items()
        if step not in ("all", "this process")
    ]
    figures.append(
        figure(
            "processor time of this process, median",
            "ms",
            [
                float(np.median(part))
                for part in np.array_split(np.array(steps["this process"]), _PARTS)
            ],
        )
    )
    return BenchResult(
        name="decision",
        figures=tuple(figures),
        notes=(
            f"{len(everything):,} decisions of both sides in simulated battles, one after the"
            f" other, player {PLAYER.name}, {EXPERIENCES:,} experiences",
            "spread: medians of five consecutive parts",
            "the damage ranges include the calculator's own work in its process",
        ),
        details={"mean_ms": float(everything.mean()), "longest_ms": float(everything.max())},
    )
