"""The analysis of a tournament: from battles or counts to everything that is reported of them.

Three families of tests are corrected, each by itself: all pairwise differences, the contrasts asked
for, the exact tests of all matchups. It is our reading; docs/statistics.md compares it with the
paper's published p-values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from porimon.errors import UserInputError
from porimon.stats.battles import (
    BattleRow,
    Comparisons,
    MatchupCounts,
    from_battles,
    from_counts,
)
from porimon.stats.binomial import equal_wins_p
from porimon.stats.cards import NO_LANGUAGE_MODEL
from porimon.stats.contrasts import Contrast, known_player, parse_contrast
from porimon.stats.estimate import FEWEST_PAIRS, Estimates, estimate
from porimon.stats.existence import connected_groups, obstacles
from porimon.stats.holm import holm
from porimon.stats.results import (
    Analysis,
    ContrastResult,
    MatchupResult,
    PairwiseResult,
    PlayerResult,
)
from porimon.stats.tallies import Tallies, tally
from porimon.stats.wald import WaldTest, difference_test, wald_test
from porimon.stats.wilson import wilson_interval

DEFAULT_REFERENCE = "h"
"""The heuristic player (Porimon §III-D)."""

Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may choose in an analysis.

    ``reference``: the player with β = 0; ``None``: ``h`` if it plays, else the alphabetically
    first. ``contrasts``: texts as ``porimon.stats.contrasts`` reads them. ``firth``: bias-reduced
    estimates. ``standard_errors``: ``auto`` takes clustered ones where battles were paired.
    ``models``: what each player asked (``porimon.stats.cards.models_of``), for the tables only.
    """

    reference: str | None = None
    contrasts: tuple[str, ...] = ()
    firth: bool = False
    standard_errors: Literal["auto", "information", "pairs"] = "auto"
    models: Mapping[str, str] = field(default_factory=dict)


DEFAULT_OPTIONS = Options()


def analyze_battles(rows: Iterable[BattleRow], options: Options = DEFAULT_OPTIONS) -> Analysis:
    """Analyse battle rows. Raises ``UserInputError`` for a wrong option or without battles."""
    rows = list(rows)
    return analyze(from_battles(rows), options, tally(rows))


def analyze_counts(counts: Iterable[MatchupCounts], options: Options = DEFAULT_OPTIONS) -> Analysis:
    """Analyse counts; several entries for two players are added up. Raises as above."""
    counts = list(counts)
    comparisons = from_counts(counts)
    named = {name for row in counts for name in (row.player_a, row.player_b)}
    idle = sorted(named - set(comparisons.players))
    warnings = (f"no battles, left out: {', '.join(idle)}",) if idle else ()
    return analyze(comparisons, options, Tallies(warnings=warnings))


def analyze(
    comparisons: Comparisons, options: Options = DEFAULT_OPTIONS, tallies: Tallies | None = None
) -> Analysis:
    """Analyse comparisons; the two functions above prepare them."""
    tallies = tallies or Tallies()
    if not comparisons.players:
        raise UserInputError(
            "there are no battles to analyze", remedy="play some, or give counts above 0"
        )
    warnings = [*tallies.warnings, *_stand_ins(comparisons, options.models)]
    reference = _reference(comparisons, options, warnings)
    contrasts = [parse_contrast(text, comparisons.players) for text in options.contrasts]
    estimates = estimate(
        comparisons,
        reference,
        method="firth" if options.firth else "maximum likelihood",
        standard_errors=options.standard_errors,
    )
    warnings += _estimate_warnings(comparisons, estimates, options)
    pairwise = _pairwise(estimates)
    tested = _contrasts(estimates, contrasts)
    warnings += [
        f"the contrast {result.name!r} does not exist for these battles"
        for result in tested
        if result.estimate is None
    ]
    return Analysis(
        reference=reference,
        players=_players(comparisons, estimates, tallies, options.models),
        pairwise=pairwise,
        contrasts=tested,
        matchups=_matchups(comparisons, tallies.stopped),
        warnings=tuple(warnings),
        method=estimates.method,
        standard_errors=estimates.standard_errors,
    )


def _stand_ins(comparisons: Comparisons, models: Mapping[str, str]) -> list[str]:
    names: dict[str, list[str]] = {}
    for name in comparisons.players:
        if NO_LANGUAGE_MODEL in models.get(name, ""):
            names.setdefault(models[name], []).append(name)
    return [
        f"{', '.join(players)}: answered by the {label}, so nothing is learnt of a language model"
        for label, players in names.items()
    ]


def _reference(comparisons: Comparisons, options: Options, warnings: list[str]) -> str:
    players = comparisons.players
    if options.reference is not None:
        return known_player(options.reference, players, "the reference player")
    if DEFAULT_REFERENCE in players:
        return DEFAULT_REFERENCE
    warnings.append(
        f"{DEFAULT_REFERENCE!r} has no battles here: {players[0]!r} is the reference "
        "(choose another with --reference)"
    )
    return players[0]


