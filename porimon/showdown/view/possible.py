"""What a Random Battle Pokémon can have by its species alone, where that is public knowledge."""

from __future__ import annotations

from porimon.showdown.dex import Dex, RandomSets
from porimon.showdown.view.pokemon_state import PokemonState


def random_sets(dex: Dex, pokemon: PokemonState) -> RandomSets | None:
    """The generator's sets for the species as it was drawn; ``None`` where it has none.

    A species that can Gigantamax may have its sets under that forme, though it shows itself plain.
    """
    species = pokemon.team_species
    return dex.random_sets(species) or dex.random_sets(f"{species}gmax")


def possible_abilities(dex: Dex, pokemon: PokemonState) -> tuple[str, ...]:
    """The abilities that its sets may have; those of its species where it has no sets."""
    sets = random_sets(dex, pokemon)
    if sets is not None and sets.abilities:
        return sets.abilities
    species = dex.find_species(pokemon.kept_species)
    return species.abilities if species is not None else ()


def known_ability(dex: Dex, pokemon: PokemonState) -> str | None:
    """Its ability if it was seen, or if there is but one that it can have."""
    if pokemon.ability is not None:
        return pokemon.ability
    return known_base_ability(dex, pokemon) if pokemon.transformed_into is None else None


def known_base_ability(dex: Dex, pokemon: PokemonState) -> str | None:
    """The ability that it was drawn with, if it was seen or is the only possible one."""
    if pokemon.base_ability is not None:
        return pokemon.base_ability
    possible = possible_abilities(dex, pokemon)
    return possible[0] if len(possible) == 1 else None
