"""Illusion: what was seen of a disguised Pokémon is booked on it once it is known.

Until then everything is seen under the impersonated Pokémon's name. It comes to light in three
ways: the disguise breaks (``replace``), one's own request names the Pokémon that is really
active, or a Pokémon comes in that had seemed to faint.
"""

from __future__ import annotations

from porimon.showdown.dex import Dex
from porimon.showdown.events.model import Details
from porimon.showdown.view.battle_state import SideState
from porimon.showdown.view.pokemon_state import PokemonState

ILLUSION = "illusion"

OF_THE_STAY = (
    "hp", "max_hp", "hp_fraction", "status", "status_turns", "status_fresh", "fainted", "types",
    "added_type", "boosts", "volatiles", "last_move", "turns_active", "acted",
    "choice_candidate", "moves_since_entry", "item_lost_since_entry",
)  # fmt: skip
"""What belongs to the Pokémon that stood there, whoever it seemed to be."""


def unmask(side: SideState, name: str, details: Details) -> PokemonState:
    """The active Pokémon turns out to be ``name``: give it what was seen since it came in.

    The impersonated Pokémon's record goes back to what it was before. Without a disguise (the
    active Pokémon has that name already) nothing changes but the details.

    Raises
    ------
    ValueError
        If the side has no active Pokémon.
    """
    seen_as = side.active
    if seen_as is None:
        raise ValueError(f"{side.role} has no active Pokémon to unmask")
    real = seen_as
    if seen_as.name != name:
        real = side.pokemon.get(name) or PokemonState.seen(side.role, name, details)
        side.pokemon[name] = real
        side.before_entry[name] = None
        _move_stay(side, seen_as, real)
        side.active = real
    real.species = real.kept_species = details.species_id
    real.level, real.gender, real.shiny = details.level, details.gender, details.shiny
    real.ability = real.base_ability = ILLUSION
    return real


def restore_impersonated(dex: Dex, side: SideState, fainted: PokemonState) -> PokemonState | None:
    """``fainted`` is alive after all: its record of before, ``None`` if it was never really seen.

    Whoever fainted in its place is booked as fainted, where only one Pokémon can have been it.
    """
    before = side.before_entry.get(fainted.name)
    real = _illusionist(dex, side)
    if real is not None:
        side.pokemon[real.name] = real
        _move_stay(side, fainted, real)
    elif before is None:
        del side.pokemon[fainted.name]
    else:
        side.pokemon[fainted.name] = before
    return before


def _illusionist(dex: Dex, side: SideState) -> PokemonState | None:
    """The one Pokémon of the side that can have been in disguise."""
    known = [
        pokemon
        for pokemon in side.pokemon.values()
        if pokemon.base_ability == ILLUSION and not pokemon.fainted
    ]
    if known:
        return known[0]
    possible = [
        species
        for species in dex.ids("random_sets")
        if (sets := dex.random_sets(species)) is not None and ILLUSION in sets.abilities
    ]
    if len(possible) != 1:
        return None
    species, sets = dex.species(possible[0]), dex.random_sets(possible[0])
    if sets is None:
        return None
    found = PokemonState.seen(side.role, species.name, Details(species.name, sets.level))
    found.ability = found.base_ability = ILLUSION
    return found


def _move_stay(side: SideState, seen_as: PokemonState, real: PokemonState) -> None:
    """Book on ``real`` what happened under another's name since it came in, and undo it there."""
    before = side.before_entry.get(seen_as.name)
    for name in OF_THE_STAY:
        setattr(real, name, getattr(seen_as, name))
    known_item = before.item if before is not None else None
    lost = before.former_items if before is not None else []
    if seen_as.item != known_item or seen_as.former_items != lost:
        real.item = seen_as.item
        real.former_items += seen_as.former_items[len(lost) :]
    for move in seen_as.moves.values():
        earlier = before.moves.get(move.id) if before is not None else None
        used_now = move.used - (earlier.used if earlier is not None else 0)
        if earlier is None or used_now:
            known = real.moves.setdefault(move.id, type(move)(move.id, move.max_pp))
            known.used += used_now
    if before is None:
        del side.pokemon[seen_as.name]
    else:
        side.pokemon[seen_as.name] = before
