"""Wald tests on differences and linear contrasts of Bradley–Terry strengths (Porimon §III-D).

A contrast is Σ c_i β_i with Σ c_i = 0; its standard error is √(c' V c), z their quotient, and the
p-value two-sided from the normal distribution.

Source: A. Wald (1943), Transactions of the AMS 54, 426–482; A. Agresti (2013), "Categorical Data
Analysis", 3rd ed., §11.6 (Bradley–Terry) and §1.3.3 (Wald tests).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from porimon.stats.battles import FloatArray
from porimon.stats.estimate import Estimates


@dataclass(frozen=True, slots=True)
class WaldTest:
    """One test. Everything is ``None`` where the contrast does not exist; ``se``, ``z`` and ``p``
    where its standard error is not known to be above 0."""

    estimate: float | None
    se: float | None
    z: float | None
    p: float | None


ABSENT = WaldTest(None, None, None, None)


def wald_test(estimates: Estimates, weights: FloatArray) -> WaldTest:
    """Test Σ c_i β_i = 0. ``weights`` has shape (k,), in the order of ``estimates.players``."""
    if not np.isfinite(weights).all():
        raise ValueError(f"weights are not finite: {weights.tolist()}")
    if not weights.any() or not estimates.estimable(weights):
        return ABSENT
    value = float(weights @ estimates.beta)
    variance = float(weights @ estimates.covariance @ weights)
    if not variance > 1e-18:
        return WaldTest(value, None, None, None)
    se = math.sqrt(variance)
    return WaldTest(value, se, value / se, two_sided_p(value / se))


def difference_test(estimates: Estimates, a: int, b: int) -> WaldTest:
    """Test β_a − β_b = 0 for two positions in ``estimates.players``."""
    weights = np.zeros(len(estimates.players))
    weights[a], weights[b] = 1.0, -1.0
    return wald_test(estimates, weights)


def two_sided_p(z: float) -> float:
    """P(|Z| ≥ |z|) for a standard normal Z."""
    from scipy.special import ndtr

    return 2.0 * float(ndtr(-abs(z)))


def trend_weights(length: int) -> FloatArray:
    """Weights of the contrast that asks for a monotone trend over a chain, shape (length,).

    With centred positions t_i = i − (length + 1) / 2, c_i = t_i / Σ t². The contrast is then the
    least-squares slope of β over the chain: log-odds gained per step. It is the linear contrast of
    orthogonal polynomials, which has power against any monotone order. A significant slope says
    that strength rises over the chain as a whole, not that every step rises.

    The paper names no weights; these are our reading. Source: R. P. Abelson, J. W. Tukey (1963),
    Annals of Mathematical Statistics 34, 1347–1369 (contrasts against monotone alternatives).
    """
    if length < 2:
        raise ValueError(f"a chain has at least two players, not {length}")
    centred = np.arange(length) - (length - 1) / 2.0
    weights: FloatArray = centred / (centred @ centred)
    return weights
