"""The results of an analysis, as data: what `porimon analyze` shows, and its JSON document.

The names of the fields are those of the document. ``None`` means that a figure does not exist or
is not known; it is never written as 0.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from porimon.errors import PorimonError
from porimon.stats.estimate import Method, StandardErrors


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One player over all its battles.

    ``win_rate`` counts a tie as half a win; the Wilson interval is at 95 %. ``beta`` is relative to
    the reference, whose own is 0 by definition with ``se`` 0; ``ci_low`` and ``ci_high`` are Wald's
    95 % limits. ``fallback_rate`` is the share of its decisions that the fallback rule made,
    ``forfeits`` the battles that it lost by forfeit. ``model`` is the language model that it asked,
    as tables call it; ``None`` where it asked none, or none is known of.
    """

    name: str
    battles: int
    wins: int
    losses: int
    ties: int
    win_rate: float
    wilson_low: float
    wilson_high: float
    beta: float | None
    se: float | None
    ci_low: float | None
    ci_high: float | None
    fallback_rate: float | None
    forfeits: int | None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class PairwiseResult:
    """The Wald test of β_a − β_b; ``p_holm`` corrects over all pairwise differences that exist."""

    a: str
    b: str
    beta_diff: float | None
    se: float | None
    z: float | None
    p: float | None
    p_holm: float | None


@dataclass(frozen=True, slots=True)
class ContrastResult:
    """The Wald test of one linear contrast; ``p_holm`` corrects over the contrasts asked for."""

    name: str
    weights: Mapping[str, float]
    estimate: float | None
    se: float | None
    z: float | None
    p: float | None
    p_holm: float | None


@dataclass(frozen=True, slots=True)
class MatchupResult:
    """One matchup by itself: counts, the win rate of ``a`` with Wilson's 95 % interval, and the
    exact binomial test of equal wins; ``binomial_p_holm`` corrects over all matchups."""

    a: str
    b: str
    wins_a: int
    wins_b: int
    ties: int
    win_rate_a: float
    wilson_low: float
    wilson_high: float
    binomial_p: float | None
    binomial_p_holm: float | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """A whole analysis. ``method`` and ``standard_errors`` say how β and its errors came about."""

    reference: str
    players: tuple[PlayerResult, ...]
    pairwise: tuple[PairwiseResult, ...]
    contrasts: tuple[ContrastResult, ...]
    matchups: tuple[MatchupResult, ...]
    warnings: tuple[str, ...]
    method: Method = "maximum likelihood"
    standard_errors: StandardErrors | None = None

    def document(self) -> dict[str, Any]:
        """The JSON document of `porimon analyze --json`. Raises if a figure is not finite.

        A player's model is no figure: it stands in ``Details.document``, and in a warning where it
        is no language model.
        """
        players = as_document(self.players)
        for player in players:
            del player["model"]
        return {
            "reference": self.reference,
            "players": players,
            "pairwise": as_document(self.pairwise),
            "contrasts": as_document(self.contrasts),
            "matchups": as_document(self.matchups),
            "warnings": list(self.warnings),
        }


def as_document(value: object) -> Any:
    """Data classes, mappings and sequences as what JSON can hold; refuses what is not finite."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: as_document(getattr(value, field.name))
            for field in dataclasses.fields(value)
        }
    if isinstance(value, Mapping):
        return {str(key): as_document(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [as_document(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise PorimonError(f"a figure of the analysis is not finite: {value}")
    return value
