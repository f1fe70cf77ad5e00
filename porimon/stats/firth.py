"""Bias-reduced Bradley–Terry estimates, finite even where a player won or lost everything.

The likelihood is multiplied by the square root of the determinant of its information (Jeffreys'
prior). For two players it amounts to half a win more for each. Only differences inside a group
that is linked by matchups are defined, as without it.

Source: D. Firth (1993), "Bias reduction of maximum likelihood estimates", Biometrika 80, 27–38;
G. Heinze, M. Schemper (2002), Statistics in Medicine 21, 2409–2419 (separated data).
"""

from __future__ import annotations

import numpy as np

from porimon.errors import PorimonError
from porimon.stats.battles import FloatArray
from porimon.stats.bradley_terry import information, log_likelihood, win_probabilities

MAXIMUM_STEPS = 500
STEP_TOLERANCE = 1e-11


def bias_reduced(
    design: FloatArray, battles: FloatArray, score: FloatArray, reference: int
) -> FloatArray:
    """β at the maximum of Firth's penalised likelihood, shape (k,), ``beta[reference] == 0``.

    Arguments as for ``porimon.stats.bradley_terry.maximum_likelihood``; all players must be linked
    by matchups. Raises ``PorimonError`` if the steps do not settle (not seen in any data).
    """
    free = np.arange(design.shape[1]) != reference
    columns = design[:, free]
    beta = np.zeros(design.shape[1])
    if not free.any():
        return beta
    found = np.zeros(int(free.sum()))
    value = _penalised(columns, battles, score, found)
    for _ in range(MAXIMUM_STEPS):
        step = _step(columns, battles, score, found)
        # Halve a step that overshoots, as far as rounding lets the likelihood tell.
        for _ in range(40):
            trial = _penalised(columns, battles, score, found + step)
            if trial >= value - 1e-12 * abs(value):
                break
            step = step / 2.0
        found, value = found + step, trial
        if np.abs(step).max() < STEP_TOLERANCE:
            beta[free] = found
            return beta
    raise PorimonError(
        "the bias-reduced fit did not settle", remedy="report the counts that did it"
    )


def _penalised(
    columns: FloatArray, battles: FloatArray, score: FloatArray, beta: FloatArray
) -> float:
    _, log_determinant = np.linalg.slogdet(information(columns, battles, beta))
    return log_likelihood(columns, battles, score, beta) + 0.5 * float(log_determinant)


def _step(
    columns: FloatArray, battles: FloatArray, score: FloatArray, beta: FloatArray
) -> FloatArray:
    """A Newton step for Firth's score, in which a matchup of leverage h gains h/2 wins each way."""
    p = win_probabilities(columns, beta)
    inverse = np.linalg.inv(information(columns, battles, beta))
    leverage = battles * p * (1.0 - p) * np.einsum("mi,ij,mj->m", columns, inverse, columns)
    slope = columns.T @ (score + leverage / 2.0 - (battles + leverage) * p)
    step: FloatArray = inverse @ slope
    return step / max(1.0, float(np.abs(step).max()) / 2.0)
