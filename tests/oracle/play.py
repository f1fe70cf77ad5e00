"""Battles of the simulator with its own state, and how far the views agree with it."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from porimon.showdown.dex import Dex
from porimon.showdown.view.model import dump_view, load_view
from porimon.showdown.view.tracker import BattleTracker
from tests.oracle.truth import Difference, differences, exception

SCRIPT = Path(__file__).with_name("play_and_tell.js")


@dataclass
class Comparison:
    """How the views of some battles agree with the simulator."""

    battles: int = 0
    decisions: int = 0
    explained: Counter[str] = field(default_factory=Counter)
    """Decisions with a difference that an exception explains, by exception."""
    unexplained: list[tuple[int, str, int, Difference]] = field(default_factory=list)


def decision_points(
    node: str, modules: Path, battles: int, seed: int, kind: str = "random"
) -> Iterator[dict[str, Any]]:
    """Every decision of some battles, as ``play_and_tell.js`` tells them (``random``, ``wild``)."""
    command = [node, str(SCRIPT), str(modules), str(battles), str(seed), kind]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield json.loads(line)
    assert process.returncode == 0, f"the simulator's script ended with {process.returncode}"


class SetlessDex(Dex):
    """Game data that know no Random Battle sets: for teams that are drawn otherwise."""

    def random_sets(self, species: str) -> None:
        """No set is known."""

    def ids(self, table: str) -> tuple[str, ...]:
        """No species has sets."""
        return () if table == "random_sets" else super().ids(table)


def compare(points: Iterator[dict[str, Any]], game_data: Dex) -> Comparison:
    """Follow every battle from both sides and compare each view with the truth."""
    result = Comparison()
    trackers: dict[tuple[int, str], BattleTracker] = {}
    impersonated: dict[tuple[int, str], set[str]] = {}
    for point in points:
        key = (point["battle"], point["side"])
        tracker = trackers.setdefault(key, BattleTracker(point["side"], game_data))
        tracker.apply(point["lines"])
        view = tracker.view(point["request"])
        assert load_view(dump_view(view)) == view
        seen = impersonated.setdefault(key, set())
        foe = "p2" if point["side"] == "p1" else "p1"
        seen |= _disguises(point["truth"]["sides"][foe])
        result.decisions += 1
        reasons: set[str] = set()
        for found in differences(view, point["truth"], point["accepted"]):
            reason = exception(found, view, point["truth"], seen)
            if reason is None:
                result.unexplained.append((*key, view.turn, found))
            else:
                reasons.add(reason)
        result.explained.update(reasons)
    result.battles = len({battle for battle, _ in trackers})
    return result


def _disguises(side: dict[str, Any]) -> set[str]:
    by_species = {pokemon["baseSpecies"]: pokemon["name"] for pokemon in side["pokemon"]}
    return {
        by_species.get(pokemon["illusion"], "")
        for pokemon in side["pokemon"]
        if pokemon["illusion"]
    }
