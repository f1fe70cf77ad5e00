"""The paper's published p-values follow from its design: 10 matchups × 500 battles of 5 players.

Only differences of strength and adjusted p-values were published (Porimon §IV-B). A tournament with
those differences and 500 battles per matchup must give those p-values, if family and errors are the
paper's: Holm over all ten pairwise differences, errors from the information matrix.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from porimon.stats.analysis import Options, analyze
from porimon.stats.battles import Comparisons
from porimon.stats.results import Analysis, PairwiseResult

STRENGTHS = {"h": 0.0, "p": 0.499, "lt0": 0.615, "wa": 0.679, "wb": 0.695}
"""Against h: p by 0.499; wb (uniform) 0.196 and wa (weighted) 0.180 above p, so 0.016 apart; lt0
0.080 below wb and 0.063 below wa (0.064 with what is rounded)."""


def expected_tournament() -> Analysis:
    """The analysis of 500 battles per matchup whose results are what the strengths lead to expect.

    Expected points are not whole; doubled counts would halve the variance, so ties (half a point)
    bring the rounded wins within a quarter of a point.
    """
    names = sorted(STRENGTHS)
    pairs = np.array(list(itertools.combinations(range(5), 2)))
    beta = np.array([STRENGTHS[name] for name in names])
    points = 500 / (1 + np.exp(beta[pairs[:, 1]] - beta[pairs[:, 0]]))
    halves = np.round(2 * points).astype(np.int64)
    ties = halves % 2
    wins = halves // 2
    comparisons = Comparisons(tuple(names), pairs[:, 0], pairs[:, 1], wins, 500 - wins - ties, ties)
    return analyze(comparisons, Options())


def pair(analysis: Analysis, one: str, other: str) -> PairwiseResult:
    """The test of two players, whichever is named first."""
    return next(row for row in analysis.pairwise if {row.a, row.b} == {one, other})


def test_differences_and_adjusted_p_values_are_the_published_ones() -> None:
    analysis = expected_tournament()
    published = [("wb", "p", 0.196, 0.003), ("wa", "p", 0.180, 0.008), ("wa", "wb", 0.016, 0.775)]
    for one, other, difference, p_adjusted in published:
        row = pair(analysis, one, other)
        assert row.beta_diff is not None
        assert row.p_holm is not None
        assert abs(row.beta_diff) == pytest.approx(difference, abs=0.0015)
        # Half of the last printed digit, and what the rounding of the difference itself can do.
        assert row.p_holm == pytest.approx(p_adjusted, abs=0.012 if p_adjusted > 0.5 else 0.0006)


def test_everyone_beats_the_heuristic_player_as_published() -> None:
    """Differences of 0.499 or more, adjusted p below 5 · 10⁻⁵."""
    analysis = expected_tournament()
    for name in ("p", "lt0", "wa", "wb"):
        row = pair(analysis, "h", name)
        assert row.p_holm is not None
        assert row.p_holm < 5e-5


def test_another_family_would_not_give_them() -> None:
    """Without correction, or over the six differences without lt0, the values are others."""
    analysis = expected_tournament()
    row = pair(analysis, "wb", "p")
    assert row.p is not None
    assert round(row.p, 3) == 0.001
    # Over six differences wb − p would be the fourth smallest of six: three times its p-value.
    assert round(3 * row.p, 3) == 0.002


def test_standard_error_of_a_difference_follows_from_the_design() -> None:
    """Between equals: information 125 per matchup, five players: √(2 / (5 · 125)) = 0.0566."""
    row = pair(expected_tournament(), "wa", "wb")
    assert row.se == pytest.approx(math.sqrt(2 / (5 * 125)), rel=0.02)
