"""The Bradley–Terry fit against hand work, two other programs, and published estimates."""

from __future__ import annotations

import math

import choix
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from porimon.stats.battles import BattleRow, Comparisons, MatchupCounts, from_battles, from_counts
from porimon.stats.bradley_terry import clustered_covariance, maximum_likelihood
from porimon.stats.estimate import estimate
from porimon.stats.existence import comparable_groups
from tests.unit.stats.published import BASEBALL, CITATIONS, Published


def strengths(counts: list[MatchupCounts], reference: str) -> dict[str, float]:
    """β by name."""
    fitted = estimate(from_counts(counts), reference)
    return dict(zip(fitted.players, fitted.beta.tolist(), strict=True))


def newton(comparisons: Comparisons, reference: int) -> np.ndarray:
    """The plainest Newton iteration, from 0, with the whole matrix and a pseudo-inverse."""
    beta = np.zeros(len(comparisons.players))
    for _ in range(60):
        gradient = np.zeros_like(beta)
        hessian = np.zeros((len(beta), len(beta)))
        for a, b, n, s in zip(
            comparisons.a, comparisons.b, comparisons.battles, comparisons.score_a, strict=True
        ):
            p = 1 / (1 + math.exp(beta[b] - beta[a]))
            gradient[a] += s - n * p
            gradient[b] -= s - n * p
            for i, j, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
                hessian[i, j] += sign * n * p * (1 - p)
        beta = beta + np.linalg.pinv(hessian) @ gradient
    return beta - beta[reference]


def test_two_players_have_the_logit_of_their_win_rate() -> None:
    """60 of 100: β = ln(60/40), and its variance is 1/60 + 1/40 (the log odds ratio's)."""
    fitted = estimate(from_counts([MatchupCounts("h", "p", 40, 60)]), "h")
    assert fitted.beta[1] == pytest.approx(math.log(1.5), abs=1e-12)
    assert fitted.covariance[1, 1] == pytest.approx(1 / 60 + 1 / 40, rel=1e-9)
    assert fitted.beta[0] == 0.0


def test_a_tie_is_half_a_win_for_each() -> None:
    """10 wins, 5 losses and 4 ties are 12 of 19 points: β = ln(12/7)."""
    assert strengths([MatchupCounts("h", "p", 5, 10, 4)], "h")["p"] == pytest.approx(
        math.log(12 / 7), abs=1e-12
    )


def test_a_chain_adds_its_logits() -> None:
    """Where a met b and b met c, each difference is its own matchup's logit, and they add."""
    found = strengths([MatchupCounts("a", "b", 3, 1), MatchupCounts("b", "c", 2, 1)], "c")
    assert found["b"] == pytest.approx(math.log(2), abs=1e-10)
    assert found["a"] == pytest.approx(math.log(6), abs=1e-10)


@pytest.mark.parametrize("published", [BASEBALL, CITATIONS], ids=lambda data: data.reference)
def test_published_estimates_are_reproduced(published: Published) -> None:
    """Estimates and standard errors equal the printed ones in every printed digit."""
    fitted = estimate(from_counts(published.counts), published.reference)
    digits = 4 if published is BASEBALL else 5
    for name, value in published.beta.items():
        place = fitted.players.index(name)
        assert round(fitted.beta[place], digits) == value, name
        assert round(math.sqrt(fitted.covariance[place, place]), digits) == published.se[name]


@st.composite
def connected_counts(draw: st.DrawFn) -> list[MatchupCounts]:
    """Round robins of up to six players in which everyone beat everyone at least once."""
    size = draw(st.integers(2, 6))
    wins = st.integers(1, 60)
    return [
        MatchupCounts(f"p{i}", f"p{j}", draw(wins), draw(wins), draw(st.integers(0, 5)))
        for i in range(size)
        for j in range(i)
    ]


@settings(max_examples=40, deadline=None)
@given(connected_counts())
def test_agrees_with_a_plain_newton_iteration(counts: list[MatchupCounts]) -> None:
    comparisons = from_counts(counts)
    fitted = estimate(comparisons, "p0")
    np.testing.assert_allclose(fitted.beta, newton(comparisons, 0), atol=1e-8)


@settings(max_examples=15, deadline=None)
@given(connected_counts())
def test_agrees_with_choix(counts: list[MatchupCounts]) -> None:
    """choix fits the same likelihood by a minorisation algorithm (ties need whole wins)."""
    data: list[tuple[int, int]] = []
    for row in counts:
        a, b = int(row.player_a[1:]), int(row.player_b[1:])
        # Doubling all counts leaves the maximum where it is and makes half wins whole.
        data += [(a, b)] * (2 * row.wins_a + row.ties) + [(b, a)] * (2 * row.wins_b + row.ties)
    players = len({name for row in counts for name in (row.player_a, row.player_b)})
    other = choix.ilsr_pairwise(players, data, tol=1e-10)
    np.testing.assert_allclose(
        estimate(from_counts(counts), "p0").beta, other - other[0], atol=1e-5
    )


@settings(max_examples=25, deadline=None)
@given(connected_counts(), st.randoms(use_true_random=False))
def test_order_and_orientation_of_rows_change_nothing(
    counts: list[MatchupCounts], random: object
) -> None:
    """Rows shuffled and turned round give the very same numbers, not merely close ones."""
    turned = [
        MatchupCounts(row.player_b, row.player_a, row.wins_b, row.wins_a, row.ties)
        if random.random() < 0.5  # type: ignore[attr-defined]
        else row
        for row in counts
    ]
    random.shuffle(turned)  # type: ignore[attr-defined]
    first, second = estimate(from_counts(counts), "p0"), estimate(from_counts(turned), "p0")
    assert first.beta.tolist() == second.beta.tolist()
    assert first.covariance.tolist() == second.covariance.tolist()


