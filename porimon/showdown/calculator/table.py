"""The damage table of a decision: each move of ours on the foe, each of its moves on ours.

``plan_damage`` says what to ask (a pure function of the view and the foe's candidates) and
``read_damage`` makes the table of the answers; ``damage_table`` asks a calculator in between.

What the foe's set leaves open is weighed by the candidates: a range covers every variant (ability,
item, spread) that is likely enough, and the chance of a knock-out is that of the likeliest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

from porimon.showdown.calculator.model import (
    CombatantSpec,
    DamageAnswer,
    DamageQuery,
    DamageRange,
    FieldSpec,
    QueryProblem,
)
from porimon.showdown.calculator.specs import (
    attacking,
    battlefield,
    foe_combatants,
    own_combatant,
)
from porimon.showdown.calculator.variants import (
    Bearing,
    FoeVariant,
    bearing,
    merged_variants,
)
from porimon.showdown.candidates.model import Candidates
from porimon.showdown.dex import dex
from porimon.showdown.view.model import BattleView, PokemonView

LEAST_MOVE_CHANCE = 0.05
"""Moves that the foe is less likely to have are not reckoned with."""
MOST_LIKELY_MOVES = 6
"""How many moves that the foe may have, beside the known ones, are reckoned with."""


class Answering(Protocol):
    """What ``damage_table`` needs of a calculator: ``Calculator`` or ``DecisionCalculator``."""

    async def calculate(self, queries: Sequence[DamageQuery]) -> list[DamageAnswer] | None: ...


class MoveDamage(NamedTuple):
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


class _PlannedMove(NamedTuple):
    move: str
    probability: float
    variants: tuple[tuple[float, DamageQuery], ...]


_PlannedMatchup = tuple[tuple[_PlannedMove, ...], tuple[_PlannedMove, ...]]
"""The attacks of one of our Pokémon and the threats to it."""


@dataclass(frozen=True, slots=True)
class DamagePlan:
    """The queries of a decision and where each belongs."""

    matchups: tuple[_PlannedMatchup, ...]

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
        FoeVariant(candidate.probability, candidate.moves, combatant)
        for candidate, combatant in zip(
            foe.sets, foe_combatants(opponent, foe.sets, view), strict=True
        )
    ]
    planning = _Planning(view, variants, foe_moves(opponent, foe))
    return DamagePlan(
        tuple(((), ()) if own.fainted else planning.matchup(own) for own in view.own.team)
    )


def read_damage(plan: DamagePlan, answers: Sequence[DamageAnswer]) -> DamageTable:
    """The table from the answers to ``plan.queries``, in their order."""
    remaining = iter(answers)
    return DamageTable(
        tuple(
            MatchupDamage(
                tuple([_summary(planned, remaining) for planned in attacks]),
                tuple([_summary(planned, remaining) for planned in threats]),
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


class _Planning:
    """One decision's plan while it is made: what its matchups share is found out once."""

    def __init__(
        self,
        view: BattleView,
        variants: Sequence[FoeVariant],
        moves: Iterable[tuple[str, float]],
    ) -> None:
        self._view = view
        self._variants = variants
        self._facing: dict[Bearing, list[FoeVariant]] = {}
        strikers = {id(one.combatant): attacking(one.combatant) for one in variants}
        self._threats = [
            (
                move,
                chance,
                [(one.chance, strikers[id(one.combatant)]) for one in self._using(move)],
            )
            for move, chance in moves
        ]
        self._we_attack = battlefield(view, foe_attacks=False)
        self._it_attacks = {
            enters: battlefield(view, foe_attacks=True, defender_enters=enters)
            for enters in (False, True)
        }

    def matchup(self, own: PokemonView) -> _PlannedMatchup:
        """What to ask of one of our Pokémon: its attacks, then what threatens it."""
        spec = own_combatant(own, self._view)
        return self._attacks(own, attacking(spec)), self._threats_to(own, spec)

    def _attacks(self, own: PokemonView, attacker: CombatantSpec) -> tuple[_PlannedMove, ...]:
        moves = [move.id for move in own.moves]
        if own.active:
            # Struggle is not among the four, but may be all that is legal.
            moves += [order.target for order in self._view.legal_orders if order.kind == "move"]
        planned = []
        for move in dict.fromkeys(moves):
            if _deals_damage(move):
                facing = self._that_face(move, attacker.ability)
                hits = [(one.chance, attacker, one.combatant) for one in facing]
                planned.append(_planned(move, 1.0, hits, self._we_attack, own.active))
        return tuple(planned)

    def _threats_to(self, own: PokemonView, defender: CombatantSpec) -> tuple[_PlannedMove, ...]:
        field = self._it_attacks[not own.active]
        planned = []
        for move, probability, strikers in self._threats:
            hits = [(chance, striker, defender) for chance, striker in strikers]
            planned.append(_planned(move, probability, hits, field, own.active))
        return tuple(planned)

    def _that_face(self, move: str, ability: str | None) -> list[FoeVariant]:
        """The variants that differ for our ``move``: the same for most moves."""
        bears = bearing(move, foe_attacks=False, ability=ability)
        found = self._facing.get(bears)
        if found is None:
            found = self._facing[bears] = merged_variants(self._variants, bears)
        return found

    def _using(self, move: str) -> list[FoeVariant]:
        """The variants that differ for the foe's ``move``."""
        # Of a move that is not certain, only the sets that have it tell what it would do.
        having = [variant for variant in self._variants if move in variant.moves]
        return merged_variants(having or self._variants, bearing(move, foe_attacks=True))


def _planned(
    move: str,
    probability: float,
    hits: Iterable[tuple[float, CombatantSpec, CombatantSpec]],
    field: FieldSpec,
    detailed: bool,
) -> _PlannedMove:
    """A move's queries: one for each hit (chance, attacker, defender), the likeliest first.

    ``detailed``: the first one asks for the chance of a knock-out. Nobody reads the calculator's
    sentence in a decision, nor the rolls one by one.
    """
    queries = [
        (
            chance,
            DamageQuery(
                attacker, defender, move, field, False, None, detailed and not rank, False, False
            ),
        )
        for rank, (chance, attacker, defender) in enumerate(hits)
    ]
    return _PlannedMove(move, probability, tuple(queries))


def _summary(planned: _PlannedMove, answers: Iterator[DamageAnswer]) -> MoveDamage:
    if len(planned.variants) == 1:
        ((chance, _),) = planned.variants
        answer = next(answers)
        if isinstance(answer, DamageRange):
            low, high = answer.percent_minimum, answer.percent_maximum
            return MoveDamage(planned.move, planned.probability, low, high, answer, chance)
        return MoveDamage(planned.move, planned.probability, problem=answer.message)
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


@lru_cache(maxsize=2048)
def _deals_damage(move: str) -> bool:
    known = dex().find_move(move)
    return known is not None and known.deals_damage
