"""Wald tests, contrasts, Holm, the exact binomial test and Wilson's interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, norm
from statsmodels.stats.multitest import multipletests

from porimon.errors import UserInputError
from porimon.stats.battles import MatchupCounts, from_counts
from porimon.stats.binomial import equal_wins_p
from porimon.stats.contrasts import parse_contrast
from porimon.stats.estimate import estimate
from porimon.stats.holm import holm
from porimon.stats.wald import difference_test, trend_weights, two_sided_p, wald_test
from porimon.stats.wilson import wilson_interval

PLAYERS = ("h", "lt0", "lt1-uniform-T10-a0.7", "p", "wa", "wb")


def test_wald_by_hand() -> None:
    """60 of 100: z = ln 1.5 / √(1/60 + 1/40) = 1.98637."""
    fitted = estimate(from_counts([MatchupCounts("h", "p", 40, 60)]), "h")
    test = difference_test(fitted, 1, 0)
    assert test.z == pytest.approx(1.98637, abs=1e-5)
    assert test.p == pytest.approx(2 * norm.sf(1.98637), abs=1e-5)


def test_a_difference_does_not_depend_on_the_reference() -> None:
    counts = [
        MatchupCounts("a", "b", 12, 8),
        MatchupCounts("b", "c", 9, 11),
        MatchupCounts("a", "c", 13, 7),
    ]
    results = [
        difference_test(estimate(from_counts(counts), reference), 0, 1) for reference in "abc"
    ]
    for result in results[1:]:
        assert result.estimate == pytest.approx(results[0].estimate, abs=1e-10)
        assert result.se == pytest.approx(results[0].se, abs=1e-10)


def test_trend_weights_are_the_least_squares_slope() -> None:
    """For any β over a chain the contrast equals NumPy's fitted slope."""
    random = np.random.default_rng(3)
    for length in (2, 3, 5, 8):
        beta = random.normal(size=length)
        weights = trend_weights(length)
        assert weights.sum() == pytest.approx(0, abs=1e-12)
        assert weights @ beta == pytest.approx(np.polyfit(np.arange(length), beta, 1)[0])
    assert trend_weights(3).tolist() == [-0.5, 0.0, 0.5]


def test_a_contrast_that_crosses_groups_does_not_exist() -> None:
    counts = [MatchupCounts("a", "b", 3, 4), MatchupCounts("x", "y", 5, 6)]
    fitted = estimate(from_counts(counts), "a")
    assert wald_test(fitted, np.array([1.0, 0, -1, 0])).estimate is None
    # Differences inside two groups may be added up.
    assert wald_test(fitted, np.array([1.0, -1, -1, 1])).se is not None


def test_contrasts_are_read_as_they_are_written() -> None:
    chain = parse_contrast("trained: p < lt0 < wb", PLAYERS)
    assert (chain.name, dict(chain.weights)) == ("trained", {"p": -0.5, "lt0": 0.0, "wb": 0.5})
    mean = parse_contrast("0.5*wa + 1/2*wb - lt1-uniform-T10-a0.7", PLAYERS)
    assert dict(mean.weights) == {"wa": 0.5, "wb": 0.5, "lt1-uniform-T10-a0.7": -1.0}
    assert dict(parse_contrast("- p + h", PLAYERS).weights) == {"p": -1.0, "h": 1.0}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("p < lto", "no player 'lto'"),
        ("wa + wb - p", "sum to 1"),
        ("p < lt0 < p", "twice"),
        ("p", "compares nothing"),
        ("p - p", "compares nothing"),
        ("name:", "empty"),
        ("p < ", "no player ''"),
        ("1/0*p - h", "divided by 0"),
    ],
)
def test_a_wrong_contrast_says_what_is_wrong(text: str, what: str) -> None:
    with pytest.raises(UserInputError, match=what):
        parse_contrast(text, PLAYERS)