@settings(max_examples=25, deadline=None)
@given(connected_counts())
def test_other_names_give_the_same_strengths(counts: list[MatchupCounts]) -> None:
    """Renaming players (which changes their order) changes nothing but rounding."""
    players = sorted({name for row in counts for name in (row.player_a, row.player_b)})
    renamed = {name: f"x{len(players) - i}" for i, name in enumerate(players)}
    other = strengths(
        [
            MatchupCounts(renamed[r.player_a], renamed[r.player_b], r.wins_a, r.wins_b, r.ties)
            for r in counts
        ],
        renamed["p0"],
    )
    for name, value in strengths(counts, "p0").items():
        assert other[renamed[name]] == pytest.approx(value, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(connected_counts())
def test_swapping_all_wins_and_losses_mirrors_the_strengths(counts: list[MatchupCounts]) -> None:
    mirrored = [MatchupCounts(r.player_a, r.player_b, r.wins_b, r.wins_a, r.ties) for r in counts]
    first, second = strengths(counts, "p0"), strengths(mirrored, "p0")
    for name in first:
        assert first[name] == pytest.approx(-second[name], abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 30))
def test_adding_wins_both_ways_draws_two_players_together(
    wins: int, losses: int, both: int
) -> None:
    before = strengths([MatchupCounts("a", "b", wins, losses)], "b")["a"]
    after = strengths([MatchupCounts("a", "b", wins + both, losses + both)], "b")["a"]
    assert abs(after) <= abs(before) + 1e-12
    assert (after > 0) == (wins > losses) or wins == losses


@settings(max_examples=25, deadline=None)
@given(connected_counts(), st.integers(1, 20))
def test_a_win_more_never_weakens_its_player(counts: list[MatchupCounts], more: int) -> None:
    row = counts[0]
    better = [
        MatchupCounts(row.player_a, row.player_b, row.wins_a + more, row.wins_b, row.ties),
        *counts[1:],
    ]
    before, after = strengths(counts, row.player_b), strengths(better, row.player_b)
    assert after[row.player_a] > before[row.player_a]


def paired_rows(seed: int = 5) -> list[BattleRow]:
    """Four players, 40 pairs per matchup, each pair's results leaning apart."""
    random = np.random.default_rng(seed)
    rows = []
    names = ["h", "p", "q", "r"]
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            for pair in range(40):
                teams = random.normal()
                for side in (1, -1):
                    won = random.random() < 1 / (1 + math.exp(0.4 - side * teams))
                    rows.append(BattleRow(f"{a}-{b}", "s", a, b, "a" if won else "b", pair))
    return rows


def test_clustered_errors_agree_with_statsmodels() -> None:
    """statsmodels' sandwich over the single battles, whose factor for parameters is taken out."""
    rows = paired_rows()
    comparisons = from_battles(rows)
    fitted = estimate(comparisons, "h")
    assert fitted.standard_errors == "pairs"
    design = np.zeros((len(rows), 4))
    for i, row in enumerate(rows):
        design[i, comparisons.index(row.player_a)] = 1
        design[i, comparisons.index(row.player_b)] = -1
    groups = np.unique([f"{row.matchup_id}/{row.pair}" for row in rows], return_inverse=True)[1]
    wins = np.array([row.winner == "a" for row in rows], dtype=float)
    model = sm.GLM(wins, design[:, 1:], family=sm.families.Binomial())
    other = model.fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
    pairs = len(set(groups))
    np.testing.assert_allclose(fitted.beta[1:], other.params, atol=1e-8)
    np.testing.assert_allclose(
        fitted.covariance[1:, 1:], other.cov_params() * pairs / (pairs - 1), rtol=1e-6
    )


def test_pairs_of_one_battle_give_the_sandwich_of_single_battles() -> None:
    """Every battle its own cluster: for two players the sandwich is p(1−p)/n · n/(n−1) in β."""
    rows = [BattleRow("m", "s", "h", "p", "a" if i < 30 else "b") for i in range(100)]
    comparisons = from_battles(rows)
    assert comparisons.clusters is not None
    design, battles = comparisons.design(), comparisons.battles
    beta = maximum_likelihood(design, battles, comparisons.score_a, 0)
    covariance = clustered_covariance(design, battles, comparisons.clusters, beta, 0)
    assert covariance[1, 1] == pytest.approx((1 / 30 + 1 / 70) * 100 / 99, rel=1e-9)


def test_too_few_pairs_fall_back_to_independent_errors() -> None:
    rows = [row for row in paired_rows() if row.matchup_id == "h-p"][:40]
    fitted = estimate(from_battles(rows), "h")
    assert fitted.standard_errors == "information"
    assert fitted.too_few_pairs


def test_a_large_tournament_is_fitted_to_the_last_digit() -> None:
    """A million battles: the score equations hold to rounding."""
    random = np.random.default_rng(1)
    counts = [
        MatchupCounts(f"p{i:02}", f"p{j:02}", int(w := random.integers(1, 3000)), 3000 - int(w))
        for i in range(26)
        for j in range(i)
    ]
    comparisons = from_counts(counts)
    assert comparable_groups(comparisons).max() == 0
    fitted = estimate(comparisons, "p00")
    design = comparisons.design()
    p = 1 / (1 + np.exp(-design @ fitted.beta))
    score = design.T @ (comparisons.score_a - comparisons.battles * p)
    assert np.abs(score).max() < 1e-6
