"""Wilson's score interval for a win rate (Porimon §III-D), good also near 0 and 1.

Source: E. B. Wilson (1927), "Probable inference, the law of succession, and statistical
inference", JASA 22, 209–212.
"""

from __future__ import annotations

import math


def wilson_interval(points: float, battles: float, level: float = 0.95) -> tuple[float, float]:
    """Lower and upper limit of the win rate ``points / battles`` at a confidence ``level``.

    ``points`` may hold halves: a tie is half a win (then the interval is a little too wide, since
    ties vary the win rate less than wins do). Battles are taken as independent; for pairs see
    ``porimon.stats.pairs``, which calls this with the effective number of battles. Raises
    ``ValueError`` without battles or for impossible points.
    """
    if not (math.isfinite(points) and math.isfinite(battles)):
        raise ValueError(f"not finite: {points} of {battles}")
    if battles <= 0 or not 0 <= points <= battles:
        raise ValueError(f"impossible: {points} points in {battles} battles")
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1: {level}")
    # Not at the top: it costs a third of a second, which few commands need to spend.
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(points, battles, alpha=1.0 - level, method="wilson")
    # At 0 and 1 the limits are exact; rounding must not push them past the ends.
    low = 0.0 if points == 0 else max(0.0, float(low))
    high = 1.0 if points == battles else min(1.0, float(high))
    return low, high
