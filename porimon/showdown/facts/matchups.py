"""Who would do what to whom: attacks and threats of each own Pokémon against the foe's active one.

Everything but the damage ranges, which the calculator adds (``porimon.showdown.facts.damage``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from porimon.showdown.dex.model import Move
from porimon.showdown.dex.store import Dex
from porimon.showdown.facts.effectiveness import Fighter, attack_multiplier, type_in_use
from porimon.showdown.facts.model import Attack, Matchup, MoveFacts, PokemonFacts
from porimon.showdown.facts.pokemon import fighter_of
from porimon.showdown.view.model import BattleView, FieldView, PokemonView, StatName

_Ready = tuple[MoveFacts, Move, str]
"""A move of a Pokémon, its data, and the type that it has in use."""
Middles = Mapping[StatName, float]
"""The middle of what each stat of a Pokémon may be, at least 1."""


def matchups_of(
    view: BattleView, own: tuple[PokemonFacts, ...], foe: tuple[PokemonFacts, ...], dex: Dex
) -> tuple[Matchup, ...]:
    """One matchup for each own Pokémon, in ``view.own.team``'s order.

    Without an active foe, attacks have no multiplier and there are no threats.
    """
    opponent = view.foe.active
    if opponent is None or opponent.fainted:
        return tuple(
            Matchup(tuple(Attack(move) for move in (*facts.moves, *facts.other_moves)))
            for facts in own
        )
    theirs, field = foe[0], view.field
    them, their_stats = fighter_of(opponent, dex), middles(theirs)
    threats = _ready((*theirs.moves, *theirs.likely_moves), them, field, dex)
    gravity = field.has("gravity")
    found = []
    for mine, facts in zip(view.own.team, own, strict=True):
        me, my_stats = fighter_of(mine, dex), middles(facts)
        moves = _ready((*facts.moves, *facts.other_moves), me, field, dex)
        found.append(
            Matchup(
                _attacks(moves, me, my_stats, them, their_stats, gravity, dex),
                _attacks(threats, them, their_stats, me, my_stats, gravity, dex),
                _faster(view, mine, facts, theirs),
            )
        )
    return tuple(found)


def _ready(
    moves: Iterable[MoveFacts], user: Fighter, field: FieldView, dex: Dex
) -> tuple[_Ready, ...]:
    """The moves with what holds against every target: their data and the type that they have."""
    found = [(move, dex.move(move.id)) for move in moves]
    return tuple([(move, data, type_in_use(data, user, field)) for move, data in found])


def _attacks(
    moves: Iterable[_Ready],
    user: Fighter,
    user_stats: Middles,
    target: Fighter,
    target_stats: Middles,
    gravity: bool,
    dex: Dex,
) -> tuple[Attack, ...]:
    return tuple(
        [
            Attack(
                move,
                attack_multiplier(data, type_id, user, target, gravity, dex),
                scaled_power(data, user_stats, target_stats),
            )
            for move, data, type_id in moves
        ]
    )


def middles(facts: PokemonFacts) -> Middles:
    """The middle of what each of a Pokémon's stats may be."""
    return {stat: max((value.low + value.high) / 2, 1.0) for stat, value in facts.stats.items()}


def scaled_power(move: Move, user: Middles, target: Middles) -> int | None:
    """Base power × user's attack / target's defence, rounded (PokéLLMon's figure).

    The user's boosts act on its attack and the target's on its defence; the moves that use other
    stats do so here too (Body Press, Foul Play, Psyshock). ``None`` without a base power or where
    a stat is not known. Where a stat is a range, its middle counts.
    """
    if move.category == "status" or move.base_power <= 0:
        return None
    attacking = move.offensive_stat or ("atk" if move.category == "physical" else "spa")
    defending = move.defensive_stat or ("def" if move.category == "physical" else "spd")
    attack = (target if move.uses_target_attack else user).get(attacking)
    defence = target.get(defending)
    if attack is None or defence is None:
        return None
    return round(move.base_power * attack / defence)


def _faster(
    view: BattleView, mine: PokemonView, my_facts: PokemonFacts, opponent: PokemonFacts
) -> Literal["own", "foe"] | None:
    """Who moves first: the view's word for the active Pokémon, bare speeds for the bench.

    The foe's speed is the view's range with all known modifiers, where the view has one.
    """
    if mine.active and view.speed is not None:
        return view.speed.first
    own, theirs = my_facts.stats.get("spe"), opponent.stats.get("spe")
    if own is None or theirs is None:
        return None
    low, high = theirs.low, theirs.high
    if view.speed is not None:
        low = low if view.speed.foe_low is None else view.speed.foe_low
        high = high if view.speed.foe_high is None else view.speed.foe_high
    slow_first = view.field.has("trickroom")
    if own.low > high:
        return "foe" if slow_first else "own"
    if own.high < low:
        return "own" if slow_first else "foe"
    return None
