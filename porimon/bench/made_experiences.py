"""Made-up experiences with random teams of real species, for benchmarks of retrieval."""

from __future__ import annotations

import random
from collections.abc import Sequence

from porimon.memory.experience import Document, Experience
from porimon.showdown.dex.model import Species
from porimon.showdown.dex.store import Dex

Teams = tuple[Sequence[Document], Sequence[Document]]

SUMMARY = (
    "The opponent set entry hazards early and wore the team down with repeated switches. A late "
    "boosting move turned the battle once its fast attackers had fainted."
)
"""As long as what a model writes on a battle."""
LESSONS = (
    "Remove entry hazards before switching often.",
    "Keep a priority move for a weakened boosting foe.",
    "Do not let a wall take a status condition before its check has fainted.",
)


class ExperienceMaker:
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
            summary=SUMMARY,
            lessons=LESSONS,
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
