"""Moves used and prevented: what a Pokémon knows, its PP, and what a move leaves pending."""

from __future__ import annotations

from porimon.showdown.dex import Move as DexMove
from porimon.showdown.events.model import (
    Animation,
    Cant,
    Fail,
    Move,
    MustRecharge,
    Prepare,
    showdown_id,
)
from porimon.showdown.events.parse import parse_ident
from porimon.showdown.view.battle_state import BattleState
from porimon.showdown.view.durations import (
    TWO_TURN_LENGTH,
    VOLATILE_LENGTHS,
    WISH_LENGTH,
)
from porimon.showdown.view.handlers.registry import Handlers
from porimon.showdown.view.illusion import exposed_by_move, unmask_suspect
from porimon.showdown.view.pokemon_state import COPIED_PP, MoveState, PokemonState
from porimon.showdown.view.possible import known_ability

handlers = Handlers()

NOT_PRESSED_TARGETS = frozenset({"self", "allySide", "allyTeam", "allies", "adjacentAlly",
                                 "adjacentAllyOrSelf", "foeSide"})  # fmt: skip
"""Targets of moves that Pressure does not touch (except those with ``mustpressure``)."""

REPEATS = frozenset({"lockedmove", "twoturnmove"})
"""Causes of a move that its user is bound to: it costs no PP."""

CALLS_OWN_MOVE = frozenset({"sleeptalk"})
"""Moves that call a move of their user's own."""

UNTIL_NEXT_MOVE = ("destinybond", "grudge", "rage")
PENDING = ("wish", "healingwish", "lunardance")
EXHAUSTING = frozenset({"struggle", "recharge"})
PREVENTED_BEFORE_PP = frozenset(
    {"taunt", "disable", "healblock", "throatchop", "imprison", "gravity", "nopp"}
)
"""Reasons that stop a chosen move before it is used: it becomes known, no PP is lost."""


@handlers.on(Move)
def _move(state: BattleState, event: Move) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is None:
        return
    state.last_mover = pokemon
    for effect in (*UNTIL_NEXT_MOVE, "mustrecharge"):
        pokemon.volatiles.pop(effect, None)
    move = state.dex.find_move(event.move_id)
    if move is None:
        return
    if "charge" in move.flags:
        pokemon.volatiles.pop(move.id, None)  # the second turn of a two-turn move
    cause = event.cause
    if cause is None:
        side = state.sides[pokemon.role]
        if exposed_by_move(state.dex, side, pokemon, move.id) and unmask_suspect(state.dex, side):
            pokemon = state.last_mover = side.active or pokemon
        pokemon.acted = True
        pokemon.last_move = move.id
        _spend(state, pokemon, move, event)
        _bind_by_choice(pokemon, move)
    elif cause.id in REPEATS:
        pokemon.acted = True
        pokemon.last_move = move.id
    elif cause.id in CALLS_OWN_MOVE:
        _learn(state, pokemon, move)
        _press(state, pokemon, move, event, paid_by=cause.id)
    elif cause.kind != "ability":
        _press(state, pokemon, move, event, paid_by=cause.id)
    if move.id in PENDING and not event.has_tag("notarget"):
        _leave_pending(state, pokemon, move)


def _learn(state: BattleState, pokemon: PokemonState, move: DexMove) -> MoveState | None:
    """The record of a move that a Pokémon knows; ``None`` for Struggle and the like."""
    if move.id in EXHAUSTING:
        return None
    known = pokemon.known_moves
    if move.id not in known:
        most = min(COPIED_PP, move.pp) if pokemon.copied_moves is not None else move.pp
        known[move.id] = MoveState(move.id, most)
    return known[move.id]


def _spend(state: BattleState, pokemon: PokemonState, move: DexMove, event: Move) -> None:
    known = _learn(state, pokemon, move)
    if known is not None:
        known.used += 1
        _press(state, pokemon, move, event, paid_by=move.id)


