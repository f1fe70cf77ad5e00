"""What the battles in which an experience was retrieved say about it; and what is forgotten.

Both go beyond the paper, which names a memory that only grows, and whose entries are never judged,
as limits of its method. Everything here is a function of the experiences in the order of their
battles, so the order in which battles finish changes nothing.

Usefulness: let p be the player's average result over all battles remembered so far (win 1, tie ½,
loss 0), and let an experience have been retrieved in n battles whose results sum up to w. Its lift
is (w − p·n) / (n + 10): by how much the results lay above what the player gets anyway, drawn
towards 0 as if 10 average battles were known besides. Its score is multiplied by 1 + lift. One
retrieved by nobody keeps its score.

Forgetting: as soon as more than ``capacity`` experiences are kept, one goes for good.
``oldest``: the oldest. ``least_used``: the one with the smallest (n + 1) / (battles since it was
stored + 1), so that newcomers get their chance. ``least_useful``: the one with the smallest lift.
The older goes first among equals, and the newest never goes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from porimon.memory.experience import Result
from porimon.memory.similarity import FloatArray

PRIOR_BATTLES = 10
"""How many average battles an experience's own results are mixed with."""

POINTS: dict[Result, float] = {"win": 1.0, "tie": 0.5, "loss": 0.0}
"""What a result counts in an average."""

Forgetting = Literal["oldest", "least_used", "least_useful"]


class Credit:
    """Uses, results and survival of experiences, each told by its position in the memory."""

    def __init__(self, capacity: int | None, forgetting: Forgetting) -> None:
        self._capacity = capacity
        self._forgetting: Forgetting = forgetting
        self._uses: list[int] = []
        self._points: list[float] = []
        self._kept: list[int] = []
        self._total_points = 0.0

    def add(self, result: Result, retrieved: Iterable[int]) -> None:
        """Take in the next experience: its battle's result, and the positions it was given."""
        points = POINTS[result]
        for position in retrieved:
            self._uses[position] += 1
            self._points[position] += points
        self._total_points += points
        self._kept.append(len(self._uses))
        self._uses.append(0)
        self._points.append(0.0)
        if self._capacity is not None and len(self._kept) > self._capacity:
            self._kept.remove(self._weakest())

    def lift(self) -> FloatArray:
        """The lift of every experience, forgotten ones included: (experiences,), within (−1, 1)."""
        uses = np.array(self._uses, dtype=np.float64)
        average = self._total_points / max(len(uses), 1)
        return (np.array(self._points) - average * uses) / (uses + PRIOR_BATTLES)

    def kept(self) -> NDArray[np.bool_]:
        """Which experiences are not forgotten: (experiences,)."""
        mask = np.zeros(len(self._uses), dtype=np.bool_)
        mask[self._kept] = True
        return mask

    def _lift(self, position: int) -> float:
        average = self._total_points / len(self._uses)
        uses = self._uses[position]
        return (self._points[position] - average * uses) / (uses + PRIOR_BATTLES)

    def _weakest(self) -> int:
        candidates = self._kept[:-1] or self._kept
        if self._forgetting == "oldest":
            return candidates[0]
        if self._forgetting == "least_used":
            newest = len(self._uses) - 1
            return min(
                candidates,
                key=lambda position: (self._uses[position] + 1) / (newest - position + 1),
            )
        return min(candidates, key=self._lift)
