"""The error rates that are promised, over simulated tournaments whose truth is known.

The full check has 2,000 tournaments each and is marked long; a smaller one with bounds that suit
its number runs always.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from porimon.stats.estimate import estimate
from porimon.stats.fit import goodness_of_fit, residuals
from porimon.stats.holm import holm
from porimon.stats.pairs import paired_rates
from porimon.stats.wald import difference_test, trend_weights, wald_test
from porimon.stats.wilson import wilson_interval
from tests.unit.stats.simulation import paired_tournament

SIMULATIONS = 2000
FEWER = 250
Z = 1.959963984540054
STRENGTHS = np.array([0.0, 0.5, 0.6, 0.75])


def coverage(correlation: float, errors: str, simulations: int) -> np.ndarray:
    """The shares of 95 % intervals that hold the truth: six differences, then a trend over all.

    Each tournament has four players and 150 battles per matchup.
    """
    random = np.random.default_rng(2026)
    pairs = list(itertools.combinations(range(4), 2))
    trend = trend_weights(4)
    covered = np.zeros(len(pairs) + 1)
    for _ in range(simulations):
        comparisons = paired_tournament(random, STRENGTHS, pairs=75, correlation=correlation)
        fitted = estimate(comparisons, "p0", standard_errors=errors)  # type: ignore[arg-type]
        assert fitted.standard_errors == errors
        for place, (i, j) in enumerate(pairs):
            test = difference_test(fitted, i, j)
            assert test.estimate is not None
            assert test.se is not None
            covered[place] += abs(test.estimate - (STRENGTHS[i] - STRENGTHS[j])) <= Z * test.se
        test = wald_test(fitted, trend)
        assert test.estimate is not None
        assert test.se is not None
        covered[-1] += abs(test.estimate - trend @ STRENGTHS) <= Z * test.se
    return covered / simulations


CASES = pytest.mark.parametrize(
    ("correlation", "errors"), [(0.0, "information"), (0.0, "pairs"), (-0.3, "pairs")]
)


@pytest.mark.long
@CASES
def test_95_percent_intervals_cover_94_to_96_percent(correlation: float, errors: str) -> None:
    share = coverage(correlation, errors, SIMULATIONS)
    assert 0.94 <= share.mean() <= 0.96, share
    # One interval alone varies by ±0.5 points from simulation to simulation.
    assert (share > 0.935).all(), share
    assert (share < 0.965).all(), share


@CASES
def test_95_percent_intervals_cover_about_95_percent(correlation: float, errors: str) -> None:
    share = coverage(correlation, errors, FEWER)
    assert 0.925 <= share.mean() <= 0.975, share


def test_ignoring_the_pairs_would_be_wrong() -> None:
    """The check above can fail: independent errors on dependent pairs cover far too often."""
    random = np.random.default_rng(7)
    covered = 0
    for _ in range(500):
        comparisons = paired_tournament(random, STRENGTHS, pairs=75, correlation=-0.3)
        test = difference_test(estimate(comparisons, "p0", standard_errors="information"), 1, 2)
        assert test.estimate is not None
        assert test.se is not None
        covered += abs(test.estimate - (STRENGTHS[1] - STRENGTHS[2])) <= Z * test.se
    assert covered / 500 > 0.965


@pytest.mark.parametrize("correlation", [0.0, -0.3])
def test_win_rate_intervals_cover_also_in_pairs(correlation: float) -> None:
    """Wilson's interval on the effective number of battles; 3 matchups, 2,000 tournaments."""
    random = np.random.default_rng(3)
    strengths = np.array([0.0, 0.4, 0.9])
    truth = [1 / (1 + np.exp(0.4)), 1 / (1 + np.exp(0.9)), 1 / (1 + np.exp(0.5))]
    covered = total = 0
    for _ in range(SIMULATIONS):
        for rate, p in zip(
            paired_rates(paired_tournament(random, strengths, 80, correlation)), truth, strict=True
        ):
            assert rate.low is not None
            assert rate.high is not None
            covered += rate.low <= p <= rate.high
            total += 1
    assert 0.94 <= covered / total <= 0.96


def test_wilson_covers_over_every_rate() -> None:
    """Exactly, by summing over all outcomes: mean coverage over rates is 95 % within a point."""
    from scipy.stats import binom

    battles = 100
    limits = [wilson_interval(wins, battles) for wins in range(battles + 1)]
    shares = []
    for p in np.linspace(0.02, 0.98, 197):
        chance = binom.pmf(np.arange(battles + 1), battles, p)
        inside = [low <= p <= high for low, high in limits]
        shares.append(float(chance[inside].sum()))
    assert np.mean(shares) == pytest.approx(0.95, abs=0.01)


def family_wise_errors(correlation: float, simulations: int) -> tuple[float, float]:
    """Share of tournaments of five equal players with a false claim: with Holm, and without."""
    random = np.random.default_rng(99)
    pairs = list(itertools.combinations(range(5), 2))
    false_claims = uncorrected = 0
    for _ in range(simulations):
        comparisons = paired_tournament(random, np.zeros(5), pairs=100, correlation=correlation)
        fitted = estimate(comparisons, "p0")
        p_values = [difference_test(fitted, i, j).p for i, j in pairs]
        false_claims += any(p is not None and p < 0.05 for p in holm(p_values))
        uncorrected += any(p is not None and p < 0.05 for p in p_values)
    return false_claims / simulations, uncorrected / simulations


@pytest.mark.long
@pytest.mark.parametrize("correlation", [0.0, -0.33])
def test_holm_keeps_the_family_wise_error(correlation: float) -> None:
    corrected, uncorrected = family_wise_errors(correlation, SIMULATIONS)
    assert corrected <= 0.05
    # Without the correction the error would be several times as large.
    assert uncorrected > 0.15


def test_holm_keeps_the_family_wise_error_in_fewer_tournaments() -> None:
    corrected, uncorrected = family_wise_errors(-0.33, FEWER)
    assert corrected <= 0.07
    assert uncorrected > 0.15


def misfits(correlation: float, simulations: int) -> tuple[float, float]:
    """Share of tournaments that follow the model and are refused by its test at 5 %; and the mean
    square of their standardised residuals."""
    random = np.random.default_rng(11)
    strengths = np.array([0.0, 0.3, 0.5, 0.6])
    refused, squares = 0, []
    for _ in range(simulations):
        comparisons = paired_tournament(random, strengths, pairs=250, correlation=correlation)
        fitted = estimate(comparisons, "p0")
        result = goodness_of_fit(comparisons, fitted)
        assert result.p is not None
        refused += result.p < 0.05
        squares += [r.standardised**2 for r in residuals(comparisons, fitted) if r.standardised]
    return refused / simulations, float(np.mean(squares))


@pytest.mark.long
@pytest.mark.parametrize("correlation", [0.0, -0.3])
def test_goodness_of_fit_holds_its_level(correlation: float) -> None:
    refused, square = misfits(correlation, SIMULATIONS)
    assert 0.037 < refused < 0.063
    assert square == pytest.approx(1.0, abs=0.04)


def test_goodness_of_fit_holds_its_level_in_fewer_tournaments() -> None:
    refused, square = misfits(-0.3, FEWER)
    assert 0.01 < refused < 0.09
    assert square == pytest.approx(1.0, abs=0.12)
