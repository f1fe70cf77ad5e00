"""Which player a stage selects: the best average win rate in its round robin (Porimon §III-D)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from porimon.stats.battles import MatchupCounts, from_counts
from porimon.stats.selection import standings
from porimon.tournament.game import Seat
from porimon.tournament.plan import Matchup

Winners = Mapping[int, Seat | None]
"""Winner by battle position; ``None``: a tie."""


def best_of(results: Iterable[tuple[Matchup, Winners]]) -> tuple[str, dict[str, float]]:
    """The winner's name in the stage, and every player's average win rate."""
    counts = []
    for matchup, winners in results:
        won = list(winners.values())
        counts.append(
            MatchupCounts(
                matchup.name_a, matchup.name_b, won.count("a"), won.count("b"), won.count(None)
            )
        )
    order = standings(from_counts(counts))
    return order[0].player, {standing.player: standing.win_rate for standing in order}
