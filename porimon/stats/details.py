"""What an analysis shows beyond its tables: method, fit, pairs, sensitivity, stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from porimon.stats.analysis import DEFAULT_OPTIONS, Options, analyze_battles
from porimon.stats.battles import BattleRow, Comparisons, from_battles
from porimon.stats.estimate import estimate
from porimon.stats.fit import (
    GoodnessOfFit,
    Residual,
    Triad,
    goodness_of_fit,
    residuals,
    transitivity,
)
from porimon.stats.pairs import PairedRate, paired_rates, within_pair_correlation
from porimon.stats.results import Analysis, as_document
from porimon.stats.selection import standings
from porimon.stats.sensitivity import Variant, sensitivity
from porimon.stats.sequential import Decision, StoppingRule, decide, pair_shares

FAMILIES = {
    "pairwise": "Holm over all pairwise differences that exist",
    "contrasts": "Holm over the contrasts asked for",
    "matchups": "Holm over the exact binomial tests of all matchups",
}


@dataclass(frozen=True, slots=True)
class Details:
    """Everything beyond the tables of ``Analysis``.

    ``win_rates`` are average win rates over opponents, best first (what a stage selects by).
    ``pairs`` and ``early_stops`` hold matchups as "a against b". ``stages`` has one analysis per
    stage where there are several.
    """

    goodness_of_fit: GoodnessOfFit
    residuals: tuple[Residual, ...]
    triads: tuple[Triad, ...]
    win_rates: dict[str, float]
    pair_correlation: float | None
    pairs: dict[str, PairedRate]
    early_stops: dict[str, Decision]
    sensitivity: tuple[Variant, ...]
    stages: dict[str, Analysis]

    def document(self, analysis: Analysis) -> dict[str, object]:
        """As JSON, to stand beside the keys of ``Analysis.document``."""
        return {
            "models": {player.name: player.model for player in analysis.players},
            "method": analysis.method,
            "standard_errors": analysis.standard_errors,
            "families": dict(FAMILIES),
            "goodness_of_fit": as_document(self.goodness_of_fit),
            "residuals": as_document(self.residuals),
            "triads": as_document(self.triads),
            "win_rates": as_document(self.win_rates),
            "pair_correlation": self.pair_correlation,
            "pairs": as_document(self.pairs),
            "early_stops": as_document(self.early_stops),
            "sensitivity": [
                {
                    "name": variant.name,
                    "left_out": variant.left_out,
                    "analysis": variant.analysis.document() if variant.analysis else None,
                }
                for variant in self.sensitivity
            ],
            "stages": {name: stage.document() for name, stage in self.stages.items()},
        }


def details_of_comparisons(comparisons: Comparisons, analysis: Analysis) -> Details:
    """Details of counts, which know of no pairs, fallbacks or stages."""
    estimates = estimate(comparisons, analysis.reference, method=analysis.method)
    names = [
        f"{comparisons.players[a]} against {comparisons.players[b]}"
        for a, b in zip(comparisons.a, comparisons.b, strict=True)
    ]
    paired = paired_rates(comparisons) if comparisons.paired else []
    clusters = comparisons.clusters
    return Details(
        goodness_of_fit=goodness_of_fit(comparisons, estimates),
        residuals=tuple(residuals(comparisons, estimates)),
        triads=tuple(transitivity(comparisons)),
        win_rates={standing.player: standing.win_rate for standing in standings(comparisons)},
        pair_correlation=within_pair_correlation(clusters) if clusters is not None else None,
        pairs=dict(zip(names, paired, strict=False)),
        early_stops={},
        sensitivity=(),
        stages={},
    )


def details_of_battles(
    rows: Sequence[BattleRow], analysis: Analysis, options: Options = DEFAULT_OPTIONS
) -> Details:
    """Details of battle rows analysed with ``options``."""
    base = details_of_comparisons(from_battles(rows), analysis)
    fixed = replace(options, reference=analysis.reference)
    return replace(
        base,
        early_stops=_early_stops(rows),
        sensitivity=tuple(sensitivity(rows, fixed)),
        stages=by_stage(rows, options),
    )


def by_stage(rows: Sequence[BattleRow], options: Options = DEFAULT_OPTIONS) -> dict[str, Analysis]:
    """One analysis per stage, in the order of first appearance; empty if there is only one stage.

    A stage without the reference takes its own. Contrasts belong to the whole and are not repeated.
    """
    stages: dict[str, list[BattleRow]] = {}
    for row in rows:
        stages.setdefault(row.stage, []).append(row)
    if len(stages) < 2:
        return {}
    results = {}
    for stage, part in stages.items():
        comparisons = from_battles(part)
        if not comparisons.players:
            continue
        wanted = options.reference if options.reference in comparisons.players else None
        results[stage] = analyze_battles(part, replace(options, reference=wanted, contrasts=()))
    return results


def _early_stops(rows: Sequence[BattleRow]) -> dict[str, Decision]:
    """The always-valid judgement of each matchup that its rule stopped (level 0.05, no margin)."""
    matchups: dict[str, list[BattleRow]] = {}
    for row in rows:
        if row.stopped_early:
            matchups.setdefault(row.matchup_id, []).append(row)
    return {
        f"{part[0].player_a} against {part[0].player_b}": decide(pair_shares(part), StoppingRule())
        for part in matchups.values()
    }
