"""What each player's battles took: cost, tokens, latency, fallbacks, forfeits."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from porimon.stats.tables import Column, Table
from porimon.tournament.record.read import PlayerTotals, RunReader
from porimon.tournament.record.totals import player_totals


@dataclass(frozen=True, slots=True)
class PlayerUsage:
    """One player's use over all its recorded battles.

    What concerns a language model is ``None`` for a player that asks none, as is every sum of which
    a part is not known. Costs are in US dollars, latencies in seconds per answered call.
    """

    player: str
    model: str | None
    battles: int
    decisions: int
    fallbacks: int
    fallback_reasons: dict[str, int]
    refused: int | None
    forfeits: int
    calls: int | None
    input_tokens: int | None
    cached_input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    cost_per_battle: float | None
    tokens_per_battle: float | None
    latency_median: float | None
    latency_p95: float | None

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def player_usage(reader: RunReader, models: Mapping[str, str]) -> list[PlayerUsage]:
    """The use of every player of a run, sorted by name."""
    labels = {matchup.matchup_id: matchup.labels for matchup in reader.matchups()}
    battles: Counter[str] = Counter()
    forfeits: Counter[str] = Counter()
    for battle in reader.battles():
        players = labels[battle.matchup_id]
        battles.update(set(players.values()))
        if battle.end_reason == "forfeit" and battle.winner is not None:
            forfeits[players["b" if battle.winner == "a" else "a"]] += 1
    return [
        _usage(totals, models.get(totals.label), battles[totals.label], forfeits[totals.label])
        for totals in player_totals(reader)
    ]


def _usage(totals: PlayerTotals, model: str | None, battles: int, forfeits: int) -> PlayerUsage:
    asks = model is not None or totals.calls > 0
    tokens = (
        totals.input_tokens + totals.output_tokens
        if asks and totals.input_tokens is not None and totals.output_tokens is not None
        else None
    )
    cost = totals.cost if asks else None
    return PlayerUsage(
        player=totals.label,
        model=model,
        battles=battles,
        decisions=totals.decisions,
        fallbacks=totals.fallbacks,
        fallback_reasons=totals.fallback_reasons,
        refused=totals.refused if asks else None,
        forfeits=forfeits,
        calls=totals.calls if asks else None,
        input_tokens=totals.input_tokens if asks else None,
        cached_input_tokens=totals.cached_input_tokens if asks else None,
        output_tokens=totals.output_tokens if asks else None,
        cost=cost,
        cost_per_battle=None if cost is None or not battles else cost / battles,
        tokens_per_battle=None if tokens is None or not battles else tokens / battles,
        latency_median=_quantile(totals.latency_seconds, 0.5),
        latency_p95=_quantile(totals.latency_seconds, 0.95),
    )


def _quantile(values: Sequence[float], share: float) -> float | None:
    """The quantile of latencies, linearly between the two nearest; ``None`` without any."""
    if len(values) < 2:
        return values[0] if values else None
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]


def usage_table(usage: Sequence[PlayerUsage]) -> Table:
    """The use of all players as a table."""
    keys = (
        *("player", "model", "battles", "decisions", "fallbacks", "fallback_reasons", "refused"),
        *("forfeits", "calls", "input_tokens", "cached_input_tokens", "output_tokens", "cost"),
        *("cost_per_battle", "tokens_per_battle", "latency_median", "latency_p95"),
    )
    return Table(
        "usage",
        "What each player's battles took, over all recorded battles. Costs in US dollars, latency "
        "of one answered call in seconds; a dash where a figure is not known or does not apply",
        keys,
        tuple(
            tuple(
                _reasons(each.fallback_reasons) if key == "fallback_reasons" else getattr(each, key)
                for key in keys
            )
            for each in usage
        ),
        (
            Column("player", ("player",), str, numeric=False),
            Column("model", ("model",), str, numeric=False),
            Column("battles", ("battles",), _count),
            Column("decisions", ("decisions",), _count),
            Column("fallbacks", ("fallbacks", "fallback_reasons"), _fallbacks),
            Column("forfeits", ("forfeits",), _count),
            Column("calls (refused)", ("calls", "refused"), _bracketed),
            Column("tokens in (cached)", ("input_tokens", "cached_input_tokens"), _bracketed),
            Column("tokens out", ("output_tokens",), _count),
            Column("cost", ("cost",), dollars),
            Column("cost per battle", ("cost_per_battle",), dollars),
            Column(
                "latency: median (95th percentile)", ("latency_median", "latency_p95"), _latency
            ),
        ),
    )


def dollars(amount: float) -> str:
    """An amount in US dollars: cents, or four significant digits where it is smaller."""
    return f"${amount:,.2f}" if amount == 0 or amount >= 1 else f"${amount:.4g}"


def _count(value: int) -> str:
    return f"{value:,}"


def _latency(median: float, high: float) -> str:
    return f"{median:.2f} ({high:.2f})"


def _fallbacks(count: int, reasons: str | None) -> str:
    return f"{count:,} ({reasons})" if reasons else f"{count:,}"


def _bracketed(count: int, part: int | None) -> str:
    return f"{count:,}" if part is None else f"{count:,} ({part:,})"


def _reasons(reasons: Mapping[str, int]) -> str | None:
    ordered = sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))
    return ", ".join(f"{reason} {count}" for reason, count in ordered) or None
