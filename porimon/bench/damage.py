"""How often a real hit lies inside the damage range that was predicted before it.

Random players play in the simulator. At every hit, each of the two players' views predicts it: the
attacker's ("ours on them"), where the foe's defences are open, and the defender's ("theirs on us"),
where the foe's attack is open. A prediction knows which move is used, whether it is a critical hit
and how often it strikes, for these are dice, and a player is told the range of each.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from porimon.bench.result import BenchResult, Figure, figure
from porimon.bench.simulated import simulated_battles
from porimon.errors import MachineSetupError
from porimon.showdown.calculator.client import Calculator
from porimon.showdown.calculator.model import (
    CombatantSpec,
    DamageAnswer,
    DamageQuery,
    DamageRange,
    QueryProblem,
)
from porimon.showdown.calculator.service import CalculatorService
from porimon.showdown.calculator.specs import battlefield, foe_combatants, own_combatant
from porimon.showdown.calculator.variants import FoeVariant, bearing, merged_variants
from porimon.showdown.candidates import Candidates, candidates, revealed_from_view
from porimon.showdown.view.model import BattleView, PokemonView, SideView
from porimon.showdown.view.tracker import BattleTracker

BATTLES = 300
QUICK_BATTLES = 10
SEED = "damage"
KNOWN_GOAL = 0.99
UNKNOWN_GOAL = 0.97
LISTED_CAUSES = 25

_BATCH = 400
_CALL_DEADLINE_SECONDS = 120.0

Perspective = Literal["ours on them", "theirs on us"]


@dataclass(frozen=True, slots=True)
class PredictedHit:
    """One real hit with what was asked about it before.

    ``known``: all that was revealed leaves one set only. ``damage`` is in points, ``strike``
    counts the strikes of one use from 0.
    """

    perspective: Perspective
    known: bool
    move: str
    attacker: str
    defender: str
    strike: int
    damage: int
    illusion: bool
    queries: tuple[DamageQuery, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a hit fell inside its range; ``cause`` says how not, ``None`` if it did."""

    hit: PredictedHit
    cause: str | None


def run(quick: bool = False) -> BenchResult:
    """Play 300 battles (10 if ``quick``), predict every hit and compare."""
    battles = QUICK_BATTLES if quick else BATTLES
    verdicts = asyncio.run(_judge_all(predicted_hits(simulated_battles(battles, SEED))))
    return _result(verdicts, battles)


def predicted_hits(documents: Iterable[dict[str, Any]]) -> Iterator[PredictedHit]:
    """Both players' predictions of every hit in the documents of ``battles.js``."""
    trackers: dict[str, BattleTracker] = {}
    for document in documents:
        if document["kind"] == "battle":
            trackers = {"p1": BattleTracker("p1"), "p2": BattleTracker("p2")}
            continue
        for side, tracker in trackers.items():
            tracker.apply(document["lines"][side])
        if document["kind"] == "hit":
            for side, tracker in trackers.items():
                hit = _predicted(document, side, tracker.view(document["requests"][side]))
                if hit is not None:
                    yield hit
        else:
            # The player's own request corrects what only it can tell (its team's exact HP).
            trackers[document["side"]].view(document["request"])


def _predicted(document: dict[str, Any], side: str, view: BattleView) -> PredictedHit | None:
    ours = document["attacker"] == side
    own = _named(view.own, document["attacker_name" if ours else "defender_name"])
    foe = _named(view.foe, document["defender_name" if ours else "attacker_name"])
    if own is None or foe is None:
        return None
    likely = candidates(revealed_from_view(foe))
    field = battlefield(view, foe_attacks=not ours)
    mine = own_combatant(own, view)
    variants = _variants(foe, likely, document["move"], view, mine.ability if ours else None, ours)
    queries = [
        DamageQuery(
            attacker=_before_its_boost(mine if ours else variant.combatant, document["move"]),
            defender=variant.combatant if ours else mine,
            move=document["move"],
            field=field,
            critical=document["critical"],
            detail=False,
        )
        for variant in variants
    ]
    return PredictedHit(
        perspective="ours on them" if ours else "theirs on us",
        known=len(likely.sets) == 1 and not likely.relaxed,
        move=document["move"],
        attacker=own.species if ours else foe.species,
        defender=foe.species if ours else own.species,
        strike=(document["strike"] or 1) - 1,
        damage=document["damage"],
        illusion=document["illusion"],
        queries=tuple(queries),
    )