def _estimate_warnings(
    comparisons: Comparisons, estimates: Estimates, options: Options
) -> list[str]:
    found = []
    reasons = obstacles(comparisons)
    if reasons:
        reached = estimates.group == estimates.group[comparisons.index(estimates.reference)]
        apart = [name for name, near in zip(comparisons.players, reached, strict=True) if not near]
        found += [
            f"no maximum-likelihood estimate exists for all players: {reason}" for reason in reasons
        ]
        if apart:
            found.append(
                f"no estimate relative to {estimates.reference!r} exists for: {', '.join(apart)}"
            )
        if options.firth:
            found.append("estimates are bias-reduced (Firth), finite also for clean sweeps")
        elif (connected_groups(comparisons) != estimates.group).any():
            found.append("--firth gives bias-reduced estimates wherever players are linked")
    if estimates.too_few_pairs:
        found.append(
            f"fewer than {FEWEST_PAIRS} pairs of battles: standard errors are those of "
            "independent battles"
        )
    size = len(comparisons.players)
    unknown = [
        f"{comparisons.players[i]} against {comparisons.players[j]}"
        for i in range(size)
        for j in range(i + 1, size)
        if (test := difference_test(estimates, i, j)).estimate is not None and test.se is None
    ]
    if unknown:
        found.append(
            "no standard error (every pair of battles went alike) for: " + "; ".join(unknown)
        )
    return found


def _players(
    comparisons: Comparisons,
    estimates: Estimates,
    tallies: Tallies,
    models: Mapping[str, str],
) -> tuple[PlayerResult, ...]:
    size = len(comparisons.players)
    wins = np.bincount(comparisons.a, comparisons.wins_a, size)
    wins += np.bincount(comparisons.b, comparisons.wins_b, size)
    losses = np.bincount(comparisons.a, comparisons.wins_b, size)
    losses += np.bincount(comparisons.b, comparisons.wins_a, size)
    ties = np.bincount(comparisons.a, comparisons.ties, size)
    ties += np.bincount(comparisons.b, comparisons.ties, size)
    anchor = comparisons.index(estimates.reference)
    results = []
    for i, name in enumerate(comparisons.players):
        battles, points = float(wins[i] + losses[i] + ties[i]), float(wins[i] + ties[i] / 2)
        low, high = wilson_interval(points, battles)
        beta: float | None
        se: float | None
        if i == anchor:
            beta, se = 0.0, 0.0
        else:
            test = difference_test(estimates, i, anchor)
            beta, se = test.estimate, test.se
        margin = None if beta is None or se is None else Z_95 * se
        own = tallies.players.get(name)
        results.append(
            PlayerResult(
                name=name,
                battles=int(battles),
                wins=int(wins[i]),
                losses=int(losses[i]),
                ties=int(ties[i]),
                win_rate=points / battles,
                wilson_low=low,
                wilson_high=high,
                beta=beta,
                se=se,
                ci_low=None if beta is None or margin is None else beta - margin,
                ci_high=None if beta is None or margin is None else beta + margin,
                fallback_rate=None if own is None else own.fallback_rate,
                forfeits=None if own is None else own.forfeits,
                model=models.get(name),
            )
        )
    return tuple(results)


def _pairwise(estimates: Estimates) -> tuple[PairwiseResult, ...]:
    size = len(estimates.players)
    places = [(i, j) for i in range(size) for j in range(i + 1, size)]
    tests = [difference_test(estimates, i, j) for i, j in places]
    adjusted = holm([test.p for test in tests])
    return tuple(
        PairwiseResult(
            estimates.players[i], estimates.players[j], test.estimate, test.se, test.z, test.p, p
        )
        for (i, j), test, p in zip(places, tests, adjusted, strict=True)
    )


def _contrasts(estimates: Estimates, contrasts: Sequence[Contrast]) -> tuple[ContrastResult, ...]:
    tests: list[WaldTest] = []
    for contrast in contrasts:
        weights = np.array([contrast.weights.get(name, 0.0) for name in estimates.players])
        tests.append(wald_test(estimates, weights))
    adjusted = holm([test.p for test in tests])
    return tuple(
        ContrastResult(
            contrast.name, dict(contrast.weights), test.estimate, test.se, test.z, test.p, p
        )
        for contrast, test, p in zip(contrasts, tests, adjusted, strict=True)
    )


def _matchups(
    comparisons: Comparisons, stopped: frozenset[tuple[str, str]]
) -> tuple[MatchupResult, ...]:
    names = [
        (comparisons.players[i], comparisons.players[j])
        for i, j in zip(comparisons.a, comparisons.b, strict=True)
    ]
    p_values = [
        None if pair in stopped else equal_wins_p(int(wins_a), int(wins_b))
        for pair, wins_a, wins_b in zip(names, comparisons.wins_a, comparisons.wins_b, strict=True)
    ]
    results = []
    for m, ((a, b), p, p_holm) in enumerate(zip(names, p_values, holm(p_values), strict=True)):
        points, battles = float(comparisons.score_a[m]), float(comparisons.battles[m])
        low, high = wilson_interval(points, battles)
        results.append(
            MatchupResult(
                a=a,
                b=b,
                wins_a=int(comparisons.wins_a[m]),
                wins_b=int(comparisons.wins_b[m]),
                ties=int(comparisons.ties[m]),
                win_rate_a=points / battles,
                wilson_low=low,
                wilson_high=high,
                binomial_p=p,
                binomial_p_holm=p_holm,
            )
        )
    return tuple(results)
