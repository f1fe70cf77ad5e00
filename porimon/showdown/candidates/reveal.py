"""What a view tells of a foe's set: the step from ``PokemonView`` to ``Revealed``."""

from __future__ import annotations

from porimon.showdown.candidates.clues import NO_CLUES, Clues
from porimon.showdown.candidates.model import Revealed
from porimon.showdown.view.model import PokemonView

_NOT_OF_THE_SET = frozenset({"struggle"})


def revealed_from_view(pokemon: PokemonView, clues: Clues = NO_CLUES) -> Revealed:
    """What is known of the set of ``pokemon``.

    The item is the one that it must have come with, else the first that it was seen to hold: later
    ones came from elsewhere (Trick). The
    moves of a Pokémon that has transformed are those of another and don't count. ``clues`` are what
    items and abilities would have shown by now, which a view doesn't hold.
    """
    item = clues.implied_item
    if item is None:
        item = pokemon.former_items[0] if pokemon.former_items else pokemon.item
    moves = (
        frozenset()
        if pokemon.transformed_into is not None
        else frozenset(move.id for move in pokemon.moves) - _NOT_OF_THE_SET
    )
    return Revealed(
        species=pokemon.team_species,
        level=pokemon.level,
        moves=moves,
        item=item,
        ability=pokemon.base_ability,
        excluded_items=clues.excluded_items if item is None else {},
        excluded_abilities=clues.excluded_abilities if pokemon.base_ability is None else {},
    )
