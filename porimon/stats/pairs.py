"""Battles in pairs: how their results depend, and win rates that take it into account.

The two battles of a pair share teams and dice with sides swapped. A strong team wins for one
player and then for the other, so results inside a pair tend to be opposite and a win rate is
known better than from as many independent battles. All figures here are of one matchup, seen from
its first player; the clustered ones are valid for any dependence inside a pair.

Source: L. Kish (1965), "Survey Sampling", §5 and §8 (clusters, design effect); E. L. Korn,
B. I. Graubard (1998), Survey Methodology 24, 193–201 (intervals from an effective sample size).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from porimon.stats.battles import Clusters, Comparisons, FloatArray
from porimon.stats.wald import two_sided_p
from porimon.stats.wilson import wilson_interval


@dataclass(frozen=True, slots=True)
class PairedRate:
    """A matchup's win rate analysed by pair.

    ``correlation`` is that of the two results of a pair; ``design_effect`` the variance of the win
    rate over that of independent battles (1 + correlation if all battles are paired). ``z`` and
    ``p`` test a win rate of one half. ``None`` marks what the data cannot tell (one pair, or no
    variation between pairs).
    """

    pairs: int
    correlation: float | None
    win_rate: float
    se: float | None
    design_effect: float | None
    low: float | None
    high: float | None
    z: float | None
    p: float | None


def within_pair_correlation(clusters: Clusters) -> float | None:
    """Correlation of the two results of a pair, all complete pairs of ``clusters`` together.

    Deviations are taken from each matchup's own win rate. ``None`` without complete pairs or
    without variation.
    """
    complete = clusters.battles == 2
    if not complete.any():
        return None
    matchup, score = clusters.matchup[complete], clusters.score[complete]
    squares = clusters.squares[complete]
    count = np.bincount(matchup)
    mean = np.bincount(matchup, score) / np.maximum(2 * count, 1)
    # Σ (y1 − m)(y2 − m) = ½ [(y1 + y2 − 2m)² − (y1 − m)² − (y2 − m)²], summed over the pairs.
    joint = float(((score - 2 * mean[matchup]) ** 2).sum())
    own = float((squares - 2 * mean[matchup] * score + 2 * mean[matchup] ** 2).sum())
    return (joint - own) / own if own > 1e-12 else None


def rate_standard_error(battles: FloatArray, score: FloatArray) -> float | None:
    """Standard error of Σ score / Σ battles over independent pairs; arrays of shape (pairs,).

    ``None`` for fewer than two pairs or where all pairs went alike.
    """
    count = len(battles)
    if count < 2:
        return None
    rate = score.sum() / battles.sum()
    variance = float(((score - battles * rate) ** 2).sum()) * count / (count - 1.0)
    return math.sqrt(variance) / float(battles.sum()) if variance > 1e-12 else None


def paired_rates(comparisons: Comparisons, level: float = 0.95) -> list[PairedRate]:
    """The paired analysis of every matchup, in the order of ``comparisons``; empty for counts.

    The interval is Wilson's with the number of independent battles that would give the same
    standard error.
    """
    clusters = comparisons.clusters
    if clusters is None:
        return []
    results = []
    for number in range(len(comparisons.a)):
        of = clusters.matchup == number
        part = Clusters(
            np.zeros(int(of.sum()), dtype=np.int64),
            clusters.battles[of],
            clusters.score[of],
            clusters.squares[of],
        )
        total, points = float(part.battles.sum()), float(part.score.sum())
        rate = points / total
        se = rate_standard_error(part.battles, part.score)
        effect = low = high = z = p = None
        spread = float(part.squares.sum()) / total - rate * rate
        if se is not None and spread > 0:
            effect = se * se / (spread / total)
            effective = min(rate * (1 - rate) / (se * se), 1e12)
            low, high = wilson_interval(rate * effective, effective, level)
            z = (rate - 0.5) / se
            p = two_sided_p(z)
        results.append(
            PairedRate(
                pairs=int((part.battles > 1).sum()),
                correlation=within_pair_correlation(part),
                win_rate=rate,
                se=se,
                design_effect=effect,
                low=low,
                high=high,
                z=z,
                p=p,
            )
        )
    return results
