"""Ends a matchup early when its question is decided (``porimon.stats.sequential``)."""

from __future__ import annotations

from collections.abc import Mapping

from porimon.config.tournament import EarlyStopping
from porimon.stats.sequential import StoppingRule, decide
from porimon.tournament.game import Seat


def rule_of(settings: EarlyStopping, matchups: int) -> StoppingRule:
    """The rule for each of ``matchups`` matchups: the error is held over all of them together."""
    return StoppingRule(
        level=settings.error,
        margin=settings.margin,
        expected=settings.expected,
        minimum=settings.minimum_pairs,
    ).for_family(matchups)


class EarlyDecision:
    """Watches one matchup; asked again after each battle with its unbroken beginning."""

    def __init__(self, rule: StoppingRule, *, paired: bool) -> None:
        self._rule = rule
        self._size = 2 if paired else 1

    def battles_that_decided(self, winners: Mapping[int, Seat | None]) -> int | None:
        """How many battles decided the matchup; ``None``: it is still open.

        ``winners`` holds positions 0, 1, … without a gap. The answer doesn't depend on when one
        looks: it names the first pair at which the rule decided.
        """
        points = {"a": 1.0, "b": 0.0, None: 0.5}
        shares = [
            sum(points[winners[start + offset]] for offset in range(self._size)) / self._size
            for start in range(0, len(winners) - self._size + 1, self._size)
        ]
        decision = decide(shares, self._rule)
        # A decision is never taken back, and `pairs` is where it fell.
        return None if decision.state == "continue" else decision.pairs * self._size
