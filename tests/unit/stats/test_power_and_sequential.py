"""Battles and detectable differences; stopping early without losing control of error."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from porimon.stats.battles import BattleRow
from porimon.stats.power import (
    battles_needed,
    detectable_strength_difference,
    detectable_win_rate,
)
from porimon.stats.sequential import (
    StoppingRule,
    confidence_bounds,
    decide,
    log_capital,
    pair_shares,
)


def test_battles_for_three_points_by_hand() -> None:
    """((1.95996 · 0.5 + 0.84162 · √(0.53 · 0.47)) / 0.03)² = 2177.8."""
    assert battles_needed(0.03) == 2178


def test_the_promised_power_is_there_exactly() -> None:
    """The exact power of the score test with the computed battles is 80 % ± 1.5 points."""
    battles = battles_needed(0.05)
    wins = np.arange(battles + 1)
    rejected = np.abs(wins - battles / 2) / math.sqrt(battles / 4) >= 1.959964
    assert binom.pmf(wins, battles, 0.55)[rejected].sum() == pytest.approx(0.80, abs=0.015)


def test_pairs_need_fewer_battles() -> None:
    """A correlation of −0.33 leaves 0.67 of the battles, in whole pairs."""
    alone, paired = battles_needed(0.03), battles_needed(0.03, correlation=-0.33)
    assert paired == pytest.approx(0.67 * alone, abs=2)
    assert paired % 2 == 0


def test_more_tests_need_more_battles() -> None:
    assert battles_needed(0.05, tests=10) > 1.5 * battles_needed(0.05)


@given(st.floats(0.005, 0.45), st.floats(-0.5, 0.5), st.integers(1, 50))
def test_detectable_difference_is_the_inverse(
    difference: float, correlation: float, tests: int
) -> None:
    battles = battles_needed(difference, correlation=correlation, tests=tests)
    found = detectable_win_rate(battles, correlation=correlation, tests=tests)
    fewer = detectable_win_rate(max(battles - 2, 1), correlation=correlation, tests=tests)
    assert found is not None
    assert found <= difference + 1e-9
    assert fewer is None or fewer >= difference - 1e-9


def test_few_battles_detect_nothing() -> None:
    assert detectable_win_rate(3) is None
    assert detectable_win_rate(500) == pytest.approx(0.0625, abs=0.001)


@pytest.mark.parametrize("wrong", [0.0, 0.5, -0.1])
def test_an_impossible_difference_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="between 0 and"):
        battles_needed(wrong)


def test_detectable_strength_in_the_papers_comparison() -> None:
    """Five players, 500 battles per matchup: √(2 / 625) · (1.95996 + 0.84162) = 0.1585."""
    battles = dict.fromkeys(itertools.combinations("habcd", 2), 500)
    assert detectable_strength_difference(battles, "h", "c") == pytest.approx(0.15848, abs=1e-4)
    paired = detectable_strength_difference(battles, "h", "c", correlation=-0.33)
    assert paired == pytest.approx(0.15848 * math.sqrt(0.67), abs=1e-4)


def test_players_that_never_meet_detect_nothing() -> None:
    battles = {("a", "b"): 100, ("x", "y"): 100}
    assert detectable_strength_difference(battles, "a", "x") is None
    assert detectable_strength_difference(battles, "a", "z") is None
    # One matchup: variance 4/100 at equality.
    assert detectable_strength_difference(battles, "a", "b") == pytest.approx(0.560317, abs=1e-6)


def drawn_pairs(
    random: np.random.Generator, rate: float, correlation: float, pairs: int
) -> np.ndarray:
    """Shares of points of pairs with the given win rate and correlation."""
    q = rate * (1 - rate)
    chances = [
        (1 - rate) ** 2 + correlation * q,
        2 * q * (1 - correlation),
        rate**2 + correlation * q,
    ]
    return random.choice([0.0, 0.5, 1.0], size=pairs, p=chances)


@pytest.mark.parametrize("correlation", [0.0, -0.33])
def test_equal_players_are_rarely_told_apart(correlation: float) -> None:
    """Looked at after every one of 250 pairs, a difference is claimed in at most 5 % (600 runs).

    Looking as often with a fixed-sample test would claim one in more than 15 %."""
    random = np.random.default_rng(17)
    rule = StoppingRule(level=0.05)
    claimed = naive = 0
    for _ in range(600):
        shares = drawn_pairs(random, 0.5, correlation, 250)
        claimed += decide(shares, rule).state != "continue"
        sums = np.cumsum(shares - 0.5)[20:]
        spread = np.sqrt((1 + correlation) / 8 * np.arange(21, 251))
        naive += bool((np.abs(sums) > 1.96 * spread).any())
    assert claimed / 600 <= 0.05
    assert naive / 600 > 0.15


def test_a_real_difference_is_found_early() -> None:
    """At 60 % and 500 planned battles: found in nine of ten matchups, on average by half-way."""
    random = np.random.default_rng(4)
    found = [decide(drawn_pairs(random, 0.6, -0.2, 250), StoppingRule()) for _ in range(150)]
    right = [decision for decision in found if decision.state == "a_better"]
    assert len(right) / 150 > 0.9
    assert np.mean([decision.pairs for decision in right]) < 125
    assert not any(decision.state == "b_better" for decision in found)


def test_no_difference_is_rarely_claimed_at_the_margin() -> None:
    """At exactly ½ + margin "no difference" is claimed in at most 5 % of 200 runs; at ½ mostly."""
    random = np.random.default_rng(8)
    rule = StoppingRule(margin=0.08)
    states = [decide(drawn_pairs(random, 0.58, -0.3, 600), rule).state for _ in range(200)]
    assert states.count("no_difference") / 200 <= 0.05
    states = [decide(drawn_pairs(random, 0.5, -0.3, 600), rule).state for _ in range(40)]
    assert states.count("no_difference") > 32


def test_bounds_hold_at_all_times_at_once() -> None:
    """Looked at five times, the true rate leaves the bounds in at most 5 % of 200 runs."""
    random = np.random.default_rng(21)
    rule = StoppingRule(level=0.05)
    missed = 0
    for _ in range(200):
        shares = drawn_pairs(random, 0.6, -0.3, 250)
        bounds = [confidence_bounds(shares[:n], rule) for n in range(50, 251, 50)]
        missed += any(not low <= 0.6 <= high for low, high in bounds)
    assert missed / 200 <= 0.05


def test_capital_by_hand() -> None:
    """The capital is an average of products of 1 ± λ/2: a win then a loss gives the mean of
    (1 + λ/2)(1 − λ/2), below 1; split pairs leave it at 1."""
    after_both = log_capital(np.array([1.0, 0.0]), 0.05)[1]
    assert after_both < 0
    assert log_capital(np.full(50, 0.5), 0.05) == pytest.approx(np.zeros(50), abs=1e-12)
    # Before anything is known the capital cannot gain on average: mean over win and loss is 1.
    win, loss = (math.exp(log_capital(np.array([x]), 0.05)[0]) for x in (1.0, 0.0))
    assert (win + loss) / 2 == pytest.approx(1.0, abs=1e-12)


@example([0.0] * 3 + [0.25] * 6 + [0.5] * 6 + [0.75] * 3 + [1.0] * 4)
@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), max_size=120))
def test_mirrored_results_give_the_mirrored_decision(shares: list[float]) -> None:
    rule = StoppingRule(margin=0.2)
    one, other = decide(shares, rule), decide([1 - share for share in shares], rule)
    mirror = {"a_better": "b_better", "b_better": "a_better"}
    assert mirror.get(one.state, one.state) == other.state
    assert one.p == pytest.approx(other.p)
    assert one.low == pytest.approx(1 - other.high, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=150), st.integers(0, 149))
def test_a_decision_is_never_taken_back(shares: list[float], cut: int) -> None:
    """A longer beginning repeats the decision of a shorter one, to the pair."""
    rule = StoppingRule(margin=0.2)
    early, late = decide(shares[:cut], rule), decide(shares, rule)
    if early.state != "continue":
        assert late == early


def test_rule_for_a_family_divides_the_level() -> None:
    assert StoppingRule(0.05, margin=0.1).for_family(10) == StoppingRule(0.005, margin=0.1)


def test_nothing_is_decided_before_the_first_pair_or_the_minimum() -> None:
    assert decide([], StoppingRule()).state == "continue"
    assert decide([], StoppingRule()).p == 1.0
    assert decide([1.0] * 40, StoppingRule(minimum=60)).state == "continue"
    assert decide([1.0] * 60, StoppingRule(minimum=60)).state == "a_better"


def test_pairs_are_taken_in_planned_order_and_whole() -> None:
    """Pair 1 is complete, pair 0 too though it ended later; of pair 2 one battle is missing."""
    rows = [
        BattleRow("m", "s", "h", "p", "a", 2, 4),
        BattleRow("m", "s", "h", "p", "a", 1, 2),
        BattleRow("m", "s", "h", "p", "a", 1, 3),
        BattleRow("m", "s", "h", "p", "b", 0, 1),
        BattleRow("m", "s", "h", "p", None, 0, 0),
    ]
    assert pair_shares(rows).tolist() == [0.25, 1.0]
