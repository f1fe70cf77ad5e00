"""`porimon bench retrieval`: the three best of 1,000, 10,000 and 100,000 experiences.

Experiences hold random teams of real species. Each measured retrieval is a decision's: six own
Pokémon, three to six revealed ones of the opponent, with the HP and status of the middle of a
battle. The plain implementation of the formulas (``porimon.memory.plain``) is measured in the same
run, and both must give the same scores.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from porimon.bench.made_experiences import ExperienceMaker, Teams
from porimon.bench.result import BenchResult, Figure, figure
from porimon.config.player import MemoryConfig
from porimon.errors import PorimonError
from porimon.memory import plain
from porimon.memory.experience import Experience
from porimon.memory.retrieval import Memory, MemorySnapshot
from porimon.showdown.dex.store import dex
from porimon.showdown.similarity import PokemonSimilarity

GOALS_MS = {1_000: 1.0, 10_000: 5.0, 100_000: 40.0}
"""The most that a retrieval's median may take, in milliseconds, by number of experiences."""

_REPETITIONS = 60
_PLAIN_EXPERIENCES = 500
"""The plain implementation takes time in proportion; it is measured on so many and scaled."""
_PLAIN_REPETITIONS = 3
_TOLERANCE = 1e-12


def run(quick: bool = False) -> BenchResult:
    """Measure retrieval; ``quick`` leaves out 100,000 experiences.

    Raises ``PorimonError`` if the fast and the plain implementation disagree.
    """
    config = MemoryConfig(retrieval="weighted", alpha=0.3)
    similarity = PokemonSimilarity()
    sizes = [size for size in GOALS_MS if not quick or size <= 10_000]
    maker = ExperienceMaker(dex(), random.Random(20_240_229))
    experiences = [maker.experience(index) for index in range(max(sizes))]
    occasions = [maker.current_teams() for _ in range(_REPETITIONS)]
    figures: list[Figure] = []
    details: dict[str, object] = {}
    for size in sizes:
        measured, about = _measure(experiences[:size], similarity, config, occasions)
        figures += measured
        details[str(size)] = about
    return BenchResult(
        name="retrieval",
        figures=tuple(figures),
        notes=(
            "a retrieval is everything a decision waits for, the reasons shown by the inspector"
            " included",
            f"the plain implementation scored {_PLAIN_EXPERIENCES} experiences; its figures are"
            " scaled to the number named, since it takes each experience by itself",
            f"scores of both agree to {_TOLERANCE:g}",
            "where other programs keep the processors busy, a retrieval waits for them: processor"
            " time is what it takes itself",
        ),
        details=details,
    )


def _measure(
    experiences: Sequence[Experience],
    similarity: PokemonSimilarity,
    config: MemoryConfig,
    occasions: Sequence[Teams],
) -> tuple[list[Figure], dict[str, object]]:
    size = len(experiences)
    memory = Memory(similarity, config)
    for each in experiences[:-1]:
        memory.add(each)
    memory.snapshot(size - 2)
    growing = _milliseconds(partial(_one_more, memory, experiences[-1]))
    snapshot = memory.snapshot(size - 1)
    snapshot.retrieve(*occasions[0])  # the first call imports
    fast, busy = [], []
    for teams in occasions:
        started = time.process_time()
        fast.append(_milliseconds(partial(snapshot.retrieve, *teams)))
        busy.append((time.process_time() - started) * 1e3)
    slow, difference = _plain(experiences, snapshot, similarity, config, occasions)
    goal, median = GOALS_MS[size], float(np.median(fast))
    figures = [
        figure(f"top 3 of {size:,}", "ms", fast, f"at most {goal:g} ms", median <= goal),
        figure(f"top 3 of {size:,}, processor time", "ms", busy),
        figure(f"plain implementation, {size:,}", "ms", slow),
        figure(f"plain / vectorised, {size:,}", "×", [value / median for value in slow]),
        figure(f"one more experience and a snapshot, {size:,}", "ms", [growing]),
    ]
    about: dict[str, object] = {
        "distinct_pokemon": len(snapshot.table),
        "largest_score_difference": difference,
    }
    return figures, about


def _milliseconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1e3


def _one_more(memory: Memory, experience: Experience) -> None:
    memory.add(experience)
    memory.snapshot(experience.index)


def _plain(
    experiences: Sequence[Experience],
    snapshot: MemorySnapshot,
    similarity: PokemonSimilarity,
    config: MemoryConfig,
    occasions: Sequence[Teams],
) -> tuple[list[float], float]:
    """The plain implementation's milliseconds, scaled, and the largest difference in a score."""
    sample = experiences[-_PLAIN_EXPERIENCES:]
    taken, largest = [], 0.0
    for own, foe in occasions[:_PLAIN_REPETITIONS]:
        started = time.perf_counter()
        expected = [plain.score(each, own, foe, similarity, config) for each in sample]
        taken.append((time.perf_counter() - started) * 1e3 * len(experiences) / len(sample))
        found = snapshot.scores(own, foe)[-len(sample) :]
        largest = max(largest, float(np.abs(found - expected).max()))
    if largest > _TOLERANCE:
        raise PorimonError(
            f"the vectorised scores differ from the plain ones by {largest:g}",
            where="porimon bench retrieval",
        )
    return taken, largest
