"""Volatile effects: begun, ended, of one turn or one move, and changes of type by them."""

from __future__ import annotations

import re

from porimon.showdown.events.model import (
    Activate,
    SingleMove,
    SingleTurn,
    VolatileEnd,
    VolatileStart,
    showdown_id,
)
from porimon.showdown.events.parse import parse_ident
from porimon.showdown.view.battle_state import OTHER_SIDE, BattleState
from porimon.showdown.view.durations import (
    FUTURE_MOVE_LENGTH,
    PARTIAL_TRAP_LENGTHS,
    SIDE_LENGTHS,
    VOLATILE_LENGTHS,
    Lengths,
)
from porimon.showdown.view.handlers.registry import Handlers
from porimon.showdown.view.pokemon_state import PokemonState
from porimon.showdown.view.types import types_now

handlers = Handlers()

FUTURE_MOVES = ("futuresight", "doomdesire")
PARTIAL_TRAPS = frozenset(
    {
        "bind", "clamp", "firespin", "infestation", "magmastorm", "sandtomb", "snaptrap",
        "thundercage", "whirlpool", "wrap",
    }
)  # fmt: skip
COUNTED = re.compile(r"(stockpile|perish)(\d)")
BEGUN_BY_ACTIVATION = {"trapped": "trapped", "lockon": "lockon", "mindreader": "lockon"}
"""Effects that begin with an ``-activate``, by what it names."""

UNTOLD_END = frozenset({"laserfocus", "lockon", "throatchop"})
"""Effects whose end no message tells."""

LONGER_IF_ACTED = frozenset({"taunt", "encore"})
"""They last one phase more when the target has had its move in the turn in which they begin."""


@handlers.on(VolatileStart)
def _start(state: BattleState, event: VolatileStart) -> None:
    pokemon, effect = state.find(event.pokemon), event.effect.id
    if pokemon is None:
        return
    if effect in ("typechange", "typeadd"):
        _change_types(state, event, pokemon)
    elif effect in FUTURE_MOVES:
        side = state.sides[OTHER_SIDE[pokemon.role]]
        side.conditions[effect] = state.start(
            effect, FUTURE_MOVE_LENGTH, setter=pokemon, expires=True
        )
    elif (counted := COUNTED.fullmatch(effect)) is not None:
        _count(state, pokemon, counted.group(1), int(counted.group(2)))
    else:
        detail = showdown_id(event.arguments[0]) if event.arguments else None
        if effect == "encore":
            detail = pokemon.last_move
        pokemon.volatiles[effect] = state.start(
            effect,
            _lengths(pokemon, effect, mid_move=event.cause is not None),
            setter=state.find(event.of) if event.of is not None else None,
            detail=detail or None,
            expires=effect in UNTOLD_END,
        )


def _lengths(pokemon: PokemonState, effect: str, *, mid_move: bool) -> Lengths:
    """The simulator counts a turn less or more, by whether the target still has its move.

    ``mid_move``: it began in the midst of its target's own move (Cursed Body).
    """
    lengths = VOLATILE_LENGTHS.get(effect, ())
    if effect in LONGER_IF_ACTED and pokemon.acted:
        return tuple(length + 1 for length in lengths)
    if effect == "disable" and (mid_move or not pokemon.acted):
        return tuple(length - 1 for length in lengths)
    return lengths


def _count(state: BattleState, pokemon: PokemonState, effect: str, count: int) -> None:
    if effect == "stockpile":
        running = pokemon.volatiles.setdefault(effect, state.start(effect))
        running.layers = count
        return
    # The message of each end of turn tells how many are left after it.
    running = state.start("perishsong", (count,), expires=False)
    known = pokemon.volatiles.get("perishsong")
    if known is not None:
        running.started_turn = known.started_turn
    pokemon.volatiles["perishsong"] = running


