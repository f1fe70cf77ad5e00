"""Why an experience resembles the current battle: which member is like which, and how much.

Made from the same comparisons as the scores, as plain JSON documents for the record and the
inspector.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from porimon.memory.columns import TeamColumns
from porimon.memory.experience import Document, Experience
from porimon.memory.similarity import FloatArray


@dataclass(frozen=True, slots=True)
class Side:
    """One side of all experiences against the current team of that side.

    ``compared`` is what ``compare_current`` gave for ``team``, ``similarity`` what
    ``TeamColumns.similarity`` made of it.
    """

    stored: TeamColumns
    team: Sequence[Document]
    compared: FloatArray
    similarity: FloatArray

    def resemblance(
        self,
        position: int,
        stored: Sequence[Document],
        importance: Sequence[float | None],
        label: Callable[[Document], str],
    ) -> dict[str, Any]:
        """One experience's similarity, and for each member its nearest counterpart."""
        numbers = self.stored.numbers[: len(stored), position]
        rows: list[list[float]] = self.compared[:, numbers].tolist()
        labels, stored_labels = [label(one) for one in self.team], [label(one) for one in stored]
        now = [
            {"current": name, **_nearest(row, stored_labels)}
            for name, row in zip(labels, rows, strict=True)
        ]
        columns = zip(*rows, strict=True) if rows else ((),) * len(stored)
        members = [
            {"stored": name, "importance": weight, **_nearest(column, labels)}
            for name, weight, column in zip(stored_labels, importance, columns, strict=True)
        ]
        return {
            "similarity": float(self.similarity[position]),
            "stored_members": members,
            "current_members": now,
        }


@dataclass(frozen=True, slots=True)
class Compared:
    """All experiences against the current position; ``scores`` has one entry for each."""

    own: Side
    foe: Side
    scores: FloatArray

    def resemblance(
        self, position: int, experience: Experience, label: Callable[[Document], str]
    ) -> dict[str, Any]:
        """Why the experience at ``position`` has its score: both sides, member by member."""
        return {
            "opponent": self.foe.resemblance(
                position, experience.foe_team, experience.foe_importance, label
            ),
            "own": self.own.resemblance(
                position, experience.own_team, experience.own_importance, label
            ),
        }


def _nearest(similarities: Sequence[float], labels: Sequence[str]) -> dict[str, Any]:
    if not labels:
        return {"nearest": None, "similarity": None}
    best = max(similarities)
    return {"nearest": labels[similarities.index(best)], "similarity": best}
