"""Weather, terrain, rooms, and what lies on a side: hazards, screens, Tailwind."""

from __future__ import annotations

from porimon.showdown.events.model import (
    FieldActivate,
    FieldEnd,
    FieldStart,
    SideEnd,
    SideStart,
    SwapSideConditions,
    Weather,
    showdown_id,
)
from porimon.showdown.view.battle_state import BattleState
from porimon.showdown.view.durations import FIELD_LENGTHS, SIDE_LENGTHS, WEATHER_LENGTHS
from porimon.showdown.view.handlers.registry import Handlers
from porimon.showdown.view.pokemon_state import PokemonState

handlers = Handlers()

MOST_LAYERS = {"spikes": 3, "toxicspikes": 2}
OF_A_PLACE = ("wish", "healingwish", "lunardance", "futuresight", "doomdesire")
"""Conditions of the place a Pokémon stands in: Court Change leaves them where they are."""


def _setter(state: BattleState, event: Weather | FieldStart) -> PokemonState | None:
    """Who caused it: the Pokémon that is named, or the one that has just used its move."""
    return state.find(event.of) if event.of is not None else state.last_mover


@handlers.on(Weather)
def _weather(state: BattleState, event: Weather) -> None:
    if event.weather is None:
        state.field.weather = None
    elif not event.upkeep:
        weather = showdown_id(event.weather)
        state.field.weather = state.start(
            weather, WEATHER_LENGTHS.get(weather, ()), setter=_setter(state, event)
        )


@handlers.on(FieldStart)
def _field_start(state: BattleState, event: FieldStart) -> None:
    effect = event.effect.id
    running = state.start(effect, FIELD_LENGTHS.get(effect, ()), setter=_setter(state, event))
    if effect.endswith("terrain"):
        state.field.terrain = running
    else:
        state.field.pseudo_weather[effect] = running


@handlers.on(FieldActivate)
def _field_activate(state: BattleState, event: FieldActivate) -> None:
    # Fairy Lock and Ion Deluge are only announced; their end is not told either.
    effect = event.effect.id
    if effect in FIELD_LENGTHS:
        state.field.pseudo_weather[effect] = state.start(
            effect, FIELD_LENGTHS[effect], expires=True
        )


@handlers.on(FieldEnd)
def _field_end(state: BattleState, event: FieldEnd) -> None:
    if event.effect.id.endswith("terrain"):
        state.field.terrain = None
    else:
        state.field.pseudo_weather.pop(event.effect.id, None)


@handlers.on(SideStart)
def _side_start(state: BattleState, event: SideStart) -> None:
    side, effect = state.sides[event.side], event.effect.id
    present = side.conditions.get(effect)
    if present is not None and effect in MOST_LAYERS:
        present.layers = min(MOST_LAYERS[effect], present.layers + 1)
    elif present is None:
        side.conditions[effect] = state.start(
            effect, SIDE_LENGTHS.get(effect, ()), setter=side.active
        )


@handlers.on(SideEnd)
def _side_end(state: BattleState, event: SideEnd) -> None:
    state.sides[event.side].conditions.pop(event.effect.id, None)


@handlers.on(SwapSideConditions)
def _swap_side_conditions(state: BattleState, event: SwapSideConditions) -> None:
    one, other = state.sides["p1"], state.sides["p2"]
    ones = {effect for effect in one.conditions if effect not in OF_A_PLACE}
    others = {effect for effect in other.conditions if effect not in OF_A_PLACE}
    from_one = {effect: one.conditions.pop(effect) for effect in ones}
    from_other = {effect: other.conditions.pop(effect) for effect in others}
    one.conditions.update(from_other)
    other.conditions.update(from_one)
