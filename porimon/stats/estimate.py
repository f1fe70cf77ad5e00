"""Bradley–Terry estimates of a whole tournament, also where only parts of it can be compared.

Players fall into groups inside which differences exist (``porimon.stats.existence``); each group
is fitted by itself, and nothing is claimed across groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from porimon.stats.battles import Comparisons, FloatArray, IntArray
from porimon.stats.bradley_terry import (
    clustered_covariance,
    information_covariance,
    maximum_likelihood,
)
from porimon.stats.existence import comparable_groups, connected_groups
from porimon.stats.firth import bias_reduced

Method = Literal["maximum likelihood", "firth"]
StandardErrors = Literal["information", "pairs"]

FEWEST_PAIRS = 30
"""Below so many pairs a clustered standard error is itself too uncertain to be used (our reading
of the advice in Cameron & Miller 2015, §VI, that 20 to 50 clusters are few)."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """Fitted strengths of ``k`` players.

    Attributes
    ----------
    players:
        The ``k`` names, sorted.
    beta:
        Shape ``(k,)``, log-odds. In the reference's group relative to the reference; in any other
        group relative to its alphabetically first player.
    covariance:
        Shape ``(k, k)``, of ``beta``; 0 across groups, where nothing may be compared.
    group:
        Shape ``(k,)``: players with equal labels can be compared.
    reference:
        The name of the player with β = 0.
    method, standard_errors:
        How ``beta`` and ``covariance`` were computed; ``None`` for ``standard_errors`` if no group
        has two players.
    too_few_pairs:
        Whether pairs were there but too few for clustered standard errors.
    """

    players: tuple[str, ...]
    beta: FloatArray
    covariance: FloatArray
    group: IntArray
    reference: str
    method: Method
    standard_errors: StandardErrors | None
    too_few_pairs: bool = False

    def estimable(self, weights: FloatArray) -> bool:
        """Whether a linear contrast of β exists: its weights sum to 0 inside every group."""
        sums = np.bincount(self.group, weights, minlength=1)
        return bool(np.abs(sums).max(initial=0.0) <= 1e-9 * max(1.0, float(np.abs(weights).max())))


def estimate(
    comparisons: Comparisons,
    reference: str,
    *,
    method: Method = "maximum likelihood",
    standard_errors: Literal["auto", "information", "pairs"] = "auto",
) -> Estimates:
    """Fit every group of comparable players.

    ``standard_errors="auto"`` takes clustered ones where battles were paired and there are at least
    ``FEWEST_PAIRS`` clusters, else those of the information matrix.
    """
    size = len(comparisons.players)
    finder = connected_groups if method == "firth" else comparable_groups
    group = finder(comparisons)
    beta, covariance = np.zeros(size), np.zeros((size, size))
    anchor = comparisons.index(reference)
    parts = [np.flatnonzero(group == label) for label in range(group.max(initial=-1) + 1)]
    parts = [members for members in parts if len(members) > 1]
    restricted = [comparisons.restrict(members.tolist()) for members in parts]
    wanted = standard_errors == "pairs" or (standard_errors == "auto" and comparisons.paired)
    enough = all(
        part.clusters is not None and len(part.clusters.matchup) >= FEWEST_PAIRS
        for part in restricted
    )
    clustered = wanted and enough
    for members, part in zip(parts, restricted, strict=True):
        base = int(np.flatnonzero(members == anchor)[0]) if anchor in members else 0
        design, battles, score = part.design(), part.battles, part.score_a
        fitter = bias_reduced if method == "firth" else maximum_likelihood
        found = fitter(design, battles, score, base)
        beta[members] = found
        if clustered and part.clusters is not None:
            block = clustered_covariance(design, battles, part.clusters, found, base)
        else:
            block = information_covariance(design, battles, found, base)
        covariance[np.ix_(members, members)] = block
    kind: StandardErrors | None = None
    if parts:
        kind = "pairs" if clustered else "information"
    return Estimates(
        players=comparisons.players,
        beta=beta,
        covariance=covariance,
        group=group,
        reference=reference,
        method=method,
        standard_errors=kind,
        too_few_pairs=wanted and not enough,
    )
