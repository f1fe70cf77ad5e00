"""Sensitivity: does the result hold without battles that were decided by something else than play?

Three subsets of a run are analysed as the whole is:

- without forfeits;
- without battles *decided* by fallbacks: the loser's fallback rule made at least one of its
  decisions. Leaving only lost battles out favours players that fall back, so this is an upper bound
  of what they could be;
- without battles *touched* by fallbacks, on either side, won or lost: it does not choose by result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from porimon.stats.analysis import DEFAULT_OPTIONS, Options, analyze_battles
from porimon.stats.battles import BattleRow
from porimon.stats.results import Analysis


@dataclass(frozen=True, slots=True)
class Variant:
    """One subset: its name, how many battles it leaves out, and its analysis.

    ``analysis`` is ``None`` where some player has no battle left.
    """

    name: str
    left_out: int
    analysis: Analysis | None


def forfeited(row: BattleRow) -> bool:
    """Whether a forfeit or a lost connection ended the battle."""
    return row.forfeit


def decided_by_fallback(row: BattleRow) -> bool:
    """Whether the loser (in a tie: either player) fell back at least once, or forfeited."""
    if row.forfeit:
        return True
    losers = {"a": (row.fallbacks_b,), "b": (row.fallbacks_a,)}
    counts = losers.get(row.winner or "", (row.fallbacks_a, row.fallbacks_b))
    return any(count is not None and count > 0 for count in counts)


def touched_by_fallback(row: BattleRow) -> bool:
    """Whether either player fell back at least once, or forfeited."""
    counts = (row.fallbacks_a, row.fallbacks_b)
    return row.forfeit or any(count is not None and count > 0 for count in counts)


VARIANTS: tuple[tuple[str, Callable[[BattleRow], bool]], ...] = (
    ("without forfeits", forfeited),
    ("without battles decided by fallbacks or forfeits", decided_by_fallback),
    ("without battles touched by fallbacks or forfeits", touched_by_fallback),
)


def sensitivity(rows: Sequence[BattleRow], options: Options = DEFAULT_OPTIONS) -> list[Variant]:
    """The analysis of every variant that leaves at least one battle out.

    ``options`` are those of the whole; ``options.reference`` should be the whole's reference, so
    that estimates can be compared.
    """
    results = []
    for name, excluded in VARIANTS:
        kept = [row for row in rows if not excluded(row)]
        if len(kept) == len(rows):
            continue
        present = {player for row in kept for player in (row.player_a, row.player_b)}
        complete = {player for row in rows for player in (row.player_a, row.player_b)} <= present
        analysis = analyze_battles(kept, options) if complete else None
        results.append(Variant(name, len(rows) - len(kept), analysis))
    return results
