"""HP, statuses and stat stages."""

from __future__ import annotations

from typing import get_args

from porimon.showdown.events.model import (
    Boost,
    ClearAllBoost,
    ClearBoost,
    ClearNegativeBoost,
    ClearPositiveBoost,
    CopyBoost,
    CureStatus,
    CureTeam,
    Damage,
    Heal,
    InvertBoost,
    SetBoost,
    SetHp,
    Status,
    SwapBoost,
)
from porimon.showdown.view.battle_state import BattleState
from porimon.showdown.view.handlers.registry import Handlers
from porimon.showdown.view.model import BoostName

handlers = Handlers()

BOOSTS: tuple[BoostName, ...] = get_args(BoostName)


def _hp(state: BattleState, event: Damage | Heal | SetHp) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        pokemon.set_condition(event.condition, pokemon.role in state.exact_sides)
    if event.cause is not None and event.cause.id in ("healingwish", "lunardance"):
        state.sides[event.pokemon.side].conditions.pop(event.cause.id, None)
        if event.cause.id == "lunardance" and pokemon is not None:
            for move in pokemon.moves.values():
                move.used = 0


handlers.on(Damage)(_hp)
handlers.on(Heal)(_hp)
handlers.on(SetHp)(_hp)


@handlers.on(Status)
def _status(state: BattleState, event: Status) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        pokemon.set_status(event.status, fresh=state.in_end_phase)


@handlers.on(CureStatus)
def _cure_status(state: BattleState, event: CureStatus) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is None:
        return
    if event.status == "confusion":
        pokemon.volatiles.pop("confusion", None)
    else:
        pokemon.set_status(None)


@handlers.on(CureTeam)
def _cure_team(state: BattleState, event: CureTeam) -> None:
    for pokemon in state.sides[event.pokemon.side].pokemon.values():
        pokemon.set_status(None)


@handlers.on(Boost)
def _boost(state: BattleState, event: Boost) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None and event.stat in BOOSTS:
        pokemon.boost(event.stat, event.amount)


@handlers.on(SetBoost)
def _set_boost(state: BattleState, event: SetBoost) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None and event.stat in BOOSTS:
        pokemon.set_boost(event.stat, event.amount)


@handlers.on(SwapBoost)
def _swap_boost(state: BattleState, event: SwapBoost) -> None:
    one, other = state.find(event.pokemon), state.find(event.target)
    if one is None or other is None:
        return
    for stat in BOOSTS:
        if not event.stats or stat in event.stats:
            kept = one.boosts.get(stat, 0)
            one.set_boost(stat, other.boosts.get(stat, 0))
            other.set_boost(stat, kept)


@handlers.on(InvertBoost)
def _invert_boost(state: BattleState, event: InvertBoost) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        pokemon.boosts = {stat: -stage for stat, stage in pokemon.boosts.items()}


@handlers.on(ClearBoost)
def _clear_boost(state: BattleState, event: ClearBoost) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        pokemon.boosts = {}


@handlers.on(ClearAllBoost)
def _clear_all_boosts(state: BattleState, event: ClearAllBoost) -> None:
    for side in state.sides.values():
        if side.active is not None:
            side.active.boosts = {}


@handlers.on(ClearPositiveBoost)
def _clear_positive_boosts(state: BattleState, event: ClearPositiveBoost) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        pokemon.boosts = {stat: stage for stat, stage in pokemon.boosts.items() if stage < 0}


@handlers.on(ClearNegativeBoost)
def _clear_negative_boosts(state: BattleState, event: ClearNegativeBoost) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        pokemon.boosts = {stat: stage for stat, stage in pokemon.boosts.items() if stage > 0}


@handlers.on(CopyBoost)
def _copy_boost(state: BattleState, event: CopyBoost) -> None:
    pokemon, target = state.find(event.pokemon), state.find(event.target)
    if pokemon is not None and target is not None:
        pokemon.boosts = dict(target.boosts)
