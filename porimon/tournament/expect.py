"""What a tournament will take: calls, tokens, cost and time, from what players took elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from porimon.config.player import PlayerConfig
from porimon.llm.settings import Prices
from porimon.tournament.plan import Matchup
from porimon.tournament.record.read import RunReader
from porimon.tournament.record.totals import player_totals

PER_PRICE = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """What one battle takes of one player, on average."""

    calls: float
    input_tokens: float | None
    output_tokens: float | None
    seconds: float | None
    """Waiting for the model, one call after the other; ``None`` where no latency is known."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Sums over a whole tournament. ``None``: unknown. ``seconds`` is wall time."""

    battles: int
    calls: float | None
    input_tokens: float | None
    output_tokens: float | None
    cost: float | None
    seconds: float | None


def usage_by_base(reader: RunReader) -> dict[str, Usage]:
    """What each kind of player (by its base) took per battle in a recorded run."""
    battles: dict[str, int] = {}
    for matchup in reader.matchups():
        played = sum(1 for _ in reader.battles(matchup.matchup_id))
        for label in matchup.labels.values():
            battles[label] = battles.get(label, 0) + played
    bases = {reader.labels[key]: player.base for key, player in reader.players.items()}
    found: dict[str, list[tuple[int, Usage]]] = {}
    for totals in player_totals(reader):
        count = battles[totals.label]
        if not totals.calls or not count:
            continue
        latencies = totals.latency_seconds
        usage = Usage(
            calls=totals.calls / count,
            input_tokens=None if totals.input_tokens is None else totals.input_tokens / count,
            output_tokens=None if totals.output_tokens is None else totals.output_tokens / count,
            seconds=sum(latencies) / len(latencies) * totals.calls / count if latencies else None,
        )
        found.setdefault(bases[totals.label], []).append((count, usage))
    return {base: _mean(usages) for base, usages in found.items()}


def _mean(usages: list[tuple[int, Usage]]) -> Usage:
    total = sum(count for count, _ in usages)

    def of(name: str) -> float | None:
        values = [(count, getattr(usage, name)) for count, usage in usages]
        if any(value is None for _, value in values):
            return None
        return float(sum(count * value for count, value in values)) / total

    return Usage(of("calls") or 0.0, of("input_tokens"), of("output_tokens"), of("seconds"))


def expect(
    matchups: tuple[Matchup, ...],
    players: Mapping[tuple[str, str], PlayerConfig],
    usage: Mapping[str, Usage],
    prices: Mapping[str, Prices],
    *,
    concurrency: int,
    latency_seconds: float | None = None,
) -> Expectation:
    """Sums over all planned battles.

    ``usage`` is by base, ``prices`` by model name. ``latency_seconds`` replaces the measured
    latency of a call. Wall time assumes that ``concurrency`` battles are always in play, the calls
    of a battle one after the other. A player of unknown usage makes every sum unknown.
    """
    sums: dict[str, float | None] = dict.fromkeys(("calls", "in", "out", "cost", "seconds"), 0.0)

    def add(name: str, value: float | None) -> None:
        known = sums[name]
        sums[name] = None if known is None or value is None else known + value

    for matchup in matchups:
        for name in (matchup.name_a, matchup.name_b):
            player = players[matchup.stage, name]
            if player.llm is None:
                continue
            took = usage.get(player.base)
            if took is None:
                sums = dict.fromkeys(sums)
                continue
            count = matchup.battles
            add("calls", count * took.calls)
            add("in", None if took.input_tokens is None else count * took.input_tokens)
            add("out", None if took.output_tokens is None else count * took.output_tokens)
            add("cost", _cost(took, prices.get(player.llm), count))
            waiting = took.seconds if latency_seconds is None else took.calls * latency_seconds
            # Both sides of a turn are asked at the same time: half the calls are waited for.
            both = all(players[matchup.stage, n].llm for n in (matchup.name_a, matchup.name_b))
            share = 0.5 if both else 1.0
            add("seconds", None if waiting is None else share * count * waiting / concurrency)
    battles = sum(matchup.battles for matchup in matchups)
    return Expectation(
        battles, sums["calls"], sums["in"], sums["out"], sums["cost"], sums["seconds"]
    )


def _cost(took: Usage, prices: Prices | None, battles: int) -> float | None:
    if prices is None or prices.input is None or prices.output is None:
        return None
    if took.input_tokens is None or took.output_tokens is None:
        return None
    each = took.input_tokens * prices.input + took.output_tokens * prices.output
    return battles * each / PER_PRICE
