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

from porimon.bench.result import BenchResult, Figure, figure
from porimon.config.player import MemoryConfig
from porimon.errors import PorimonError
from porimon.memory import plain
from porimon.memory.experience import Document, Experience
from porimon.memory.retrieval import Memory, MemorySnapshot
from porimon.showdown.dex.model import Species
from porimon.showdown.dex.store import Dex, dex
from porimon.showdown.similarity import PokemonSimilarity

GOALS_MS = {1_000: 1.0, 10_000: 5.0, 100_000: 40.0}
"""The most that a retrieval's median may take, in milliseconds, by number of experiences."""

_REPETITIONS = 60
_PLAIN_EXPERIENCES = 500
"""The plain implementation takes time in proportion; it is measured on so many and scaled."""
_PLAIN_REPETITIONS = 3
_TOLERANCE = 1e-12

Teams = tuple[Sequence[Document], Sequence[Document]]


def run(quick: bool = False) -> BenchResult:
    """Measure retrieval; ``quick`` leaves out 100,000 experiences.

    Raises ``PorimonError`` if the fast and the plain implementation disagree.
    """
    config = MemoryConfig(retrieval="weighted", alpha=0.3)
    similarity = PokemonSimilarity()
    sizes = [size for size in GOALS_MS if not quick or size <= 10_000]
    maker = _Maker(dex(), random.Random(20_240_229))
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


class _Maker:
    """Random experiences and positions, always the same for one seed."""

    def __init__(self, data: Dex, drawn: random.Random) -> None:
        self._drawn = drawn
        self._species = [
            found for name in data.ids("random_sets") if (found := data.find_species(name))
        ]

    def experience(self, index: int) -> Experience:
        """An experience of battle ``index``: of the opponent, part of the team was revealed."""
        own, foe = self._team(6), self._team(self._drawn.randint(3, 6))
        # Built without validation: a hundred thousand of them would take longer than the bench.
        return Experience.model_construct(
            battle_id=f"bench-{index}",
            index=index,
            result=self._drawn.choice(["win", "loss"]),
            turns=25,
            own_team=own,
            foe_team=foe,
            own_importance=tuple(self._drawn.randint(0, 10) for _ in own),
            foe_importance=tuple(self._drawn.randint(0, 10) for _ in foe),
        )

    def current_teams(self) -> Teams:
        """Own and revealed opposing team in the middle of a battle."""
        own, foe = self._team(6), self._team(self._drawn.randint(3, 6))
        return [self._hurt(each) for each in own], [self._hurt(each) for each in foe]

    def _team(self, size: int) -> tuple[Document, ...]:
        return tuple(self._member(each) for each in self._drawn.sample(self._species, size))

    def _member(self, species: Species) -> Document:
        known = self._drawn.random() < 0.6
        return {
            "name": species.name,
            "base_stats": species.base_stats,
            "types": list(species.types),
            "ability": self._drawn.choice(species.abilities) if known else None,
            "hp": 1.0,
            "status": None,
        }

    def _hurt(self, member: Document) -> Document:
        return member | {
            "hp": self._drawn.randint(0, 100) / 100,
            "status": self._drawn.choice([None, None, "brn", "par"]),
        }


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
