"""Which player a stage selects: the best average win rate in its round robin (Porimon §III-D)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from porimon.tournament.game import Seat
from porimon.tournament.plan import Matchup


def average_rates(
    results: Iterable[tuple[Matchup, Mapping[int, Seat | None]]],
) -> dict[str, float]:
    """Each player's win rate averaged over its matchups, a tie counting half a win."""
    rates: dict[str, list[float]] = {}
    for matchup, winners in results:
        if not winners:
            continue
        points = sum(1.0 if won == "a" else 0.5 if won is None else 0.0 for won in winners.values())
        rate = points / len(winners)
        rates.setdefault(matchup.name_a, []).append(rate)
        rates.setdefault(matchup.name_b, []).append(1 - rate)
    return {name: sum(each) / len(each) for name, each in rates.items()}


def best_of(
    results: Iterable[tuple[Matchup, Mapping[int, Seat | None]]],
) -> tuple[str, dict[str, float]]:
    """The winner's name and all average win rates.

    The paper is silent on ties; our reading: among equals the one named first in the file, whose
    order is the user's statement of what is simpler.
    """
    rates = average_rates(results)
    # `max` keeps the first of equals, and names come in the file's order.
    return max(rates, key=lambda name: round(rates[name], 12)), rates
