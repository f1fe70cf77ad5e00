"""A game whose members are points between 0 and 1: similarities can be worked out by hand.

It knows nothing of Pokémon, so these tests also show that the memory needs no game of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from porimon.memory.experience import Document, Experience, Result
from porimon.memory.similarity import FloatArray


def point(position: float) -> Document:
    """A member of a team."""
    return {"at": position}


def team(*positions: float) -> tuple[Document, ...]:
    """A team of points."""
    return tuple(point(position) for position in positions)


class LineTable:
    """Distinct points in the order in which they came."""

    def __init__(self) -> None:
        self.points: dict[float, int] = {}
        self.compared = 0

    def __len__(self) -> int:
        return len(self.points)

    def number(self, member: Document) -> int:
        return self.points.setdefault(member["at"], len(self.points))

    def compare(self, members: Sequence[Document]) -> FloatArray:
        ours = np.array([member["at"] for member in members])
        self.compared += len(ours) * len(self)
        return 1 - np.abs(ours[:, None] - np.array(list(self.points))[None, :])


class LineSimilarity:
    """1 minus the distance of two points; α plays no part."""

    def pair(self, one: Document, other: Document, alpha: float) -> float:
        return 1 - abs(one["at"] - other["at"])

    def table(self, alpha: float) -> LineTable:
        return LineTable()

    def label(self, member: Document) -> str:
        return f"point {member['at']:g}"


def experience(
    index: int,
    own: Sequence[Document] = (),
    foe: Sequence[Document] = (),
    result: Result = "win",
    **fields: Any,
) -> Experience:
    """An experience of battle ``index`` with equal importance for all, unless given."""
    fields.setdefault("own_importance", [5.0] * len(own))
    fields.setdefault("foe_importance", [5.0] * len(foe))
    return Experience(
        battle_id=f"battle-{index}",
        index=index,
        result=result,
        own_team=tuple(own),
        foe_team=tuple(foe),
        **fields,
    )
