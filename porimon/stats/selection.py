"""Who wins a stage: the highest average win rate in its round robin (Porimon §III-D).

The average is over opponents, so that a matchup which a sequential rule ended early weighs no less
than the others. Pairwise outcomes may be nontransitive, so no model is put between the results and
the choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from porimon.errors import UserInputError
from porimon.stats.battles import Comparisons


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's place: its average win rate and the tie-breaks, all exact."""

    player: str
    average: Fraction
    head_to_head: Fraction
    smallest: Fraction

    @property
    def win_rate(self) -> float:
        """The average over opponents as a float."""
        return float(self.average)


def standings(comparisons: Comparisons) -> list[Standing]:
    """All players, best first.

    Equal averages are decided by the average win rate against those tied with; then by the best
    worst matchup; then by name (our reading: the paper names no tie-break). Computed in fractions:
    no rounding decides a stage. Players need not all have met.
    """
    rates: dict[str, dict[str, Fraction]] = {name: {} for name in comparisons.players}
    for m in range(len(comparisons.a)):
        a, b = comparisons.players[comparisons.a[m]], comparisons.players[comparisons.b[m]]
        points = 2 * int(comparisons.wins_a[m]) + int(comparisons.ties[m])
        rates[a][b] = Fraction(points, 2 * int(comparisons.battles[m]))
        rates[b][a] = 1 - rates[a][b]
    average = {name: _mean(list(against.values())) for name, against in rates.items()}
    rows = []
    for name, against in rates.items():
        tied = [rate for rival, rate in against.items() if average[rival] == average[name]]
        rows.append(
            Standing(
                player=name,
                average=average[name],
                head_to_head=_mean(tied) if tied else Fraction(1, 2),
                smallest=min(against.values()),
            )
        )
    return sorted(rows, key=lambda s: (-s.average, -s.head_to_head, -s.smallest, s.player))


def best(comparisons: Comparisons) -> str:
    """The stage's winner. Raises ``UserInputError`` where no battle was played."""
    order = standings(comparisons)
    if not order:
        raise UserInputError("no battle was played, so no player can be selected")
    return order[0].player


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)