def _before_its_boost(attacker: CombatantSpec, move: str) -> CombatantSpec:
    """The attacker as it was before the move began: Meteor Beam's boost comes with the move."""
    boosts = dict(attacker.boosts)
    if move == "meteorbeam":
        boosts["spa"] = boosts.get("spa", 0) - 1
    return replace(attacker, boosts=tuple(boosts.items()))


def _variants(
    foe: PokemonView,
    likely: Candidates,
    move: str,
    view: BattleView,
    our_ability: str | None,
    ours: bool,
) -> list[FoeVariant]:
    variants = [
        FoeVariant(candidate.probability, candidate.moves, combatant)
        for candidate, combatant in zip(
            likely.sets, foe_combatants(foe, likely.sets, view), strict=True
        )
    ]
    having = variants if ours else [one for one in variants if move in one.moves] or variants
    return merged_variants(having, bearing(move, foe_attacks=not ours, ability=our_ability))


def _named(side: SideView, name: str) -> PokemonView | None:
    return next((pokemon for pokemon in side.team if pokemon.name == name), None)


async def _judge_all(hits: Iterator[PredictedHit]) -> list[Verdict]:
    verdicts: list[Verdict] = []
    async with (
        CalculatorService() as service,
        Calculator(service, deadline=_CALL_DEADLINE_SECONDS) as calculator,
    ):
        while batch := _take(hits, _BATCH):
            queries = [query for hit in batch for query in _with_strikes(hit)]
            answers = await calculator.calculate(queries)
            if answers is None:
                raise MachineSetupError("the damage calculator gave no answer")
            remaining = iter(answers)
            verdicts += [judge(hit, [next(remaining) for _ in hit.queries]) for hit in batch]
    return verdicts


def _take(hits: Iterator[PredictedHit], most: int) -> list[PredictedHit]:
    batch: list[PredictedHit] = []
    for hit in hits:
        batch.append(hit)
        if len(batch) == most:
            break
    return batch


def _with_strikes(hit: PredictedHit) -> list[DamageQuery]:
    # A strike's own roll is compared, so all strikes up to it must be in the answer.
    return [query._replace(hits=hit.strike + 1 if hit.strike else None) for query in hit.queries]


def judge(hit: PredictedHit, answers: list[DamageAnswer]) -> Verdict:
    """Whether the damage lies in the span of the answers' rolls for that strike."""
    ranges = [answer for answer in answers if isinstance(answer, DamageRange)]
    if not ranges:
        problems = [answer.message for answer in answers if isinstance(answer, QueryProblem)]
        return Verdict(hit, f"{hit.move}: {problems[0]}")
    strikes = [answer.rolls[min(hit.strike, len(answer.rolls) - 1)] for answer in ranges]
    low = min(min(rolls) for rolls in strikes)
    high = max(max(rolls) for rolls in strikes)
    if low <= hit.damage <= high:
        return Verdict(hit, None)
    if hit.illusion:
        return Verdict(hit, "Illusion: one of the two is not what it seems")
    ratio = hit.damage / high if hit.damage > high else hit.damage / low
    return Verdict(hit, f"{hit.move}: {ratio:.1f} × the range's nearer end")


def _result(verdicts: list[Verdict], battles: int) -> BenchResult:
    figures: list[Figure] = []
    details: dict[str, object] = {"battles": battles, "hits": len(verdicts)}
    groups: dict[tuple[Perspective, bool], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        groups[(verdict.hit.perspective, verdict.hit.known)].append(verdict)
    for (perspective, known), group in sorted(groups.items()):
        share = sum(verdict.cause is None for verdict in group) / len(group)
        goal = KNOWN_GOAL if known else UNKNOWN_GOAL
        label = "known sets" if known else "sets partly unknown"
        figures.append(
            figure(
                f"hits inside the range, {perspective}, {label} ({len(group)} hits)",
                "share",
                [share],
                goal=f"at least {goal:.0%}",
                met=share >= goal,
            )
        )
        causes = Counter(verdict.cause for verdict in group if verdict.cause is not None)
        details[f"{perspective}, {label}: misses by cause"] = dict(
            causes.most_common(LISTED_CAUSES)
        )
    return BenchResult("damage", tuple(figures), details=details)
