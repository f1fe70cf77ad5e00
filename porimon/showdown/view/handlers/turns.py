"""The battle's frame: sides, format, turns, and the end of a turn, when everything counts down."""

from __future__ import annotations

from porimon.showdown.events.model import (
    Spacer,
    TeamSize,
    Tie,
    Tier,
    Timestamp,
    Turn,
    Upkeep,
    Win,
)
from porimon.showdown.view.battle_state import BattleState
from porimon.showdown.view.durations import Running
from porimon.showdown.view.handlers.registry import Handlers
from porimon.showdown.view.pokemon_state import PokemonState

handlers = Handlers()


@handlers.on(TeamSize)
def _team_size(state: BattleState, event: TeamSize) -> None:
    state.sides[event.side].team_size = event.size


@handlers.on(Tier)
def _tier(state: BattleState, event: Tier) -> None:
    state.format_name = event.name


@handlers.on(Spacer)
def _spacer(state: BattleState, event: Spacer) -> None:
    # An empty message opens the end-of-turn phase (and, harmlessly, the battle).
    state.in_end_phase = state.turn > 0


@handlers.on(Timestamp)
def _timestamp(state: BattleState, event: Timestamp) -> None:
    # The server stamps each batch of orders: what follows is not the end of the turn.
    state.in_end_phase = False


@handlers.on(Turn)
def _turn(state: BattleState, event: Turn) -> None:
    state.turn = event.number
    state.in_end_phase = False
    for side in state.sides.values():
        if side.active is not None:
            side.active.acted = False
            if side.active.turns_active is not None:
                side.active.turns_active += 1


@handlers.on(Upkeep)
def _upkeep(state: BattleState, event: Upkeep) -> None:
    state.in_end_phase = False
    for side in state.sides.values():
        _tick_all(side.conditions)
        if side.active is not None:
            _tick_pokemon(side.active)
    _tick_all(state.field.pseudo_weather)
    for running in (state.field.weather, state.field.terrain):
        if running is not None:
            running.tick()


@handlers.on(Win)
def _win(state: BattleState, event: Win) -> None:
    state.finished = True


@handlers.on(Tie)
def _tie(state: BattleState, event: Tie) -> None:
    state.finished = True


def _tick_all(conditions: dict[str, Running]) -> None:
    for effect, running in list(conditions.items()):
        running.tick()
        if running.run_out:
            del conditions[effect]


def _tick_pokemon(pokemon: PokemonState) -> None:
    _tick_all(pokemon.volatiles)
    if pokemon.status == "tox" and pokemon.status_turns is not None:
        # The toxic counter grows whether or not the damage shows (Magic Guard, Poison Heal).
        if pokemon.status_fresh:
            pokemon.status_fresh = False
        else:
            pokemon.status_turns = min(15, pokemon.status_turns + 1)
