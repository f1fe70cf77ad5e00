"""Whether a foe's true set is among its candidates, and whether their probabilities are right.

Random players play in the simulator. At every decision each Pokémon of the foe that was seen is
compared with its true set: coverage says how often the truth is among the candidates, calibration
how often what was given a probability came true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from porimon.bench.result import BenchResult, Figure, figure
from porimon.bench.simulated import simulated_battles
from porimon.showdown.candidates import (
    Candidates,
    Clues,
    ClueTracker,
    candidates,
    revealed_from_view,
)
from porimon.showdown.view.model import NO_ITEM, SideView
from porimon.showdown.view.tracker import BattleTracker

BATTLES = 300
QUICK_BATTLES = 10
SEED = "candidates"
COVERAGE_GOAL = 0.999
BINS = 10
LISTED_MISSES = 25

FACTS = ("item", "ability", "moves")


@dataclass(slots=True)
class Tally:
    """Counts over decisions: what was covered, and hits and sizes of the bins of probability."""

    decisions: int = 0
    covered_decisions: Counter[str] = field(default_factory=Counter)
    pokemon: int = 0
    relaxed: int = 0
    bin_sizes: Counter[tuple[str, int]] = field(default_factory=Counter)
    bin_chances: Counter[tuple[str, int]] = field(default_factory=Counter)
    bin_hits: Counter[tuple[str, int]] = field(default_factory=Counter)
    misses: Counter[str] = field(default_factory=Counter)
    clues: int = 0
    wrong_clues: Counter[str] = field(default_factory=Counter)


def run(quick: bool = False) -> BenchResult:
    """Play 300 battles (10 if ``quick``) and compare candidates with the truth."""
    battles = QUICK_BATTLES if quick else BATTLES
    return _result(tally(simulated_battles(battles, SEED)), battles)


def tally(documents: Iterable[dict[str, Any]]) -> Tally:
    """Compare at every decision in the documents of ``battles.js``."""
    counts = Tally()
    trackers: dict[str, BattleTracker] = {}
    clues: dict[str, ClueTracker] = {}
    truths: dict[str, dict[str, dict[str, Any]]] = {}
    for document in documents:
        if document["kind"] == "battle":
            trackers = {"p1": BattleTracker("p1"), "p2": BattleTracker("p2")}
            clues = {side: ClueTracker() for side in trackers}
            truths = {
                side: {one["name"]: one for one in team} for side, team in document["sets"].items()
            }
            continue
        for side, tracker in trackers.items():
            tracker.apply(document["lines"][side])
            clues[side].apply(document["lines"][side])
        if document["kind"] == "decision":
            view = trackers[document["side"]].view(document["request"])
            _count_decision(counts, view.foe, clues[document["side"]], truths[view.foe.role])
    return counts


def _count_decision(
    counts: Tally, foe: SideView, clues: ClueTracker, truths: dict[str, dict[str, Any]]
) -> None:
    counts.decisions += 1
    covered = dict.fromkeys(FACTS, True)
    for pokemon in foe.team:
        truth = truths.get(pokemon.name)
        if truth is not None:
            certain = clues.clues(foe.role, pokemon.name)
            _count_wrong_clues(counts, pokemon.name, certain, truth)
            found = candidates(revealed_from_view(pokemon, certain))
            counts.pokemon += 1
            counts.relaxed += bool(found.relaxed)
            for fact in _missing(found, truth):
                covered[fact] = False
                counts.misses[f"{pokemon.name}: {fact}"] += 1
            _count_chances(counts, found, truth)
    for fact in FACTS:
        counts.covered_decisions[fact] += covered[fact]
    counts.covered_decisions["everything"] += all(covered.values())


def _count_wrong_clues(counts: Tally, name: str, clues: Clues, truth: dict[str, Any]) -> None:
    """Inferences that exclude the truth: there must be none."""
    item = truth["item"] or NO_ITEM
    counts.clues += len(clues.excluded_items) + len(clues.excluded_abilities)
    counts.clues += clues.implied_item is not None
    if item in clues.excluded_items:
        counts.wrong_clues[f"{name}: {item}, although {clues.excluded_items[item]}"] += 1
    if truth["ability"] in clues.excluded_abilities:
        counts.wrong_clues[f"{name}: {truth['ability']} although it did not show"] += 1
    if clues.implied_item not in (None, item):
        counts.wrong_clues[f"{name}: {clues.implied_item} implied, but {item}"] += 1


def _missing(found: Candidates, truth: dict[str, Any]) -> list[str]:
    """The facts of the true set that the candidates leave out."""
    missing = []
    if (truth["item"] or NO_ITEM) not in dict(found.items):
        missing.append("item")
    if truth["ability"] not in dict(found.abilities):
        missing.append("ability")
    if not set(truth["moves"]) <= dict(found.moves).keys():
        missing.append("moves")
    return missing


def _count_chances(counts: Tally, found: Candidates, truth: dict[str, Any]) -> None:
    """Sort what is not certain into bins of probability."""
    true_moves = set(truth["moves"])
    forecasts = [("moves", chance, move in true_moves) for move, chance in found.unrevealed_moves]
    if found.revealed.item is None:
        item = truth["item"] or NO_ITEM
        forecasts += [("items", chance, name == item) for name, chance in found.items]
    if found.revealed.ability is None:
        forecasts += [
            ("abilities", chance, name == truth["ability"]) for name, chance in found.abilities
        ]
    for kind, chance, came_true in forecasts:
        if chance < 1:
            place = (kind, min(BINS - 1, int(chance * BINS)))
            counts.bin_sizes[place] += 1
            counts.bin_chances[place] += chance  # type: ignore[assignment]
            counts.bin_hits[place] += came_true


def _result(counts: Tally, battles: int) -> BenchResult:
    figures: list[Figure] = []
    for fact in (*FACTS, "everything"):
        share = counts.covered_decisions[fact] / counts.decisions
        figures.append(
            figure(
                f"decisions with the true {fact} of every foe seen among the candidates",
                "share",
                [share],
                goal=f"at least {COVERAGE_GOAL:.1%}",
                met=share >= COVERAGE_GOAL,
            )
        )
    tables: dict[str, object] = {}
    for kind in ("moves", "items", "abilities"):
        rows = [
            {
                "bin": f"{place / BINS:.1f}-{(place + 1) / BINS:.1f}",
                "forecasts": counts.bin_sizes[(kind, place)],
                "mean_probability": counts.bin_chances[(kind, place)]
                / counts.bin_sizes[(kind, place)],
                "came_true": counts.bin_hits[(kind, place)] / counts.bin_sizes[(kind, place)],
            }
            for place in range(BINS)
            if counts.bin_sizes[(kind, place)]
        ]
        tables[f"calibration of {kind}"] = rows
        total = sum(counts.bin_sizes[(kind, place)] for place in range(BINS))
        if total:
            gap = sum(
                abs(counts.bin_chances[(kind, place)] - counts.bin_hits[(kind, place)])
                for place in range(BINS)
            )
            figures.append(figure(f"mean gap of calibration, {kind}", "share", [gap / total]))
    return BenchResult(
        "candidates",
        tuple(figures),
        notes=(f"{counts.relaxed} of {counts.pokemon} inferences had to set a fact aside",),
        details={
            "battles": battles,
            "decisions": counts.decisions,
            **tables,
            "clues": counts.clues,
            "wrong clues": dict(counts.wrong_clues.most_common(LISTED_MISSES)),
            "misses": dict(counts.misses.most_common(LISTED_MISSES)),
        },
    )
