"""Benchmark `stats`: a full analysis of the paper's 15,000 battles, and of a million as counts.

A full analysis is what `porimon analyze` computes: everything in its JSON document and the details
(fit, pairs, sensitivity, one analysis per stage). Imports are made before the clock starts.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import numpy as np

from porimon.bench.result import BenchResult, Figure, figure
from porimon.stats.battles import BattleRow, MatchupCounts, from_counts

_SEED = 20260
_GOAL_MS = 1000.0


def run(quick: bool = False) -> BenchResult:
    """Measure; ``quick`` takes fewer repetitions and a tenth of the battles."""
    from porimon.stats.analysis import analyze_battles, analyze_counts
    from porimon.stats.details import details_of_battles, details_of_comparisons

    share = 0.1 if quick else 1.0
    repetitions = 3 if quick else 9
    rows = simulated_battles(matchup_players(), battles=int(500 * share))
    counts = simulated_counts(players=12, battles=int(1_000_000 * share))

    def of_battles() -> None:
        details_of_battles(rows, analyze_battles(rows))

    def of_counts() -> None:
        details_of_comparisons(from_counts(counts), analyze_counts(counts))

    played = sum(row.wins_a + row.wins_b + row.ties for row in counts)
    processor: dict[str, float] = {}
    figures = [
        _timed(f"{len(rows):,} battles in pairs, 30 matchups", of_battles, repetitions, processor),
        _timed(f"{played:,} battles as counts, 12 players", of_counts, repetitions, processor),
    ]
    for players in (3, 10) if quick else (3, 10, 30):
        many = simulated_counts(players=players, battles=int(100_000 * share))

        def of_many(many: list[MatchupCounts] = many) -> None:
            details_of_comparisons(from_counts(many), analyze_counts(many))

        figures.append(
            _timed(f"growth: {players} players, as counts", of_many, repetitions, processor)
        )
    return BenchResult(
        name="stats",
        figures=tuple(figures),
        notes=("simulated results with known strengths; imports excluded",),
        details={"seed": _SEED, "quick": quick, "least_processor_ms": processor},
    )


def matchup_players() -> list[tuple[str, str, str]]:
    """Thirty matchups in stages as the paper has them: (stage, player, player)."""
    found: list[tuple[str, str, str]] = []
    for line in ("uniform", "weighted"):
        names = [f"lt1-{line}-a{alpha}" for alpha in (0.3, 0.5, 0.7)]
        found += [("alpha", *pair) for pair in itertools.combinations(names, 2)]
    for line in ("lt1-uniform", "lt1-weighted", "p"):
        names = [f"{line}-T{turns}" for turns in (1, 5, 10)]
        found += [("turns", *pair) for pair in itertools.combinations(names, 2)]
    comparison = ["h", "p-T10", "lt0", "wa", "wb"]
    found += [("comparison", *pair) for pair in itertools.combinations(comparison, 2)]
    found += [("ablation", "lt0v", "p-T10"), ("ablation", "lt0", "lt0v")]
    return found + [
        ("additional", *pair) for pair in itertools.combinations(["lt0", "lt0v", "lt0w"], 2)
    ]


def simulated_battles(
    matchups: list[tuple[str, str, str]], battles: int, seed: int = _SEED
) -> list[BattleRow]:
    """Battles in pairs whose results depend through the strength of the drawn teams."""
    generator = np.random.default_rng(seed)
    names = sorted({name for _, a, b in matchups for name in (a, b)})
    strength = dict(zip(names, generator.normal(0.0, 0.3, len(names)), strict=True))
    rows = []
    for stage, a, b in matchups:
        teams = np.repeat(generator.normal(0.0, 1.0, battles // 2), 2) * np.tile(
            [1.0, -1.0], battles // 2
        )
        chance = 1.0 / (1.0 + np.exp(-(strength[a] - strength[b] + teams)))
        won = generator.random(len(teams)) < chance
        fallbacks = generator.random((len(teams), 2)) < 0.03
        rows += [
            BattleRow(
                matchup_id=f"{stage}/{a}/{b}",
                stage=stage,
                player_a=a,
                player_b=b,
                winner="a" if won[i] else "b",
                pair=i // 2,
                index=i,
                fallbacks_a=int(fallbacks[i, 0]),
                fallbacks_b=int(fallbacks[i, 1]),
                decisions_a=25,
                decisions_b=25,
                forfeit=i % 200 == 0,
            )
            for i in range(len(teams))
        ]
    return rows


def simulated_counts(players: int, battles: int, seed: int = _SEED) -> list[MatchupCounts]:
    """About ``battles`` battles of a round robin, as counts."""
    generator = np.random.default_rng(seed)
    strength = generator.normal(0.0, 0.5, players)
    pairs = list(itertools.combinations(range(players), 2))
    each = battles // len(pairs)
    rows = []
    for a, b in pairs:
        wins = int(generator.binomial(each, 1.0 / (1.0 + np.exp(strength[b] - strength[a]))))
        rows.append(MatchupCounts(f"player-{a:02}", f"player-{b:02}", wins, each - wins, 0))
    return rows


def _timed(
    name: str, work: Callable[[], None], repetitions: int, processor: dict[str, float]
) -> Figure:
    """Wall times of ``work``; its least processor time goes into ``processor``."""
    work()
    values, used = [], []
    for _ in range(repetitions):
        start, start_used = time.perf_counter(), time.process_time()
        work()
        values.append((time.perf_counter() - start) * 1000.0)
        used.append((time.process_time() - start_used) * 1000.0)
    processor[name] = min(used)
    measured = figure(name, "ms", values)
    return figure(name, "ms", values, "under 1,000 ms", measured.median < _GOAL_MS)
