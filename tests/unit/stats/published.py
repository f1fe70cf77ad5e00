"""Published data sets with known Bradley–Terry estimates, and a helper to turn tables into counts.

The figures are facts from the literature; estimates are those that the cited sources print.
"""

from __future__ import annotations

from dataclasses import dataclass

from porimon.stats.battles import MatchupCounts


@dataclass(frozen=True)
class Published:
    """A data set: counts, reference, and the estimates with standard errors that were printed."""

    source: str
    counts: tuple[MatchupCounts, ...]
    reference: str
    beta: dict[str, float]
    se: dict[str, float]


def counts_of(names: list[str], wins: list[list[int]]) -> tuple[MatchupCounts, ...]:
    """Counts from a square table in which row i, column j says how often i beat j."""
    return tuple(
        MatchupCounts(names[i], names[j], wins[i][j], wins[j][i])
        for i in range(len(names))
        for j in range(i)
    )


BASEBALL = Published(
    source="American League East 1987: A. Agresti, Categorical Data Analysis, 2nd ed. (2002), "
    "table 10.10; estimates also in H. Turner, D. Firth (2012), Journal of Statistical Software 48",
    counts=counts_of(
        ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"],
        [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ],
    ),
    reference="Baltimore",
    beta={
        "Boston": 1.1077,
        "Cleveland": 0.6839,
        "Detroit": 1.4364,
        "Milwaukee": 1.5814,
        "New York": 1.2476,
        "Toronto": 1.2945,
    },
    se={
        "Boston": 0.3339,
        "Cleveland": 0.3319,
        "Detroit": 0.3396,
        "Milwaukee": 0.3433,
        "New York": 0.3359,
        "Toronto": 0.3367,
    },
)

CITATIONS = Published(
    source="Citations between statistics journals: S. M. Stigler (1994), Statistical Science 9, "
    "94–108; estimates in H. Turner, D. Firth (2012), Journal of Statistical Software 48, §2",
    counts=counts_of(
        ["Biometrika", "Comm Statist", "JASA", "JRSS-B"],
        [
            [714, 730, 498, 221],
            [33, 425, 68, 17],
            [320, 813, 1072, 142],
            [284, 276, 325, 188],
        ],
    ),
    reference="Biometrika",
    beta={"Comm Statist": -2.94907, "JASA": -0.47957, "JRSS-B": 0.26895},
    se={"Comm Statist": 0.10255, "JASA": 0.06059, "JRSS-B": 0.07083},
)