def test_a_wrong_name_gets_the_nearest_right_one() -> None:
    with pytest.raises(UserInputError) as caught:
        parse_contrast("p < lt1-uniform-T10-a0.8", PLAYERS)
    assert "'lt1-uniform-T10-a0.7'" in str(caught.value)


def test_holm_by_hand() -> None:
    """Four tests: ×4, ×3, then the order must be kept."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, None, 0.8]) == [1.0, None, 1.0]
    assert holm([]) == []


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_agrees_with_its_definition(p_values: list[float]) -> None:
    """Adjusted: the largest of all smaller-or-equal p-values, each times how many are left."""
    ranked = sorted(p_values)
    stepped = [min(1.0, p * (len(ranked) - i)) for i, p in enumerate(ranked)]
    expected = [max(stepped[: ranked.index(p) + ranked.count(p)]) for p in p_values]
    assert holm(p_values) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_agrees_with_statsmodels(p_values: list[float]) -> None:
    expected = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(expected.tolist(), abs=1e-12)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=10), st.randoms(use_true_random=False))
def test_holm_does_not_depend_on_order(p_values: list[float], random: object) -> None:
    order = list(range(len(p_values)))
    random.shuffle(order)  # type: ignore[attr-defined]
    adjusted = holm(p_values)
    assert holm([p_values[i] for i in order]) == [adjusted[i] for i in order]


@pytest.mark.parametrize("wrong", [-0.1, 1.1, math.nan])
def test_holm_refuses_what_is_no_p_value(wrong: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, wrong])


def test_binomial_by_hand() -> None:
    """9 of 10: 2 · (1 + 10) / 2¹⁰."""
    assert equal_wins_p(9, 1) == pytest.approx(22 / 1024, rel=1e-12)
    assert equal_wins_p(5, 5) == 1.0
    assert equal_wins_p(0, 0) is None


@given(st.integers(0, 3000), st.integers(0, 3000))
@settings(deadline=None)
def test_binomial_agrees_with_scipy(wins: int, losses: int) -> None:
    ours = equal_wins_p(wins, losses)
    if wins + losses == 0:
        assert ours is None
    else:
        expected = binomtest(wins, wins + losses, 0.5).pvalue
        assert ours == pytest.approx(expected, rel=1e-9, abs=1e-300)
        assert ours == equal_wins_p(losses, wins)


def test_wilson_by_hand() -> None:
    """0 of 10: from 0 to z² / (10 + z²) = 0.2775."""
    low, high = wilson_interval(0, 10)
    assert low == 0.0
    assert high == pytest.approx(1.959964**2 / (10 + 1.959964**2), abs=1e-6)


@settings(deadline=None)
@given(st.integers(2, 100_000), st.integers(0, 200_000), st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_inverts_the_score_test(battles: int, halves: int, level: float) -> None:
    """At its limits the score test of the win rate has just the p-value that the level leaves."""
    points = min(halves, 2 * battles) / 2
    low, high = wilson_interval(points, battles, level)
    rate = points / battles
    z = norm.ppf(0.5 + level / 2)
    for limit, at_end in ((low, points == 0), (high, points == battles)):
        if not at_end:
            assert abs(rate - limit) == pytest.approx(
                z * math.sqrt(limit * (1 - limit) / battles), rel=1e-6, abs=1e-12
            )
    mirrored = wilson_interval(battles - points, battles, level)
    assert (low, high) == pytest.approx((1 - mirrored[1], 1 - mirrored[0]), abs=1e-10)
    assert 0 <= low <= rate <= high <= 1


@pytest.mark.parametrize("wrong", [(1, 0), (3, 2), (-1, 5), (math.nan, 5), (1, math.inf)])
def test_wilson_refuses_impossible_counts(wrong: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=r"impossible|finite"):
        wilson_interval(*wrong)


@given(st.floats(-8, 8))
def test_normal_tail_agrees_with_scipy(z: float) -> None:
    assert two_sided_p(z) == pytest.approx(2 * norm.sf(abs(z)), rel=1e-10)