def _change_types(state: BattleState, event: VolatileStart, pokemon: PokemonState) -> None:
    named = tuple(
        filter(
            None, (showdown_id(name) for name in event.arguments[:1] for name in name.split("/"))
        )
    )
    if event.effect.id == "typeadd":
        pokemon.added_type = named[0] if named else None
    elif event.arguments:
        pokemon.types, pokemon.added_type = named, None
    elif event.of is not None and (source := state.find(event.of)) is not None:
        pokemon.types, pokemon.added_type = types_now(state.dex, source), source.added_type


@handlers.on(VolatileEnd)
def _end(state: BattleState, event: VolatileEnd) -> None:
    pokemon, effect = state.find(event.pokemon), event.effect.id
    if pokemon is None:
        return
    if effect in FUTURE_MOVES:
        state.sides[pokemon.role].conditions.pop(effect, None)
    elif event.has_tag("partiallytrapped"):
        pokemon.volatiles.pop("partiallytrapped", None)
        pokemon.volatiles.pop(effect, None)
    elif effect == "typechange":
        pokemon.types = None
    elif effect.startswith("perish"):
        pokemon.volatiles.pop("perishsong", None)
    else:
        pokemon.volatiles.pop(effect, None)


@handlers.on(SingleTurn)
def _single_turn(state: BattleState, event: SingleTurn) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        effect = event.effect.id
        # Quick Guard and its like are announced for their user, but protect its side.
        side = state.sides[pokemon.role]
        holder = side.conditions if effect in SIDE_LENGTHS else pokemon.volatiles
        holder[effect] = state.start(effect, (1,), expires=True)


@handlers.on(SingleMove)
def _single_move(state: BattleState, event: SingleMove) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        pokemon.volatiles[event.effect.id] = state.start(event.effect.id)


@handlers.on(Activate)
def _activate(state: BattleState, event: Activate) -> None:
    pokemon = state.find(event.pokemon) if event.pokemon is not None else None
    if pokemon is None:
        return
    effect = event.effect.id
    if effect in PARTIAL_TRAPS:
        pokemon.volatiles["partiallytrapped"] = state.start(
            "partiallytrapped",
            PARTIAL_TRAP_LENGTHS,
            setter=state.find(event.of) if event.of is not None else state.last_mover,
            detail=effect,
        )
    elif effect in BEGUN_BY_ACTIVATION:
        effect = BEGUN_BY_ACTIVATION[effect]
        pokemon.volatiles[effect] = state.start(
            effect,
            VOLATILE_LENGTHS.get(effect, ()),
            setter=state.foe_of(pokemon) if effect == "trapped" else None,
            expires=effect in UNTOLD_END,
        )
    elif effect in ("spite", "eeriespell", "grudge") and event.arguments:
        _drain_pp(pokemon, *event.arguments)
    elif effect == "mimicry":
        pokemon.types = None
    elif effect == "skillswap" and len(event.arguments) == 2 and event.of is not None:
        target = state.find(event.of)
        gained, given = (showdown_id(name) for name in event.arguments)
        if target is not None and gained and given:
            pokemon.change_ability(gained, given)
            target.change_ability(given, gained)
    elif effect in ("mummy", "wanderingspirit") and event.arguments:
        _pass_ability_on(state, event, pokemon)


def _drain_pp(pokemon: PokemonState, move: str, amount: str | None = None, *_: str) -> None:
    """A move loses ``amount`` PP, or, where none is told (Grudge), all that are left."""
    known = pokemon.known_moves.get(showdown_id(move))
    if known is None:
        return
    if amount is None:
        known.used = known.max_pp if known.max_pp is not None else known.used
    elif amount.isdecimal():
        known.used += int(amount)


def _pass_ability_on(state: BattleState, event: Activate, holder: PokemonState) -> None:
    """Mummy: whoever touched its holder has that ability now; the message names the former one."""
    ident = parse_ident(event.arguments[0])
    touching = state.find(ident) if ident is not None else None
    former = event.tag("ability")
    if touching is not None:
        holder.reveal_ability(event.effect.id)
        touching.change_ability(event.effect.id, showdown_id(former) if former else None)
