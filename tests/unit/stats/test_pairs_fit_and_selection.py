"""Pairs of battles, goodness of fit and transitivity, and who wins a stage."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from porimon.errors import UserInputError
from porimon.stats.battles import BattleRow, MatchupCounts, from_battles, from_counts
from porimon.stats.estimate import estimate
from porimon.stats.fit import goodness_of_fit, residuals, transitivity
from porimon.stats.pairs import paired_rates, within_pair_correlation
from porimon.stats.selection import best, standings


def pairs_of(results: list[str], a: str = "h", b: str = "p") -> list[BattleRow]:
    """Rows from pairs such as "wl" (won, then lost) seen from ``a``; "t" is a tie."""
    winner = {"w": "a", "l": "b", "t": None}
    return [
        BattleRow("m", "s", a, b, winner[letter], pair)  # type: ignore[arg-type]
        for pair, letters in enumerate(results)
        for letter in letters
    ]


def test_split_pairs_have_correlation_minus_one() -> None:
    clusters = from_battles(pairs_of(["wl", "lw", "wl"])).clusters
    assert clusters is not None
    assert within_pair_correlation(clusters) == pytest.approx(-1)


def test_equal_pairs_have_correlation_one() -> None:
    clusters = from_battles(pairs_of(["ww", "ll"])).clusters
    assert clusters is not None
    assert within_pair_correlation(clusters) == pytest.approx(1)


def test_correlation_by_hand() -> None:
    """ww, ll and two splits: pair sums 2, 0, 1, 1 around 1; (2 − 2) / 2 → 0."""
    comparisons = from_battles(pairs_of(["ww", "ll", "wl", "lw"]))
    assert comparisons.clusters is not None
    assert within_pair_correlation(comparisons.clusters) == pytest.approx(0)
    (rate,) = paired_rates(comparisons)
    # Squared deviations of the sums are 1, 1, 0, 0; times 4/3; √(8/3) / 8 battles.
    assert rate.se == pytest.approx(math.sqrt(8 / 3) / 8)
    assert rate.win_rate == 0.5
    assert rate.pairs == 4


def test_pairs_that_all_went_alike_tell_no_error() -> None:
    (rate,) = paired_rates(from_battles(pairs_of(["wl"] * 20)))
    assert rate.se is None
    assert rate.p is None
    assert rate.low is None


def test_pairs_of_two_matchup_ids_are_not_mixed_up() -> None:
    rows = pairs_of(["ww", "ll"])
    again = [BattleRow("other", "s", "h", "p", row.winner, row.pair) for row in rows]
    clusters = from_battles([*rows, *again]).clusters
    assert clusters is not None
    assert clusters.battles.tolist() == [2, 2, 2, 2]


def test_negative_correlation_narrows_the_interval() -> None:
    (rate,) = paired_rates(from_battles(pairs_of(["wl"] * 60 + ["ww"] * 22 + ["ll"] * 18)))
    assert rate.correlation is not None
    assert rate.correlation < -0.15
    assert rate.design_effect == pytest.approx(1 + rate.correlation, abs=0.02)
    assert rate.low is not None
    assert rate.high is not None
    assert rate.high - rate.low < 2 * 1.96 * math.sqrt(0.25 / 200)


def test_unpaired_battles_have_no_correlation() -> None:
    rows = [BattleRow("m", "s", "h", "p", "a" if i % 3 else "b") for i in range(60)]
    (rate,) = paired_rates(from_battles(rows))
    assert rate.correlation is None
    assert rate.pairs == 0
    assert rate.design_effect == pytest.approx(60 / 59)


def test_goodness_of_fit_is_pearsons_for_independent_battles() -> None:
    counts = [
        MatchupCounts("a", "b", 60, 40),
        MatchupCounts("b", "c", 55, 45),
        MatchupCounts("a", "c", 52, 48),
        MatchupCounts("a", "d", 70, 30),
        MatchupCounts("b", "d", 51, 49),
    ]
    comparisons = from_counts(counts)
    fitted = estimate(comparisons, "a")
    p = 1 / (1 + np.exp(-comparisons.design() @ fitted.beta))
    pearson = float(
        (
            (comparisons.score_a - comparisons.battles * p) ** 2
            / (comparisons.battles * p * (1 - p))
        ).sum()
    )
    result = goodness_of_fit(comparisons, fitted)
    assert result.degrees == 2
    assert result.statistic == pytest.approx(pearson, rel=1e-8)
    # With one degree of freedom per residual direction the squared residuals bound the statistic.
    largest = max(abs(r.standardised or 0.0) for r in residuals(comparisons, fitted))
    assert largest**2 <= pearson + 1e-9


def test_a_perfect_circle_does_not_fit() -> None:
    """Rock, paper, scissors at 70 %: all strengths equal, and the misfit is plain."""
    counts = [
        MatchupCounts("a", "b", 70, 30),
        MatchupCounts("b", "c", 70, 30),
        MatchupCounts("c", "a", 70, 30),
    ]
    comparisons = from_counts(counts)
    result = goodness_of_fit(comparisons, estimate(comparisons, "a"))
    # Residuals of 20 on variance 25, three times: 3 · 400 / 25 = 48 on one degree of freedom.
    assert result.statistic == pytest.approx(48, rel=1e-6)
    assert result.degrees == 1
    (triad,) = transitivity(comparisons)
    assert triad.cycle == ("a", "b", "c")
    assert triad.p_holm < 1e-8
    assert triad.cycle_p is not None
    assert triad.cycle_p < 0.001


def test_transitive_results_show_no_triad() -> None:
    """60 %, 60 % and the 69.2 % that follows from them."""
    counts = [
        MatchupCounts("a", "b", 600, 400),
        MatchupCounts("b", "c", 600, 400),
        MatchupCounts("a", "c", 692, 308),
    ]
    assert transitivity(from_counts(counts)) == []


def test_a_bridge_leaves_nothing_to_judge() -> None:
    comparisons = from_counts([MatchupCounts("a", "b", 60, 40), MatchupCounts("b", "c", 55, 45)])
    fitted = estimate(comparisons, "a")
    assert [r.standardised for r in residuals(comparisons, fitted)] == [None, None]
    assert goodness_of_fit(comparisons, fitted).p is None


def test_the_best_average_win_rate_is_over_opponents() -> None:
    """a: 60 % and 50 %; b: 40 % and 80 %: b wins although a matchup of a has more battles."""
    counts = [
        MatchupCounts("a", "b", 600, 400),
        MatchupCounts("a", "c", 50, 50),
        MatchupCounts("b", "c", 80, 20),
    ]
    order = standings(from_counts(counts))
    assert [(s.player, s.win_rate) for s in order] == [
        ("b", pytest.approx(0.6)),
        ("a", pytest.approx(0.55)),
        ("c", pytest.approx(0.35)),
    ]


def test_equal_averages_go_to_the_head_to_head_winner() -> None:
    counts = [
        MatchupCounts("a", "b", 4, 6),
        MatchupCounts("a", "c", 8, 2),
        MatchupCounts("b", "c", 6, 4),
    ]
    assert best(from_counts(counts)) == "b"


def test_full_equality_goes_by_name_in_any_order() -> None:
    pairs = list(itertools.combinations("cab", 2))
    counts = [MatchupCounts(a, b, 5, 5) for a, b in pairs]
    for order in itertools.permutations(counts):
        assert best(from_counts(order)) == "a"


def test_nobody_is_selected_without_battles() -> None:
    with pytest.raises(UserInputError, match="no battle"):
        best(from_counts([]))
