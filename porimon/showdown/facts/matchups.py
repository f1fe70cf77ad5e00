"""Who would do what to whom: attacks and threats of each own Pokémon against the foe's active one.

Everything but the damage ranges, which the calculator adds (``porimon.showdown.facts.damage``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from porimon.showdown.dex.model import Move
from porimon.showdown.dex.store import Dex
from porimon.showdown.facts.effectiveness import Fighter, attack_multiplier, type_in_use
from porimon.showdown.facts.model import Attack, Matchup, MoveFacts, PokemonFacts, StatRange
from porimon.showdown.facts.pokemon import fighter_of
from porimon.showdown.view.model import BattleView, FieldView, PokemonView

_Ready = tuple[MoveFacts, Move, str]
"""A move of a Pokémon, its data, and the type that it has in use."""


def matchups_of(
    view: BattleView, own: tuple[PokemonFacts, ...], foe: tuple[PokemonFacts, ...], dex: Dex
) -> tuple[Matchup, ...]:
    """One matchup for each own Pokémon, in ``view.own.team``'s order.

    Without an active foe, attacks have no multiplier and there are no threats.
    """
    opponent = view.foe.active
    facing = None if opponent is None or opponent.fainted else opponent
    foe_knowledge = foe[0] if facing is not None else None
    them = fighter_of(facing, dex) if facing is not None else None
    threats: tuple[_Ready, ...] = ()
    if them is not None and foe_knowledge is not None:
        theirs = (*foe_knowledge.moves, *foe_knowledge.likely_moves)
        threats = _ready(theirs, them, view.field, dex)
    return tuple(
        _matchup(view, pokemon, facts, them, foe_knowledge, threats, dex)
        for pokemon, facts in zip(view.own.team, own, strict=True)
    )


def _matchup(
    view: BattleView,
    mine: PokemonView,
    my_facts: PokemonFacts,
    them: Fighter | None,
    opponent_facts: PokemonFacts | None,
    threats: tuple[_Ready, ...],
    dex: Dex,
) -> Matchup:
    me = fighter_of(mine, dex)
    moves = (*my_facts.moves, *my_facts.other_moves)
    if them is None or opponent_facts is None:
        return Matchup(tuple(Attack(move) for move in moves))
    gravity = view.field.has("gravity")
    return Matchup(
        tuple(
            _attack(one, me, my_facts, them, opponent_facts, gravity, dex)
            for one in _ready(moves, me, view.field, dex)
        ),
        tuple(_attack(one, them, opponent_facts, me, my_facts, gravity, dex) for one in threats),
        _faster(view, mine, my_facts, opponent_facts),
    )


def _ready(
    moves: Iterable[MoveFacts], user: Fighter, field: FieldView, dex: Dex
) -> tuple[_Ready, ...]:
    """The moves with what holds against every target: their data and the type that they have."""
    found = ((move, dex.move(move.id)) for move in moves)
    return tuple((move, data, type_in_use(data, user, field)) for move, data in found)


def _attack(
    ready: _Ready,
    user: Fighter,
    user_facts: PokemonFacts,
    target: Fighter,
    target_facts: PokemonFacts,
    gravity: bool,
    dex: Dex,
) -> Attack:
    move, data, attacking = ready
    return Attack(
        move,
        attack_multiplier(data, attacking, user, target, gravity, dex),
        scaled_power(data, user_facts, target_facts),
    )


def scaled_power(move: Move, user: PokemonFacts, target: PokemonFacts) -> int | None:
    """Base power × user's attack / target's defence, rounded (PokéLLMon's figure).

    The user's boosts act on its attack and the target's on its defence; the moves that use other
    stats do so here too (Body Press, Foul Play, Psyshock). ``None`` without a base power or where
    a stat is not known. Where a stat is a range, its middle counts.
    """
    if move.category == "status" or move.base_power <= 0:
        return None
    attacking = move.offensive_stat or ("atk" if move.category == "physical" else "spa")
    defending = move.defensive_stat or ("def" if move.category == "physical" else "spd")
    attacker = target if move.uses_target_attack else user
    attack, defence = attacker.stats.get(attacking), target.stats.get(defending)
    if attack is None or defence is None:
        return None
    return round(move.base_power * _middle(attack) / _middle(defence))


def _middle(value: StatRange) -> float:
    return max((value.low + value.high) / 2, 1.0)


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