def _press(
    state: BattleState, pokemon: PokemonState, move: DexMove, event: Move, *, paid_by: str
) -> None:
    """Pressure takes one more PP from a move that is aimed at its holder."""
    foe = state.foe_of(pokemon)
    if foe is None or foe.fainted or known_ability(state.dex, foe) != "pressure":
        return
    if "gastroacid" in foe.volatiles:
        return
    # Some moves (Curse) are aimed at their user or at the foe, by the user's type.
    at_itself = event.target == event.pokemon and move.target != "all"
    pressed = "mustpressure" in move.flags or (
        move.target not in NOT_PRESSED_TARGETS and not at_itself
    )
    paying = pokemon.known_moves.get(paid_by)
    if pressed and paying is not None:
        paying.used += 1


def _bind_by_choice(pokemon: PokemonState, move: DexMove) -> None:
    """The first move since coming in, or since the item changed, is what a Choice item binds to."""
    if move.id in EXHAUSTING:
        return
    if pokemon.choice_candidate is None:
        pokemon.choice_candidate = move.id
    pokemon.moves_since_entry.add(move.id)


def _leave_pending(state: BattleState, pokemon: PokemonState, move: DexMove) -> None:
    conditions = state.sides[pokemon.role].conditions
    if move.id not in conditions:
        wish = move.id == "wish"
        conditions[move.id] = state.start(
            move.id, WISH_LENGTH if wish else (), setter=pokemon, expires=wish
        )


@handlers.on(Fail)
def _fail(state: BattleState, event: Fail) -> None:
    pokemon = state.find(event.pokemon) if event.pokemon is not None else None
    if pokemon is None or pokemon is not state.last_mover or event.effect is not None:
        return
    # A Wish that failed left nothing behind; one that was pending before stays.
    if pokemon.last_move in PENDING:
        conditions = state.sides[pokemon.role].conditions
        pending = conditions.get(pokemon.last_move)
        if pending is not None and pending.started_turn == state.turn:
            del conditions[pokemon.last_move]


@handlers.on(Cant)
def _cant(state: BattleState, event: Cant) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is None or event.reason.kind == "ability":
        return  # the Pokémon named is the ability's holder; the move's user was told before
    pokemon.acted = True
    _abort(state, pokemon)
    if event.reason.id == "slp" and pokemon.status_turns is not None:
        pokemon.status_turns += 1
    if event.reason.id == "recharge":
        pokemon.volatiles.pop("mustrecharge", None)
    if event.move is not None and event.reason.id in PREVENTED_BEFORE_PP:
        move = state.dex.find_move(event.move)
        if move is not None:
            _learn(state, pokemon, move)


def _abort(state: BattleState, pokemon: PokemonState) -> None:
    """A prevented move ends what waits for the next move, and a two-turn move."""
    for effect in list(pokemon.volatiles):
        move = state.dex.find_move(effect)
        if effect in UNTIL_NEXT_MOVE or (move is not None and "charge" in move.flags):
            del pokemon.volatiles[effect]


@handlers.on(MustRecharge)
def _must_recharge(state: BattleState, event: MustRecharge) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        pokemon.volatiles["mustrecharge"] = state.start(
            "mustrecharge", VOLATILE_LENGTHS["mustrecharge"]
        )


@handlers.on(Prepare)
def _prepare(state: BattleState, event: Prepare) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        move = showdown_id(event.move)
        pokemon.volatiles[move] = state.start(move, TWO_TURN_LENGTH)


@handlers.on(Animation)
def _animation(state: BattleState, event: Animation) -> None:
    # A two-turn move that strikes at once (Power Herb, Solar Beam in the sun) only shows this.
    arguments = event.line.arguments
    ident = parse_ident(arguments[0]) if len(arguments) > 1 else None
    pokemon = state.find(ident) if ident is not None else None
    if pokemon is not None:
        pokemon.volatiles.pop(showdown_id(arguments[1]), None)
