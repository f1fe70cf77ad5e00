"""Teams of many experiences as arrays, and their similarity to a current team (Porimon §II-C).

Members are numbers into the table of distinct members, so that each distinct member is compared
once, and a team's score is made of look-ups. Number 0 stands for "no member": its similarity and
its weight are 0, which leaves maxima and sums of the other members as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from porimon.memory.experience import Document
from porimon.memory.similarity import FloatArray, MemberTable

_CHUNK = 2048
"""Experiences per step: what a step touches stays in the processor's cache."""

Weighting = Literal["uniform", "weighted"]

_Scalar = TypeVar("_Scalar", bound=np.generic)


def member_weights(importance: Sequence[float | None], weighting: Weighting) -> list[float]:
    """What each member of a stored team counts, summing up to 1.

    Weighted: r_m / Σ r. Uniform, or all r zero (Porimon §II-C), or some r unknown (our reading):
    alike.
    """
    known = [value for value in importance if value is not None]
    total = sum(known)
    if weighting == "uniform" or len(known) < len(importance) or total <= 0:
        return [1 / len(importance)] * len(importance)
    return [value / total for value in known]


@dataclass(frozen=True, slots=True)
class TeamColumns:
    """The teams of the first experiences of a memory, on one side.

    ``numbers`` and ``weights`` have the shape (largest team, experiences).
    """

    numbers: NDArray[np.intp]
    weights: FloatArray

    def similarity(self, current: FloatArray) -> FloatArray:
        """S or S_r of every stored team and the current one: (experiences,).

        ``current`` is what ``compare_current`` gave. A team without members has similarity 0 to
        one with members, and 1 to another without (our reading): nothing known supports nothing.
        """
        members, count = self.numbers.shape
        if len(current) == 0:
            without_members = np.equal(self.numbers, 0).all(axis=0)
            return np.where(without_members, 1.0, 0.0)
        scores = np.zeros(count)
        if members == 0:
            return scores
        nearest_to_stored = current.max(axis=0)
        by_stored = np.ascontiguousarray(current.T)
        mean = np.full(len(current), 1 / len(current))
        for low in range(0, count, _CHUNK):
            numbers = self.numbers[:, low : low + _CHUNK]
            weights = self.weights[:, low : low + _CHUNK]
            stored_to_current = (nearest_to_stored.take(numbers) * weights).sum(axis=0)
            nearest = by_stored.take(numbers, axis=0).max(axis=0)
            scores[low : low + _CHUNK] = 0.5 * (stored_to_current + nearest @ mean)
        return scores


def compare_current(table: MemberTable, team: Sequence[Document]) -> FloatArray:
    """Similarity of each current member to each distinct stored one.

    Shape: (current members, distinct members + 1); column 0 is "no member".
    """
    padded = np.zeros((len(team), len(table) + 1))
    if len(team) and len(table):
        padded[:, 1:] = table.compare(team)
    return padded


class GrowingColumns:
    """The teams of one side while experiences are added; earlier columns never change."""

    def __init__(self, table: MemberTable, weighting: Weighting) -> None:
        self._table = table
        self._weighting: Weighting = weighting
        self._numbers = np.zeros((0, 16), dtype=np.intp)
        self._weights = np.zeros((0, 16))
        self._count = 0

    def add(self, team: Sequence[Document], importance: Sequence[float | None]) -> None:
        """Add the team of the next experience."""
        members, room = self._numbers.shape
        if self._count == room or len(team) > members:
            shape = (max(members, len(team)), room * 2 if self._count == room else room)
            # Old arrays stay as they are: snapshots look into them.
            self._numbers = enlarged(self._numbers, shape)
            self._weights = enlarged(self._weights, shape)
        if team:
            numbers = [self._table.number(member) + 1 for member in team]
            self._numbers[: len(team), self._count] = numbers
            self._weights[: len(team), self._count] = member_weights(importance, self._weighting)
        self._count += 1

    def first(self, count: int) -> TeamColumns:
        """The teams of the first ``count`` experiences; shares memory, costs nothing."""
        return TeamColumns(self._numbers[:, :count], self._weights[:, :count])


def enlarged(array: NDArray[_Scalar], shape: tuple[int, int]) -> NDArray[_Scalar]:
    """A larger copy of a two-dimensional array, filled up with 0."""
    larger = np.zeros(shape, dtype=array.dtype)
    larger[: array.shape[0], : array.shape[1]] = array
    return larger
