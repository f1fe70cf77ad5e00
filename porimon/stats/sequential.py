"""Stopping a matchup early without losing control of error: an always-valid test by betting.

A gambler starts with 1 and bets on each pair of battles that a's share of its points is not ½. If
players are equal, no strategy gains on average, so the capital ever reaches 1/α with probability
at most α (Ville's inequality), however often one looks and whenever one stops. A matchup may stop
once the capital reaches 1/α (a difference is shown), or once two others do that are bet against
"a's rate is at least ½ + margin" and "at most ½ − margin" (no difference that matters: two
one-sided tests). Battles of one pair may depend in any way, since a pair is one observation.

The strategy is a mixture of constant bets λ: the capital against the hypothesis "the mean is m" is
the average over λ of Π (1 + λ (x_i − m)), x_i in [0, 1] being a's share of pair i.

Source: I. Waudby-Smith, A. Ramdas (2024), "Estimating means of bounded random variables by
betting", Journal of the Royal Statistical Society B 86, 1–27; J. Ville (1939), "Étude critique de
la notion de collectif"; A. Wald (1945) for sequential tests as such.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from porimon.stats.battles import BattleRow, FloatArray

State = Literal["continue", "a_better", "b_better", "no_difference"]

_BETS = 61
_MEANS = 201
_LARGEST = 0.98
"""The share of the capital that a bet may risk on one pair: below 1, so that nobody goes broke."""


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """When a matchup may stop.

    ``level`` is the probability of ever claiming a difference between equal players; divide it by
    the number of matchups to control the family-wise error over all of them (``for_family``).
    ``margin`` is the half width around ½ inside which a difference does not matter; ``None`` never
    stops for want of a difference. ``expected`` is the difference in win rate at which the bets
    aim: it changes how soon a decision comes, never the error. ``minimum`` pairs are always played.
    """

    level: float = 0.05
    margin: float | None = None
    expected: float = 0.1
    minimum: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise ValueError(f"a level lies between 0 and 1: {self.level}")
        if self.margin is not None and not 0 < self.margin < 0.5:
            raise ValueError(f"a margin lies between 0 and 0.5: {self.margin}")
        if not 0 < self.expected < 0.5:
            raise ValueError(f"an expected difference lies between 0 and 0.5: {self.expected}")

    def for_family(self, matchups: int) -> StoppingRule:
        """The rule for each of ``matchups`` matchups, the error being held over all of them."""
        return StoppingRule(self.level / matchups, self.margin, self.expected, self.minimum)


@dataclass(frozen=True, slots=True)
class Decision:
    """What the pairs so far allow.

    ``pairs`` is how many pairs the decision rests on: all that were given, or, once it has fallen,
    those after which it fell first. ``p`` is valid at any time: 1 over the largest capital, at most
    1. ``low`` and ``high`` bound the mean share of points at confidence 1 − level, at any time.
    """

    state: State
    pairs: int
    p: float
    low: float
    high: float


def decide(shares: Sequence[float] | FloatArray, rule: StoppingRule) -> Decision:
    """Judge a matchup from its pairs so far, in the order in which they were planned.

    ``shares`` holds a's share of the points of each pair: 0, ¼, ½, ¾ or 1 (or of single battles: 0,
    ½ or 1). The answer for a longer beginning never takes back one that has fallen, so it does not
    matter after which pairs one looks. Raises ``ValueError`` for a value outside [0, 1].
    """
    x = np.asarray(shares, dtype=np.float64)
    if not ((x >= 0) & (x <= 1)).all():
        raise ValueError("shares of points lie between 0 and 1")
    limit = -math.log(rule.level)
    capital = np.maximum.accumulate(log_capital(x, rule.expected))
    different = capital >= limit
    same = np.zeros(len(x), dtype=np.bool_)
    if rule.margin is not None:
        above = log_capital(x, rule.margin, mean=0.5 - rule.margin, side=1)
        below = log_capital(x, rule.margin, mean=0.5 + rule.margin, side=-1)
        same = np.maximum.accumulate(np.minimum(above, below)) >= limit
    fallen = (different | same) & (np.arange(1, len(x) + 1) >= rule.minimum)
    first = int(np.argmax(fallen)) + 1 if fallen.any() else len(x)
    state: State = "continue"
    if fallen.any():
        if different[first - 1]:
            state = "a_better" if x[:first].mean() > 0.5 else "b_better"
        else:
            state = "no_difference"
    p = math.exp(-max(0.0, float(capital[first - 1]))) if first else 1.0
    low, high = confidence_bounds(x[:first], rule)
    return Decision(state, first, p, low, high)


def log_capital(
    shares: FloatArray, expected: float, mean: float = 0.5, side: Literal[-1, 0, 1] = 0
) -> FloatArray:
    """Log of the capital after each pair against "the mean is ``mean``", shape (pairs,).

    ``side`` 1 bets only that the mean is larger (then the hypothesis is "at most ``mean``"), −1
    only that it is smaller, 0 on both.
    """
    from scipy.special import logsumexp

    bets, weights = _bets(expected, side)
    limited = np.clip(bets, -_LARGEST / (1.0 - mean), _LARGEST / mean)
    gains = np.cumsum(np.log1p(limited[:, None] * (shares[None, :] - mean)), axis=1)
    capital: FloatArray = logsumexp(gains, axis=0, b=weights[:, None])
    return capital


def confidence_bounds(shares: FloatArray, rule: StoppingRule) -> tuple[float, float]:
    """Bounds of the mean that hold at all times at once with probability 1 − level.

    The means whose capital is now below 1 / level, on a grid and widened by its step.
    """
    from scipy.special import logsumexp

    values, counts = np.unique(shares, return_counts=True)
    bets, weights = _bets(rule.expected)
    step = 1.0 / _MEANS
    means = (np.arange(_MEANS) + 0.5) * step
    limited = np.clip(bets[:, None], -_LARGEST / (1.0 - means), _LARGEST / means)
    factors = np.log1p(limited[:, :, None] * (values[None, None, :] - means[None, :, None]))
    gains = factors @ counts.astype(np.float64)
    capital = logsumexp(gains, axis=0, b=weights[:, None])
    possible = means[capital < -math.log(rule.level)]
    if len(possible) == 0:
        centre = float(shares.mean())
        return max(0.0, centre - step), min(1.0, centre + step)
    return max(0.0, float(possible[0]) - step), min(1.0, float(possible[-1]) + step)


def pair_shares(rows: Iterable[BattleRow]) -> FloatArray:
    """a's share of the points of each pair of one matchup, in planned order.

    Pairs of which only one battle is known yet are left out: which one ends first could depend on
    its result. Rows without a pair count alone.
    """
    pairs: dict[tuple[int, int], list[float]] = {}
    for number, row in enumerate(rows):
        points = 0.5 if row.winner is None else float(row.winner == "a")
        place = row.index if row.index is not None else number
        key = (1, row.pair) if row.pair is not None else (0, place)
        pairs.setdefault(key, []).append(points)
    complete = [
        sum(points) / len(points)
        for (kind, _), points in sorted(pairs.items())
        if kind == 0 or len(points) > 1
    ]
    return np.array(complete, dtype=np.float64)


def _bets(expected: float, side: Literal[-1, 0, 1] = 0) -> tuple[FloatArray, FloatArray]:
    """Bets λ in (−2, 2) and their weights: normal, with a deviation that suits ``expected``.

    The best constant bet on a mean of ½ + d is about d over the variance of an observation: 4 d for
    single battles, 8 d / (1 + correlation) for pairs. A caller limits the bets further, so that
    every factor 1 + λ (x − m) stays positive; limits that only depend on m do no harm.
    """
    # Mirrored by construction: a middle that is not quite 0 would count for one side only.
    half = np.linspace(0.0, 2.0 * _LARGEST, _BETS // 2 + 1)
    bets = np.concatenate([-half[:0:-1], half])
    weights = np.exp(-0.5 * (bets / max(8.0 * expected, 0.1)) ** 2)
    if side:
        bets, weights = bets[bets * side > 0], weights[bets * side > 0]
    return bets, weights / weights.sum()
