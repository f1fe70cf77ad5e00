"""The Bradley–Terry model: maximum likelihood and its standard errors (Porimon §III-D).

Model: player i beats player j with probability 1 / (1 + exp(β_j − β_i)), one battle being
independent of another. Only differences of β are defined; one player is the reference, β = 0.
A tie counts as half a win for each (our reading; the games of the paper hardly ever tie).

All functions are pure and work on arrays: ``design`` is the (m, k) matrix of ±1 from
``Comparisons.design``, ``battles`` and ``score`` have shape (m,): battles of a matchup and the
points of its first player.

Source: R. A. Bradley, M. E. Terry (1952), Biometrika 39, 324–345; D. R. Hunter (2004), "MM
algorithms for generalized Bradley–Terry models", Annals of Statistics 32, 384–406.
"""

from __future__ import annotations

import numpy as np

from porimon.stats.battles import Clusters, FloatArray


def win_probabilities(design: FloatArray, beta: FloatArray) -> FloatArray:
    """Shape (m,): the probability that a matchup's first player wins a battle."""
    from scipy.special import expit

    probabilities: FloatArray = expit(design @ beta)
    return probabilities


def log_likelihood(
    design: FloatArray, battles: FloatArray, score: FloatArray, beta: FloatArray
) -> float:
    """Log-likelihood in nats, without the binomial coefficients (they do not depend on β)."""
    from scipy.special import log_expit

    logits = design @ beta
    return float(score @ log_expit(logits) + (battles - score) @ log_expit(-logits))


def information(design: FloatArray, battles: FloatArray, beta: FloatArray) -> FloatArray:
    """The (k, k) information matrix. Its rows sum to 0: only differences of β are defined."""
    p = win_probabilities(design, beta)
    matrix: FloatArray = (design.T * (battles * p * (1.0 - p))) @ design
    return matrix


def maximum_likelihood(
    design: FloatArray, battles: FloatArray, score: FloatArray, reference: int
) -> FloatArray:
    """β at the maximum of the likelihood, shape (k,), with ``beta[reference] == 0``.

    The maximum must exist (``porimon.stats.existence``). SciPy's trust-region Newton method finds
    it; the last Newton steps remove what its tolerance leaves, so that the result does not depend
    on the order of rows beyond rounding.
    """
    from scipy.optimize import minimize

    free = np.arange(design.shape[1]) != reference
    columns = design[:, free]
    beta = np.zeros(design.shape[1])
    if not free.any():
        return beta
    total = battles.sum()

    def negative(x: FloatArray) -> float:
        return float(-log_likelihood(columns, battles, score, x) / total)

    def gradient(x: FloatArray) -> FloatArray:
        excess = battles * win_probabilities(columns, x) - score
        return np.asarray(columns.T @ excess / total)

    def hessian(x: FloatArray) -> FloatArray:
        return np.asarray(information(columns, battles, x) / total)

    start = np.zeros(int(free.sum()))
    found: FloatArray = minimize(
        negative, start, jac=gradient, hess=hessian, method="trust-exact", options={"gtol": 1e-7}
    ).x
    for _ in range(3):
        found = found - np.linalg.solve(hessian(found), gradient(found))
    beta[free] = found
    return beta


def information_covariance(
    design: FloatArray, battles: FloatArray, beta: FloatArray, reference: int
) -> FloatArray:
    """The (k, k) covariance of β from the inverse information; 0 for the reference."""
    free = np.flatnonzero(np.arange(design.shape[1]) != reference)
    covariance = np.zeros((design.shape[1], design.shape[1]))
    inner = information(design, battles, beta)[np.ix_(free, free)]
    covariance[np.ix_(free, free)] = np.linalg.inv(inner)
    return covariance


def clustered_covariance(
    design: FloatArray, battles: FloatArray, clusters: Clusters, beta: FloatArray, reference: int
) -> FloatArray:
    """The (k, k) covariance of β that allows results inside a pair of battles to depend.

    The sandwich J⁻¹ M J⁻¹ · g / (g − 1) with J the information and M the sum over the g pairs of
    the outer product of a pair's score. Both battles of a pair belong to one matchup, so a pair's
    score is (its points − its battles · p) times the matchup's row of the design.

    Source: K.-Y. Liang, S. L. Zeger (1986), Biometrika 73, 13–22; A. C. Cameron, D. L. Miller
    (2015), Journal of Human Resources 50, 317–372 (the factor g / (g − 1)).
    """
    bread = information_covariance(design, battles, beta, reference)
    p = win_probabilities(design, beta)
    residual = clusters.score - clusters.battles * p[clusters.matchup]
    squares = np.bincount(clusters.matchup, residual**2, minlength=len(battles))
    count = len(clusters.matchup)
    meat = (design.T * squares) @ design * (count / (count - 1.0))
    covariance: FloatArray = bread @ meat @ bread
    return covariance
