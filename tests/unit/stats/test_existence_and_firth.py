"""Where no maximum exists it is said, players are named, and bias reduction is finite."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from porimon.stats.analysis import Options, analyze_counts
from porimon.stats.battles import MatchupCounts, from_counts
from porimon.stats.bradley_terry import information, log_likelihood, maximum_likelihood
from porimon.stats.estimate import estimate
from porimon.stats.existence import comparable_groups, connected_groups, obstacles
from porimon.stats.firth import bias_reduced


def test_a_maximum_exists_where_everyone_can_be_reached() -> None:
    """A circle of single wins is the smallest tournament with a maximum."""
    circle = [MatchupCounts("a", "b", 1, 0), MatchupCounts("b", "c", 1, 0)]
    closed = from_counts([*circle, MatchupCounts("c", "a", 1, 0)])
    assert obstacles(closed) == []
    assert comparable_groups(closed).tolist() == [0, 0, 0]
    np.testing.assert_allclose(estimate(closed, "a").beta, 0.0, atol=1e-9)
    assert comparable_groups(from_counts(circle)).tolist() == [0, 1, 2]


def test_a_player_that_won_everything_is_named() -> None:
    counts = [
        MatchupCounts("h", "best", 0, 20),
        MatchupCounts("p", "best", 0, 10),
        MatchupCounts("h", "p", 6, 4),
    ]
    assert obstacles(from_counts(counts)) == [
        "best won all 30 battles",
        "h, p lost all 30 battles against everyone else",
    ]


def test_a_tie_is_enough_for_a_maximum() -> None:
    """Half a point for the loser makes the estimate finite: 9.5 of 10 points."""
    fitted = estimate(from_counts([MatchupCounts("h", "p", 0, 9, 1)]), "h")
    assert fitted.beta[1] == pytest.approx(math.log(19), abs=1e-9)


def test_groups_that_never_met_are_named() -> None:
    counts = [MatchupCounts("a", "b", 3, 4), MatchupCounts("x", "y", 5, 6)]
    found = obstacles(from_counts(counts))
    assert len(found) == 1
    assert "a, b | x, y" in found[0]
    assert connected_groups(from_counts(counts)).tolist() == [0, 0, 1, 1]


def test_a_group_in_between_is_named() -> None:
    """Middle players beat the weak and lose to the strong, always: three groups in a row."""
    counts = [
        MatchupCounts("s", "m", 5, 0),
        MatchupCounts("m", "w", 5, 0),
        MatchupCounts("m", "n", 2, 3),
    ]
    found = obstacles(from_counts(counts))
    assert any(sentence.startswith("m, n won or lost every battle") for sentence in found)


def test_analysis_gives_null_and_a_warning_never_a_huge_number() -> None:
    """Differences inside a group stay; whatever crosses to the undefeated player is absent."""
    counts = [
        MatchupCounts("h", "best", 0, 20),
        MatchupCounts("p", "best", 0, 20),
        MatchupCounts("h", "p", 8, 12),
    ]
    analysis = analyze_counts(counts)
    by_name = {player.name: player for player in analysis.players}
    assert by_name["best"].beta is None
    assert by_name["best"].se is None
    assert by_name["best"].ci_high is None
    assert by_name["p"].beta == pytest.approx(math.log(1.5), abs=1e-9)
    absent = [row for row in analysis.pairwise if "best" in (row.a, row.b)]
    assert [(row.beta_diff, row.se, row.p, row.p_holm) for row in absent] == [(None,) * 4] * 2
    # Holm counts only tests that exist: here one, so nothing is multiplied.
    present = next(row for row in analysis.pairwise if (row.a, row.b) == ("h", "p"))
    assert present.p_holm == present.p
    assert any("best won all 40 battles" in warning for warning in analysis.warnings)
    assert any("--firth" in warning for warning in analysis.warnings)


def test_firth_for_two_players_adds_half_a_win_each() -> None:
    """The known closed form: 3 of 3 is estimated as 3.5 : 0.5."""
    comparisons = from_counts([MatchupCounts("a", "b", 3, 0)])
    beta = bias_reduced(comparisons.design(), comparisons.battles, comparisons.score_a, 1)
    assert beta[0] == pytest.approx(math.log(7), abs=1e-9)


def test_firth_maximises_the_penalised_likelihood() -> None:
    """No nearby point has a larger l(β) + ½ ln det I(β), written out here anew."""
    counts = [
        MatchupCounts("a", "b", 7, 0),
        MatchupCounts("b", "c", 5, 2),
        MatchupCounts("a", "c", 6, 0),
    ]
    comparisons = from_counts(counts)
    design = comparisons.design()[:, 1:]

    def value(beta: np.ndarray) -> float:
        inner = information(design, comparisons.battles, beta)
        likelihood = log_likelihood(design, comparisons.battles, comparisons.score_a, beta)
        return likelihood + 0.5 * math.log(np.linalg.det(inner))

    found = bias_reduced(comparisons.design(), comparisons.battles, comparisons.score_a, 0)[1:]
    random = np.random.default_rng(0)
    for scale in (1e-3, 0.1, 2.0):
        for _ in range(50):
            assert value(found + random.normal(0, scale, 2)) < value(found)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=3).filter(
        lambda rows: all(a + b > 0 for a, b in rows)
    )
)
def test_firth_is_finite_for_any_results(rows: list[tuple[int, int]]) -> None:
    """Any three-player tournament, clean sweeps included, and mirroring it changes the signs."""
    pairs = [("a", "b"), ("b", "c"), ("a", "c")]
    counts = [MatchupCounts(*pair, *row) for pair, row in zip(pairs, rows, strict=True)]
    mirrored = [MatchupCounts(*pair, *row[::-1]) for pair, row in zip(pairs, rows, strict=True)]
    first = estimate(from_counts(counts), "a", method="firth").beta
    second = estimate(from_counts(mirrored), "a", method="firth").beta
    assert np.isfinite(first).all()
    assert np.abs(first).max() < 12
    np.testing.assert_allclose(first, -second, atol=1e-7)


def test_firth_approaches_maximum_likelihood_with_many_battles() -> None:
    comparisons = from_counts(
        [MatchupCounts("a", "b", 52_000, 48_000), MatchupCounts("b", "c", 61_000, 39_000)]
    )
    arguments = (comparisons.design(), comparisons.battles, comparisons.score_a, 0)
    np.testing.assert_allclose(bias_reduced(*arguments), maximum_likelihood(*arguments), atol=1e-4)


def test_firth_reduces_bias() -> None:
    """Over all outcomes of 12 battles at p = 0.8, weighted by probability, Firth's mean β is nearer
    the truth than that of the estimates that exist."""
    truth = math.log(4)
    chance = [math.comb(12, w) * 0.8**w * 0.2 ** (12 - w) for w in range(13)]
    firth, likelihood, mass = 0.0, 0.0, 0.0
    for wins in range(13):
        comparisons = from_counts([MatchupCounts("a", "b", wins, 12 - wins)])
        arguments = (comparisons.design(), comparisons.battles, comparisons.score_a, 1)
        firth += chance[wins] * bias_reduced(*arguments)[0]
        if 0 < wins < 12:
            likelihood += chance[wins] * math.log(wins / (12 - wins))
            mass += chance[wins]
    assert abs(firth - truth) < 0.02
    assert abs(firth - truth) < abs(likelihood / mass - truth)


def test_firth_cannot_compare_players_that_never_met() -> None:
    counts = [MatchupCounts("h", "b", 3, 0), MatchupCounts("x", "y", 5, 6)]
    analysis = analyze_counts(counts, Options(firth=True))
    found = {(row.a, row.b): row.beta_diff for row in analysis.pairwise}
    assert found["b", "h"] == pytest.approx(-math.log(7), abs=1e-9)
    assert found["h", "x"] is None
    assert not any("--firth gives" in warning for warning in analysis.warnings)


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore:Perfect separation")
def test_statsmodels_agrees_on_what_separation_is() -> None:
    """The groups' verdict and statsmodels' own: a fit by GLM runs away exactly where we refuse."""
    sweep = from_counts([MatchupCounts("a", "b", 9, 0), MatchupCounts("b", "c", 5, 4)])
    design = sweep.design()[:, 1:]
    outcome = np.column_stack([sweep.score_a, sweep.battles - sweep.score_a])
    runaway = sm.GLM(outcome, design, family=sm.families.Binomial()).fit(maxiter=30)
    assert np.abs(runaway.params).max() > 15
    assert comparable_groups(sweep).tolist() == [0, 1, 1]
