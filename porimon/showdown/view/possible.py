"""What a Random Battle Pokémon can have by its species alone, where that is public knowledge."""

from __future__ import annotations

from porimon.showdown.dex import Dex, RandomSets
from porimon.showdown.view.pokemon_state import PokemonState

PARTS_OF_AS_ONE = ("unnerve", "chillingneigh", "grimneigh")


def drawn_sets(dex: Dex, pokemon: PokemonState) -> tuple[RandomSets, ...]:
    """The generator's sets for the species as it was drawn; empty where it has none.

    A species that can Gigantamax may have sets under that forme too, though it shows itself plain.
    """
    species = pokemon.team_species
    found = (dex.random_sets(species), dex.random_sets(f"{species}gmax"))
    return tuple(sets for sets in found if sets is not None)


def possible_moves(dex: Dex, pokemon: PokemonState) -> frozenset[str]:
    """Every move of every set; empty where there are no sets to know."""
    return frozenset(move for sets in drawn_sets(dex, pokemon) for move in sets.moves)


def possible_abilities(dex: Dex, pokemon: PokemonState) -> tuple[str, ...]:
    """The abilities that its sets may have; those of its species where it has no sets."""
    abilities = {ability: None for sets in drawn_sets(dex, pokemon) for ability in sets.abilities}
    if abilities:
        return tuple(abilities)
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


def spoken_ability(dex: Dex, pokemon: PokemonState, ability: str) -> str | None:
    """The ability that a message means; ``None`` if it names a mere part of another one.

    As One is announced by that name, though there are two of them, and then by its parts.
    """
    if ability == "asone":
        combined = (one for one in possible_abilities(dex, pokemon) if one.startswith("asone"))
        return next(combined, ability)
    known = known_ability(dex, pokemon) or ""
    return None if known.startswith("asone") and ability in PARTS_OF_AS_ONE else ability
