"""Counts what goes wrong in a run, by incident: a dead server is one, not one for each battle."""

from __future__ import annotations

import time


class FailuresInARow:
    """Incidents since the last battle that was played to its end.

    Battles that were under way when another one broke off may break off for the same cause: they
    belong to the same incident. Only one that started after it tells that the cause is still there.
    """

    def __init__(self) -> None:
        self.count = 0
        self._last = float("-inf")

    def add(self, started: float) -> int:
        """Note that a battle broke off which ``started`` then (``time.monotonic``); the count."""
        if started >= self._last:
            self.count += 1
            self._last = time.monotonic()
        return self.count

    def clear(self) -> None:
        """Note that a battle was played to its end."""
        self.count = 0
