"""Simulated tournaments whose truth is known: given strengths and a given correlation in pairs."""

from __future__ import annotations

import itertools

import numpy as np

from porimon.stats.battles import Clusters, Comparisons


def paired_tournament(
    random: np.random.Generator, strengths: np.ndarray, pairs: int, correlation: float
) -> Comparisons:
    """A round robin in pairs of battles with exactly the model's win rates.

    The two results of a pair are drawn together: P(both won) = p² + ρ p (1 − p), and so on, so that
    each has probability p and their correlation is ρ.
    """
    size = len(strengths)
    matchups = np.array(list(itertools.combinations(range(size), 2)))
    a, b = matchups[:, 0], matchups[:, 1]
    p = 1 / (1 + np.exp(strengths[b] - strengths[a]))
    both = p * p + correlation * p * (1 - p)
    neither = (1 - p) ** 2 + correlation * p * (1 - p)
    assert (both >= 0).all()
    assert (neither >= 0).all()
    drawn = random.random((len(a), pairs))
    score = np.where(drawn < both[:, None], 2.0, np.where(drawn > 1 - neither[:, None], 0.0, 1.0))
    wins = score.sum(axis=1).astype(np.int64)
    return Comparisons(
        players=tuple(f"p{i}" for i in range(size)),
        a=a,
        b=b,
        wins_a=wins,
        wins_b=2 * pairs - wins,
        ties=np.zeros_like(wins),
        clusters=Clusters(
            matchup=np.repeat(np.arange(len(a)), pairs),
            battles=np.full(len(a) * pairs, 2.0),
            score=score.ravel(),
            squares=score.ravel(),
        ),
    )
