"""What battle rows tell beyond wins: fallbacks, forfeits, and matchups that were stopped early.

Reported beside every win rate: a battle that was decided by unusable answers or a lost connection
says little about how a player plays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from porimon.stats.battles import BattleRow


@dataclass(slots=True)
class PlayerTally:
    """One player's forfeits (battles lost by them), fallback decisions and all decisions.

    ``known`` is false if any of its battles lacks the count of decisions.
    """

    forfeits: int = 0
    fallbacks: int = 0
    decisions: int = 0
    known: bool = True

    @property
    def fallback_rate(self) -> float | None:
        """The share of decisions that the fallback rule made; ``None`` if not known."""
        return self.fallbacks / self.decisions if self.known and self.decisions else None


@dataclass(frozen=True, slots=True)
class Tallies:
    """By player, the matchups that stopped early (names sorted), and warnings to show."""

    players: dict[str, PlayerTally] = field(default_factory=dict)
    stopped: frozenset[tuple[str, str]] = frozenset()
    warnings: tuple[str, ...] = ()


def tally(rows: Iterable[BattleRow]) -> Tallies:
    """Count over battle rows; battles of a player against itself are left out, with a warning."""
    players: dict[str, PlayerTally] = defaultdict(PlayerTally)
    stopped: set[tuple[str, str]] = set()
    mirrors: set[str] = set()
    for row in rows:
        if row.player_a == row.player_b:
            mirrors.add(row.player_a)
            continue
        for name, fallbacks, decisions in (
            (row.player_a, row.fallbacks_a, row.decisions_a),
            (row.player_b, row.fallbacks_b, row.decisions_b),
        ):
            own = players[name]
            if fallbacks is None or decisions is None:
                own.known = False
            else:
                own.fallbacks += fallbacks
                own.decisions += decisions
        if row.forfeit and row.winner is not None:
            players[row.player_b if row.winner == "a" else row.player_a].forfeits += 1
        if row.stopped_early:
            first, second = sorted((row.player_a, row.player_b))
            stopped.add((first, second))
    warnings = []
    if mirrors:
        warnings.append(
            f"battles of a player against itself, left out: {', '.join(sorted(mirrors))}"
        )
    warnings += [
        f"{a} against {b} was stopped early by its rule: its win rate and β lean away from "
        "equality, and the exact test of a fixed number of battles does not apply"
        for a, b in sorted(stopped)
    ]
    return Tallies(dict(players), frozenset(stopped), tuple(warnings))
