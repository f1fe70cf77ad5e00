"""Which types a Pokémon has now."""

from __future__ import annotations

from porimon.showdown.dex import Dex
from porimon.showdown.view.pokemon_state import PokemonState


def types_now(dex: Dex, pokemon: PokemonState) -> tuple[str, ...]:
    """Its species' types, or those that an effect has given it; without Flying while it roosts.

    A pure Flying type that roosts is Normal for that turn. The type that Forest's Curse or
    Trick-or-Treat adds comes last.
    """
    species = dex.find_species(pokemon.species)
    types = pokemon.types
    if types is None:
        types = species.types if species is not None else ()
    if "roost" in pokemon.volatiles and "flying" in types:
        types = tuple(name for name in types if name != "flying") or ("normal",)
    if pokemon.added_type is not None and pokemon.added_type not in types:
        types = (*types, pokemon.added_type)
    return types
