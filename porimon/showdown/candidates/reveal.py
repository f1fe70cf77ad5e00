"""What a view tells of a foe's set: the step from ``PokemonView`` to ``Revealed``."""

from __future__ import annotations

from collections.abc import Mapping

from porimon.showdown.candidates.model import Revealed
from porimon.showdown.view.model import PokemonView

_NOT_OF_THE_SET = frozenset({"struggle"})


def revealed_from_view(
    pokemon: PokemonView,
    *,
    excluded_items: Mapping[str, str] | None = None,
    excluded_abilities: Mapping[str, str] | None = None,
) -> Revealed:
    """What is known of the set of ``pokemon``.

    The item is the first that it was seen to hold: later ones came from elsewhere (Trick). The
    moves of a Pokémon that has transformed are those of another and don't count. The exclusions are
    facts that a view doesn't hold (``porimon.showdown.candidates.clues``).
    """
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
        excluded_items=dict(excluded_items or {}),
        excluded_abilities=dict(excluded_abilities or {}),
    )
