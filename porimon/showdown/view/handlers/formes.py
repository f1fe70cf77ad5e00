"""Changes of forme, and Transform."""

from __future__ import annotations

from porimon.showdown.events.model import DetailsChange, FormeChange, Transform
from porimon.showdown.view.battle_state import BattleState
from porimon.showdown.view.handlers.registry import Handlers
from porimon.showdown.view.pokemon_state import COPIED_PP, MoveState
from porimon.showdown.view.possible import known_ability
from porimon.showdown.view.speed import possible_speeds

handlers = Handlers()

COPIED_VOLATILES = ("focusenergy", "laserfocus")


@handlers.on(DetailsChange)
def _details_change(state: BattleState, event: DetailsChange) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        pokemon.species = pokemon.kept_species = event.details.species_id
        pokemon.types = None
        if event.condition is not None:
            pokemon.set_condition(event.condition, pokemon.role in state.exact_sides)


@handlers.on(FormeChange)
def _forme_change(state: BattleState, event: FormeChange) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        pokemon.species = event.species_id
        pokemon.types = None


@handlers.on(Transform)
def _transform(state: BattleState, event: Transform) -> None:
    """Transform copies species, types, ability, stages and moves (5 PP each), not HP and item."""
    pokemon, target = state.find(event.pokemon), state.find(event.target)
    if pokemon is None or target is None:
        return
    if event.cause is not None and event.cause.kind == "ability":
        pokemon.reveal_ability(event.cause.id)
    pokemon.species = pokemon.transformed_into = target.species
    pokemon.types, pokemon.added_type = target.types, target.added_type
    pokemon.boosts = dict(target.boosts)
    pokemon.ability = known_ability(state.dex, target)
    pokemon.copied_speeds = possible_speeds(state.dex, target)
    pokemon.copied_moves = {
        move: MoveState(move, min(COPIED_PP, known.max_pp or COPIED_PP))
        for move, known in target.known_moves.items()
    }
    for effect in COPIED_VOLATILES:
        pokemon.volatiles.pop(effect, None)
        if effect in target.volatiles:
            pokemon.volatiles[effect] = target.volatiles[effect].copy()
