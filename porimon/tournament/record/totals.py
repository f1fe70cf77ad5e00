"""What each player's battles took: decisions, fallbacks, tokens, cost, latency."""

from __future__ import annotations

from collections import Counter

from porimon.tournament.record.read import PlayerTotals, RunReader


def player_totals(reader: RunReader) -> list[PlayerTotals]:
    """Sums per player of the analysis, sorted by label.

    A sum is ``None`` as soon as one of its calls is unknown: unknown is never counted as 0.
    """
    seats = {
        (matchup.matchup_id, seat): label
        for matchup in reader.matchups()
        for seat, label in matchup.labels.items()
    }
    labels = sorted(set(seats.values()))
    decisions: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    reasons: dict[str, Counter[str]] = {label: Counter() for label in labels}
    query = (
        "SELECT matchup_id, seat, fallback, count(*), sum(refused) FROM decisions"
        " JOIN battles ON battles.id = battle_id GROUP BY matchup_id, seat, fallback"
    )
    for matchup_id, seat, fallback, count, refusals in reader.connection.execute(query):
        label = seats[matchup_id, seat]
        decisions[label] += count
        refused[label] += refusals
        if fallback is not None:
            reasons[label][fallback] += count
    calls: Counter[str] = Counter()
    sums: dict[str, list[float | None]] = {label: [0, 0, 0, 0.0] for label in labels}
    latencies: dict[str, list[float]] = {label: [] for label in labels}
    query = (
        "SELECT matchup_id, seat, purpose, input_tokens, cached_input_tokens, output_tokens, cost,"
        " latency_seconds FROM calls JOIN battles ON battles.id = battle_id"
    )
    for matchup_id, seat, purpose, *figures, latency in reader.connection.execute(query):
        label = seats[matchup_id, seat]
        calls[label] += 1
        for position, figure in enumerate(figures):
            known = sums[label][position]
            sums[label][position] = None if known is None or figure is None else known + figure
        if purpose == "decision" and latency is not None:
            latencies[label].append(latency)
    return [
        PlayerTotals(
            label=label,
            decisions=decisions[label],
            fallbacks=sum(reasons[label].values()),
            fallback_reasons=dict(reasons[label]),
            refused=refused[label],
            calls=calls[label],
            input_tokens=_whole(sums[label][0]),
            cached_input_tokens=_whole(sums[label][1]),
            output_tokens=_whole(sums[label][2]),
            cost=sums[label][3],
            latency_seconds=tuple(latencies[label]),
        )
        for label in labels
    ]


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)
