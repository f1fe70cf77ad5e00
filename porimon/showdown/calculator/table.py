"""The damage table of a decision: each move of ours on the foe, each of its moves on ours.

``plan_damage`` says what to ask (a pure function of the view and the foe's candidates) and
``read_damage`` makes the table of the answers; ``damage_table`` asks a calculator in between.

What the foe's set leaves open is weighed by the candidates: a range covers every variant (ability,
item, spread) that is likely enough, and the chance of a knock-out is that of the likeliest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from porimon.showdown.calculator.model import (
    CombatantSpec,
    DamageAnswer,
    DamageQuery,
    DamageRange,
    QueryProblem,
)
from porimon.showdown.calculator.specs import (
    attacking,
    battlefield,
    foe_combatant,
    own_combatant,
)
from porimon.showdown.candidates.model import Candidates
from porimon.showdown.dex import dex
from porimon.showdown.view.model import BattleView, PokemonView, StatName

LEAST_VARIANT_CHANCE = 0.01
"""Variants less likely than this do not widen a range."""
LEAST_MOVE_CHANCE = 0.05
"""Moves that the foe is less likely to have are not reckoned with."""
MOST_LIKELY_MOVES = 6
"""How many moves that the foe may have, beside the known ones, are reckoned with."""
MOST_VARIANTS = 12

_WITHOUT_BEARING = frozenset(
    {
        "aguavberry", "airballoon", "blacksludge", "blunderpolicy", "chestoberry", "custapberry",
        "ejectbutton", "ejectpack", "figyberry", "flameorb", "focussash", "heavydutyboots",
        "iapapaberry", "leftovers", "lightclay", "lumberry", "magoberry", "mentalherb",
        "powerherb", "redcard", "rockyhelmet", "salacberry", "scopelens", "shedshell",
        "sitrusberry", "throatspray", "toxicorb", "weaknesspolicy", "whiteherb", "widelens",
        "wikiberry",
    }
)  # fmt: skip
"""Items that change no damage by being held; any of them stands for all. (Air Balloon shows itself
on entry, so a hidden item is none.)"""


_BY_SPEED = frozenset({"boltbeak", "electroball", "fishiousrend", "gyroball", "payback"})
"""Moves whose power depends on who is faster, so that even a Choice Scarf bears on them."""


class Answering(Protocol):
    """What ``damage_table`` needs of a calculator: ``Calculator`` or ``DecisionCalculator``."""

    async def calculate(self, queries: Sequence[DamageQuery]) -> list[DamageAnswer] | None: ...


@dataclass(frozen=True, slots=True)
class MoveDamage:
    """What one move does to one Pokémon, in percent of the defender's maximum HP.

    ``low`` and ``high`` span all variants of the foe's set that are likely enough; ``likely`` is
    the calculator's answer for the likeliest one and ``likely_chance`` that one's probability
    (1 where the foe's set leaves nothing open). ``probability`` is the chance that the user has the
    move. Where there is no range, ``problem`` says why and ``likely`` is ``None``.
    """

    move: str
    probability: float
    low: float | None = None
    high: float | None = None
    likely: DamageRange | None = None
    likely_chance: float | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class MatchupDamage:
    """Our Pokémon against the foe's active one: ``attacks`` by our moves, ``threats`` by its."""

    attacks: tuple[MoveDamage, ...] = ()
    threats: tuple[MoveDamage, ...] = ()


@dataclass(frozen=True, slots=True)
class DamageTable:
    """``matchups`` run parallel to ``view.own.team`` (empty ones for the fainted)."""

    matchups: tuple[MatchupDamage, ...]


@dataclass(frozen=True, slots=True)
class FoeVariant:
    """One way in which the foe's active Pokémon may be: its chance, its moves, its combatant."""

    chance: float
    moves: tuple[str, ...]
    combatant: CombatantSpec


@dataclass(frozen=True, slots=True)
class _PlannedMove:
    move: str
    probability: float
    variants: tuple[tuple[float, DamageQuery], ...]


@dataclass(frozen=True, slots=True)
class DamagePlan:
    """The queries of a decision and where each belongs."""

    matchups: tuple[tuple[tuple[_PlannedMove, ...], tuple[_PlannedMove, ...]], ...]

    @property
    def queries(self) -> list[DamageQuery]:
        """All queries, in the order in which ``read_damage`` expects the answers."""
        return [
            query
            for attacks, threats in self.matchups
            for planned in (*attacks, *threats)
            for _, query in planned.variants
        ]


def plan_damage(view: BattleView, foe: Candidates) -> DamagePlan:
    """What to ask for a decision; ``foe`` are the candidates of the foe's active Pokémon."""
    opponent = view.foe.active
    if opponent is None or opponent.fainted:
        return DamagePlan(tuple(((), ()) for _ in view.own.team))
    variants = [
        FoeVariant(candidate.probability, candidate.moves, foe_combatant(opponent, candidate, view))
        for candidate in foe.sets
    ]
    moves = foe_moves(opponent, foe)
    matchups: list[tuple[tuple[_PlannedMove, ...], tuple[_PlannedMove, ...]]] = []
    for own in view.own.team:
        if own.fainted:
            matchups.append(((), ()))
        else:
            attacks = tuple(_attacks(view, own, variants))
            matchups.append((attacks, tuple(_threats(view, own, moves, variants))))
    return DamagePlan(tuple(matchups))


def read_damage(plan: DamagePlan, answers: Sequence[DamageAnswer]) -> DamageTable:
    """The table from the answers to ``plan.queries``, in their order."""
    remaining = iter(answers)
    return DamageTable(
        tuple(
            MatchupDamage(
                tuple(_summary(planned, remaining) for planned in attacks),
                tuple(_summary(planned, remaining) for planned in threats),
            )
            for attacks, threats in plan.matchups
        )
    )


async def damage_table(
    view: BattleView, foe: Candidates, calculator: Answering
) -> DamageTable | None:
    """The damage table of a decision; ``None`` if the calculator gave no answer in time."""
    plan = plan_damage(view, foe)
    answers = await calculator.calculate(plan.queries)
    return None if answers is None else read_damage(plan, answers)


def foe_moves(opponent: PokemonView, foe: Candidates) -> list[tuple[str, float]]:
    """The damaging moves to reckon with: the known ones, then the likely, with probabilities."""
    known = [move.id for move in opponent.moves]
    likely: list[tuple[str, float]] = []
    if opponent.transformed_into is None:
        likely = [
            (move, chance)
            for move, chance in foe.moves
            if move not in known and chance >= LEAST_MOVE_CHANCE and _deals_damage(move)
        ]
    return [(move, 1.0) for move in known if _deals_damage(move)] + likely[:MOST_LIKELY_MOVES]


def _attacks(
    view: BattleView, own: PokemonView, variants: Sequence[FoeVariant]
) -> Iterable[_PlannedMove]:
    attacker = attacking(own_combatant(own, view))
    field = battlefield(view, foe_attacks=False)
    moves = [move.id for move in own.moves]
    if own.active:
        # Struggle is not among the four, but may be all that is legal.
        moves += [order.target for order in view.legal_orders if order.kind == "move"]
    for move in dict.fromkeys(moves):
        if _deals_damage(move):
            relevant = merged_variants(variants, move, foe_attacks=False)
            queries = [
                DamageQuery(
                    attacker,
                    variant.combatant,
                    move,
                    field,
                    detail=own.active and not rank,
                    rolls=False,
                )
                for rank, variant in enumerate(relevant)
            ]
            yield _PlannedMove(move, 1.0, _planned(relevant, queries))


def _threats(
    view: BattleView,
    own: PokemonView,
    moves: Iterable[tuple[str, float]],
    variants: Sequence[FoeVariant],
) -> Iterable[_PlannedMove]:
    defender = own_combatant(own, view)
    field = battlefield(view, foe_attacks=True, defender_enters=not own.active)
    for move, chance in moves:
        # Of a move that is not certain, only the sets that have it tell what it would do.
        having = [variant for variant in variants if move in variant.moves] or variants
        relevant = merged_variants(having, move, foe_attacks=True)
        queries = [
            DamageQuery(
                attacking(variant.combatant),
                defender,
                move,
                field,
                detail=own.active and not rank,
                rolls=False,
            )
            for rank, variant in enumerate(relevant)
        ]
        yield _PlannedMove(move, chance, _planned(relevant, queries))


def merged_variants(
    variants: Sequence[FoeVariant], move: str, *, foe_attacks: bool
) -> list[FoeVariant]:
    """The variants that differ in something that bears on this move, likeliest first.

    Their chances add up to 1 before the unlikely ones are left out.
    """
    stats = _bearing_stats(move, foe_attacks)
    chances: dict[tuple[object, ...], float] = defaultdict(float)
    first: dict[tuple[object, ...], FoeVariant] = {}
    for variant in variants:
        spec = variant.combatant
        exact = spec.stats or {}
        key = (
            spec.ability,
            _item_class(spec.item, move),
            tuple((spec.evs[stat], spec.ivs[stat], exact.get(stat)) for stat in stats),
        )
        chances[key] += variant.chance
        first.setdefault(key, variant)
    total = sum(chances.values())
    merged = [replace(first[key], chance=chance / total) for key, chance in chances.items()]
    merged.sort(key=lambda variant: -variant.chance)
    likely = [variant for variant in merged if variant.chance >= LEAST_VARIANT_CHANCE]
    return (likely or merged)[:MOST_VARIANTS]


def _bearing_stats(move: str, foe_attacks: bool) -> tuple[StatName, ...]:
    """The foe's stats that a hit may depend on (Body Press strikes with Defense)."""
    if foe_attacks:
        return ("atk", "spa", "spe", "def") if move == "bodypress" else ("atk", "spa", "spe")
    known = dex().find_move(move)
    if known is not None and known.uses_target_attack:
        return ("hp", "atk", "def", "spd", "spe")
    return ("hp", "def", "spd", "spe")


def _item_class(item: str | None, move: str) -> str | None:
    if item in _WITHOUT_BEARING or (item == "choicescarf" and move not in _BY_SPEED):
        return "without bearing"
    return item


def _planned(
    variants: Sequence[FoeVariant], queries: Sequence[DamageQuery]
) -> tuple[tuple[float, DamageQuery], ...]:
    return tuple((variant.chance, query) for variant, query in zip(variants, queries, strict=True))


def _summary(planned: _PlannedMove, answers: Iterator[DamageAnswer]) -> MoveDamage:
    given = [(chance, next(answers)) for chance, _ in planned.variants]
    ranges = [(chance, answer) for chance, answer in given if isinstance(answer, DamageRange)]
    if not ranges:
        problems = [answer.message for _, answer in given if isinstance(answer, QueryProblem)]
        return MoveDamage(planned.move, planned.probability, problem=problems[0])
    likely_chance, likely = ranges[0]
    return MoveDamage(
        move=planned.move,
        probability=planned.probability,
        low=min(answer.percent_minimum for _, answer in ranges),
        high=max(answer.percent_maximum for _, answer in ranges),
        likely=likely,
        likely_chance=likely_chance,
    )


def _deals_damage(move: str) -> bool:
    known = dex().find_move(move)
    return known is not None and known.deals_damage
