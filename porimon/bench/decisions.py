"""Decisions of battles in the simulator, as a player meets them: view, log, and what led there.

For benchmarks of what happens between a view and its prompt. Both sides are followed with the
trackers and logs that language-model players use.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from porimon.bench.simulated import simulated_battles
from porimon.showdown.events.turn_log import TurnLog
from porimon.showdown.view.model import BattleView
from porimon.showdown.view.tracker import BattleTracker

LONGEST_WINDOW = 10
"""Turns of Short-Term KAG that are kept with a decision."""


@dataclass(frozen=True, slots=True)
class MetDecision:
    """One decision with at least two legal orders. ``logs`` is the log's text by its window T."""

    battle: int
    view: BattleView
    logs: dict[int, str]


def met_decisions(count: int, seed: str, windows: tuple[int, ...] = (5,)) -> list[MetDecision]:
    """The first ``count`` decisions of as many battles as that takes; the same for one seed."""
    return list(itertools.islice(_decisions(count, seed, windows), count))


def _decisions(count: int, seed: str, windows: tuple[int, ...]) -> Iterator[MetDecision]:
    trackers: dict[str, BattleTracker] = {}
    logs: dict[str, TurnLog] = {}
    # A battle has far more than ten decisions.
    for document in simulated_battles(count // 10 + 1, seed):
        if document["kind"] == "battle":
            trackers = {"p1": BattleTracker("p1"), "p2": BattleTracker("p2")}
            logs = {"p1": TurnLog("p1"), "p2": TurnLog("p2")}
            continue
        for side, tracker in trackers.items():
            tracker.apply(document["lines"][side])
            logs[side].apply([line.split("|") for line in document["lines"][side]])
        if document["kind"] == "decision":
            view = trackers[document["side"]].view(document["request"])
            if len(view.legal_orders) > 1:
                texts = {window: logs[document["side"]].window_text(window) for window in windows}
                yield MetDecision(document["battle"], view, texts)
