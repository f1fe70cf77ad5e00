"""What every benchmark gives back: rows of figures with their spread, and notes."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured quantity over several repetitions, in ``unit`` (``ms``, ``battles/s``, ``×``).

    ``goal`` is what the project aims at (a sentence such as "at most 5 ms"), ``None`` without one.
    """

    name: str
    unit: str
    values: tuple[float, ...]
    goal: str | None = None
    met: bool | None = None

    @property
    def median(self) -> float:
        """The middle of the repetitions: what to quote on a noisy machine."""
        return statistics.median(self.values)

    @property
    def low(self) -> float:
        """The smallest repetition."""
        return min(self.values)

    @property
    def high(self) -> float:
        """The largest repetition."""
        return max(self.values)


@dataclass(frozen=True, slots=True)
class BenchResult:
    """One benchmark's figures, what was compared with what, and remarks a reader needs."""

    name: str
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()
    details: dict[str, object] = field(default_factory=dict)


def figure(
    name: str, unit: str, values: Sequence[float], goal: str | None = None, met: bool | None = None
) -> Figure:
    """A ``Figure`` from any sequence of repetitions."""
    return Figure(name, unit, tuple(float(value) for value in values), goal, met)
