"""Does the Bradley–Terry model fit: residuals per matchup, one test of the whole, transitivity.

The model says that β_a − β_c is the sum of β_a − β_b and β_b − β_c. Players
need not obey: each of three may beat the next in a circle (Porimon §III-D expects it).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from porimon.stats.battles import Comparisons, FloatArray, IntArray
from porimon.stats.bradley_terry import win_probabilities
from porimon.stats.estimate import FEWEST_PAIRS, Estimates
from porimon.stats.holm import holm
from porimon.stats.wald import two_sided_p


@dataclass(frozen=True, slots=True)
class Residual:
    """One matchup: observed and fitted points of ``a``, and their standardised difference.

    ``standardised`` is about standard normal if the model holds. ``None`` where the matchup alone
    fixes an estimate (it fits by necessity) or lies between groups that cannot be compared.
    """

    a: str
    b: str
    battles: int
    observed: float
    fitted: float | None
    standardised: float | None


@dataclass(frozen=True, slots=True)
class GoodnessOfFit:
    """The test that the model describes all matchups at once.

    ``statistic`` is then chi-squared with ``degrees`` of freedom. It and ``p`` are ``None`` where
    there are no more matchups than estimates.
    """

    statistic: float | None
    degrees: int
    p: float | None


@dataclass(frozen=True, slots=True)
class Triad:
    """Three players that all met.

    ``excess`` is logit p_ab + logit p_bc − logit p_ac, 0 under the model; ``p_holm`` corrects its
    test over all triads. ``cycle`` names the order in which each has a higher win rate than the
    next and the last than the first, ``None`` without a cycle; ``cycle_p`` is the evidence for it:
    the largest of the three one-sided p-values (an intersection–union test).
    """

    players: tuple[str, str, str]
    excess: float
    z: float
    p: float
    p_holm: float
    cycle: tuple[str, str, str] | None
    cycle_p: float | None


def points_variance(comparisons: Comparisons, probabilities: FloatArray) -> FloatArray:
    """Shape (m,): variance of a matchup's points, n p (1 − p) or, for paired battles, by pair.

    By pair: the sum of squared deviations of the pairs from their matchup's mean, times g/(g − 1).
    Matchups of fewer than 30 pairs, or whose pairs all went alike, keep n p (1 − p).
    """
    variance: FloatArray = comparisons.battles * probabilities * (1.0 - probabilities)
    clusters = comparisons.clusters
    if clusters is None or not comparisons.paired:
        return variance
    size = len(variance)
    rate = comparisons.score_a / comparisons.battles
    deviation = clusters.score - clusters.battles * rate[clusters.matchup]
    count = np.bincount(clusters.matchup, minlength=size).astype(np.float64)
    squares = np.bincount(clusters.matchup, deviation**2, minlength=size)
    usable = (count >= FEWEST_PAIRS) & (squares > 1e-12)
    corrected = squares * count / np.maximum(count - 1.0, 1.0)
    return np.where(usable, corrected, variance)


def residuals(comparisons: Comparisons, estimates: Estimates) -> list[Residual]:
    """Residuals in the order of ``comparisons``.

    Standardised by the variance of the residual itself, (I − H) V (I − H)', where H maps results
    to fitted values: the fit follows each matchup a little, so raw deviations are too small.
    """
    comparable = estimates.group[comparisons.a] == estimates.group[comparisons.b]
    fitted = comparisons.battles * win_probabilities(comparisons.design(), estimates.beta)
    spread = np.zeros(len(comparisons.a))
    if comparable.any():
        design, weights, variance = _linear_parts(comparisons, estimates, comparable)
        hat = (
            (weights[:, None] * design)
            @ np.linalg.pinv((design.T * weights) @ design, hermitian=True)
            @ design.T
        )
        rest = np.eye(len(weights)) - hat
        spread[comparable] = np.einsum("ij,j,ij->i", rest, variance, rest)
    results = []
    for m in range(len(comparisons.a)):
        known = bool(comparable[m])
        deviation = comparisons.score_a[m] - fitted[m]
        # A matchup that is a bridge of the graph is fitted exactly: nothing is left to judge.
        judged = known and spread[m] > 1e-6 * comparisons.battles[m] * 0.25
        results.append(
            Residual(
                a=comparisons.players[comparisons.a[m]],
                b=comparisons.players[comparisons.b[m]],
                battles=int(comparisons.battles[m]),
                observed=float(comparisons.score_a[m]),
                fitted=float(fitted[m]) if known else None,
                standardised=float(deviation / math.sqrt(spread[m])) if judged else None,
            )
        )
    return results


def goodness_of_fit(comparisons: Comparisons, estimates: Estimates) -> GoodnessOfFit:
    """Pearson's test of the model, made right for paired battles.

    With r the residuals, V the variances of the points and L a basis of the directions that the
    fit leaves free (L' W X = 0), the statistic is (L'r)' (L'VL)⁻¹ (L'r). For independent battles V
    is W and it is Pearson's Σ r² / (n p (1 − p)). Only matchups inside groups count.
    """
    comparable = estimates.group[comparisons.a] == estimates.group[comparisons.b]
    groups, sizes = np.unique(estimates.group, return_counts=True)
    degrees = int(comparable.sum() - (sizes.sum() - len(groups)))
    if degrees <= 0:
        return GoodnessOfFit(None, max(degrees, 0), None)
    from scipy.linalg import qr
    from scipy.special import chdtrc

    design, weights, variance = _linear_parts(comparisons, estimates, comparable)
    p = win_probabilities(design, estimates.beta)
    deviation = comparisons.score_a[comparable] - comparisons.battles[comparable] * p
    # Scaling the rows keeps the basis well conditioned where battles differ in number.
    scale = np.sqrt(weights)
    basis = qr(scale[:, None] * design, pivoting=True)[0]
    free = basis[:, len(weights) - degrees :] / scale[:, None]
    projected = free.T @ deviation
    middle = (free.T * variance) @ free
    statistic = float(projected @ np.linalg.solve(middle, projected))
    return GoodnessOfFit(statistic, degrees, float(chdtrc(degrees, statistic)))


def transitivity(comparisons: Comparisons, alpha: float = 0.05) -> list[Triad]:
    """The triads of players that all met whose ``excess`` is significant or that form a cycle.

    Half a point is added on each side of a matchup, so that a clean sweep has a finite logit. The
    family that Holm's correction covers is all triads. Sorted by ``p``, then by names.

    Source: M. G. Kendall, B. Babington Smith (1940), Biometrika 31, 324–345 (circular triads);
    R. L. Berger (1982), Technometrics 24, 295–300 (intersection–union tests).
    """
    rate = (comparisons.score_a + 0.5) / (comparisons.battles + 1.0)
    logit = np.log(rate / (1.0 - rate))
    slope = comparisons.battles * rate * (1.0 - rate)
    error = np.sqrt(points_variance(comparisons, rate)) / slope
    triples, used = _triples(comparisons)
    if len(triples) == 0:
        return []
    # Seen along the circle i → j → k → i, the third matchup is turned round.
    along = logit[used] * np.array([1.0, 1.0, -1.0])
    excess = along.sum(axis=1)
    z = excess / np.sqrt((error[used] ** 2).sum(axis=1))
    p = [two_sided_p(value) for value in z]
    adjusted = holm(p)
    weakest = (np.abs(along) / error[used]).min(axis=1)
    found = []
    for t, (i, j, k) in enumerate(triples.tolist()):
        p_holm = adjusted[t]
        assert p_holm is not None
        order: tuple[int, int, int] | None = None
        if (along[t] > 0).all():
            order = (i, j, k)
        elif (along[t] < 0).all():
            order = (i, k, j)
        if order is None and p_holm > alpha:
            continue
        found.append(
            Triad(
                players=_names(comparisons, (i, j, k)),
                excess=float(excess[t]),
                z=float(z[t]),
                p=p[t],
                p_holm=p_holm,
                cycle=None if order is None else _names(comparisons, order),
                cycle_p=None if order is None else two_sided_p(float(weakest[t])) / 2.0,
            )
        )
    return sorted(found, key=lambda triad: (triad.p, triad.players))


def _triples(comparisons: Comparisons) -> tuple[IntArray, IntArray]:
    """All i < j < k that met each other, shape (t, 3); and their matchups (ij, jk, ik)."""
    size = len(comparisons.players)
    meeting = np.full((size, size), -1, dtype=np.int64)
    meeting[comparisons.a, comparisons.b] = np.arange(len(comparisons.a))
    every = np.array(list(itertools.combinations(range(size), 3)), dtype=np.int64).reshape(-1, 3)
    i, j, k = every.T
    used = np.column_stack([meeting[i, j], meeting[j, k], meeting[i, k]])
    complete = (used >= 0).all(axis=1)
    return every[complete], used[complete]


def _linear_parts(
    comparisons: Comparisons, estimates: Estimates, comparable: np.ndarray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Design, binomial weights and variances of the matchups inside groups."""
    design = comparisons.design()[comparable]
    p = win_probabilities(comparisons.design(), estimates.beta)
    weights = (comparisons.battles * p * (1.0 - p))[comparable]
    return design, weights, points_variance(comparisons, p)[comparable]


def _names(comparisons: Comparisons, order: tuple[int, int, int]) -> tuple[str, str, str]:
    first, second, third = (comparisons.players[i] for i in order)
    return first, second, third
