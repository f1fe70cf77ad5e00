"""The paper's published p-values follow from its design: 500 battles per matchup.

Only differences of strength and adjusted p-values were published (Porimon §IV), each rounded. A
tournament with those differences must give those p-values if errors and families are the paper's.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from porimon.stats.analysis import analyze
from porimon.stats.battles import Comparisons
from porimon.stats.results import Analysis, PairwiseResult
from porimon.stats.wald import two_sided_p

STRENGTHS = {"h": 0.0, "p": 0.499, "lt0": 0.615, "wa": 0.679, "wb": 0.695}
"""Against h: p by 0.499; wb (uniform) 0.196 and wa (weighted) 0.180 above p, so 0.016 apart; lt0
0.080 below wb and 0.063 below wa (0.064 with what is rounded)."""
COMPARISON = list(itertools.combinations(sorted(STRENGTHS), 2))
ABLATION = [("lt0v", "p"), ("lt0", "lt0v")]


def expected_tournament(
    strengths: dict[str, float] = STRENGTHS, pairs: list[tuple[str, str]] = COMPARISON
) -> Analysis:
    """The analysis of 500 battles per matchup whose results are what the strengths lead to expect.

    Expected points are not whole numbers; a tie here and there (half a point) brings them within a
    quarter of a point.
    """
    names = sorted(strengths)
    places = np.array(sorted(sorted((names.index(a), names.index(b))) for a, b in pairs))
    beta = np.array([strengths[name] for name in names])
    points = 500 / (1 + np.exp(beta[places[:, 1]] - beta[places[:, 0]]))
    halves = np.round(2 * points).astype(np.int64)
    ties, wins = halves % 2, halves // 2
    return analyze(
        Comparisons(tuple(names), places[:, 0], places[:, 1], wins, 500 - wins - ties, ties)
    )


def pair(analysis: Analysis, one: str, other: str) -> PairwiseResult:
    """The test of two players, whichever is named first."""
    return next(row for row in analysis.pairwise if {row.a, row.b} == {one, other})


@pytest.mark.parametrize(
    ("one", "other", "difference", "p_adjusted", "tolerance"),
    [
        ("wb", "p", 0.196, 0.003, 0.001),
        ("wa", "p", 0.180, 0.008, 0.001),
        ("wa", "wb", 0.016, 0.775, 0.015),
    ],
)
def test_holm_over_the_comparisons_ten_differences_gives_the_published_values(
    one: str, other: str, difference: float, p_adjusted: float, tolerance: float
) -> None:
    """The tolerance is what the rounding of the published difference can do."""
    row = pair(expected_tournament(), one, other)
    assert row.beta_diff is not None
    assert row.p_holm is not None
    assert abs(row.beta_diff) == pytest.approx(difference, abs=0.0015)
    assert row.p_holm == pytest.approx(p_adjusted, abs=tolerance)


@pytest.mark.parametrize("name", ["p", "lt0", "wa", "wb"])
def test_everyone_beats_the_heuristic_player_as_published(name: str) -> None:
    """Differences of 0.499 or more, adjusted p below 5 · 10⁻⁵."""
    row = pair(expected_tournament(), "h", name)
    assert row.p_holm is not None
    assert row.p_holm < 5e-5


@pytest.mark.parametrize(
    ("one", "other", "difference", "factor", "p_adjusted"),
    [
        ("wb", "p", 0.196, 7, 0.003),
        ("wa", "p", 0.180, 6, 0.008),
        ("wb", "lt0", 0.080, 5, 0.772),
    ],
)
def test_a_joint_fit_with_the_ablation_gives_every_published_digit(
    one: str, other: str, difference: float, factor: int, p_adjusted: float
) -> None:
    """The ablation's battles tell more of p and lt0; factors 7, 6 and 5 follow one another as in
    Holm's procedure. A difference within its rounding gives a p-value within its own."""
    joint = expected_tournament({**STRENGTHS, "lt0v": 0.553}, COMPARISON + ABLATION)
    se = pair(joint, one, other).se
    assert se is not None
    low, high = (factor * two_sided_p((difference + shift) / se) for shift in (0.0005, -0.0005))
    assert low < p_adjusted + 0.0005
    assert high > p_adjusted - 0.0005


def test_without_correction_the_values_would_be_others() -> None:
    row = pair(expected_tournament(), "wa", "p")
    assert row.p is not None
    assert round(row.p, 3) == 0.002


def test_standard_error_of_a_difference_follows_from_the_design() -> None:
    """Between equals: information 125 per matchup, five players: √(2 / (5 · 125)) = 0.0566."""
    row = pair(expected_tournament(), "wa", "wb")
    assert row.se == pytest.approx(math.sqrt(2 / (5 * 125)), rel=0.02)
