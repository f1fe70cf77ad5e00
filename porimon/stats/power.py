"""How many battles a difference needs, and what difference a number of battles can show.

Normal approximations of two-sided tests. ``correlation`` is that of the two results of a pair
(negative where teams matter; measured −0.33 between equal players): a win rate from pairs has
1 + correlation times the variance of independent battles.

Source: J. L. Fleiss, B. Levin, M. C. Paik (2003), "Statistical Methods for Rates and Proportions",
3rd ed., §2.5 (one sample); L. Kish (1965), "Survey Sampling", §8.2 (design effect).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

POWER = 0.80
LEVEL = 0.05


def battles_needed(
    difference: float,
    *,
    power: float = POWER,
    level: float = LEVEL,
    tests: int = 1,
    correlation: float = 0.0,
) -> int:
    """Battles of one matchup that show a win rate of ½ + ``difference`` with probability ``power``.

    ``tests`` divides ``level`` (Bonferroni; Holm's first step, so a bound for the whole family).
    Rounded up, with pairs to whole pairs. Raises ``ValueError`` outside 0 < difference < ½.
    """
    if not 0 < difference < 0.5:
        raise ValueError(f"a difference in win rate lies between 0 and 0.5: {difference}")
    reject, detect = _quantiles(power, level, tests)
    rate = 0.5 + difference
    effect = _design_effect(correlation)
    root = reject * 0.5 + detect * math.sqrt(rate * (1 - rate))
    needed = math.ceil(effect * (root / difference) ** 2 - 1e-9)
    return needed + needed % 2 if correlation else needed


def detectable_win_rate(
    battles: float,
    *,
    power: float = POWER,
    level: float = LEVEL,
    tests: int = 1,
    correlation: float = 0.0,
) -> float | None:
    """The smallest d such that ``battles`` show a win rate of ½ + d with probability ``power``.

    ``None`` where even a player that wins everything would not be told apart so reliably.
    """
    if battles <= 0:
        raise ValueError(f"battles are 1 or more: {battles}")
    reject, detect = _quantiles(power, level, tests)
    effect = _design_effect(correlation)

    def surplus(d: float) -> float:
        rate = 0.5 + d
        shown = d * math.sqrt(battles / effect)
        return shown - reject * 0.5 - detect * math.sqrt(max(rate * (1 - rate), 0.0))

    if surplus(0.5) <= 0:
        return None
    from scipy.optimize import brentq

    return float(brentq(surplus, 0.0, 0.5, xtol=1e-12))


def detectable_strength_difference(
    battles: Mapping[tuple[str, str], int],
    a: str,
    b: str,
    *,
    power: float = POWER,
    level: float = LEVEL,
    tests: int = 1,
    correlation: float = 0.0,
) -> float | None:
    """The smallest β_a − β_b that a Wald test on these battles shows with probability ``power``.

    ``battles`` maps pairs of players to planned battles. Information is taken where all players are
    equal (p = ½), where it is largest. ``None`` where no chain of matchups links the two. In log
    odds: near equality a win rate of ½ + d is a difference of about 4 d.
    """
    names = sorted({name for pair in battles for name in pair})
    if a not in names or b not in names or a == b:
        return None
    position = {name: i for i, name in enumerate(names)}
    laplacian = np.zeros((len(names), len(names)))
    for (one, other), count in battles.items():
        i, j = position[one], position[other]
        weight = 0.25 * count
        laplacian[i, i] += weight
        laplacian[j, j] += weight
        laplacian[i, j] -= weight
        laplacian[j, i] -= weight
    contrast = np.zeros(len(names))
    contrast[position[a]], contrast[position[b]] = 1.0, -1.0
    solved = np.linalg.pinv(laplacian, hermitian=True) @ contrast
    if np.abs(laplacian @ solved - contrast).max() > 1e-8:
        return None
    reject, detect = _quantiles(power, level, tests)
    variance = _design_effect(correlation) * float(contrast @ solved)
    return (reject + detect) * math.sqrt(variance)


def _quantiles(power: float, level: float, tests: int) -> tuple[float, float]:
    if not 0 < level < 1 or not 0.5 <= power < 1 or tests < 1:
        raise ValueError(f"impossible: power {power}, level {level}, {tests} tests")
    from scipy.special import ndtri

    return float(ndtri(1 - level / tests / 2)), float(ndtri(power))


def _design_effect(correlation: float) -> float:
    if not -1 < correlation <= 1:
        raise ValueError(f"a correlation lies above -1 and at most at 1: {correlation}")
    return 1.0 + correlation
