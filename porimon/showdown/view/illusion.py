"""Illusion: what was seen of a disguised Pokémon is booked on it once it is known.

Until then everything is seen under the impersonated Pokémon's name. It comes to light in several
ways: the disguise breaks (``replace``); one's own request names the Pokémon that is really active;
a move is used that the species never has; a Pokémon comes in that had seemed to faint, or with the
HP of another one, or under the name of the very Pokémon that it relieves. The last four are
deductions that a player can make; they need that only one Pokémon of the side can have Illusion.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from porimon.showdown.dex import Dex
from porimon.showdown.events.model import Condition, Details
from porimon.showdown.view.battle_state import SideState
from porimon.showdown.view.pokemon_state import PokemonState
from porimon.showdown.view.possible import possible_abilities, possible_moves

ILLUSION = "illusion"
HUNDREDTH = 0.0101
"""A foe's HP are told in hundredths, rounded."""

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
    real.describe(details)
    real.ability = real.base_ability = ILLUSION
    return real


def unmask_suspect(dex: Dex, side: SideState) -> bool:
    """The active Pokémon must be in disguise: unmask the one that can be; false if there is none.

    Its gender stays unknown until it shows itself.
    """
    suspect = _illusionist(dex, side)
    if suspect is None or suspect is side.active:
        return False
    known = suspect.name in side.pokemon
    gender = suspect.gender if known else None
    species = dex.species(suspect.kept_species)
    unmask(side, suspect.name, Details(species.name, suspect.level)).gender = gender
    return True


def exposed_by_move(dex: Dex, side: SideState, pokemon: PokemonState, move: str) -> bool:
    """Whether a move betrays a disguise: no set of the species has it, one of the suspect's has."""
    if pokemon.transformed_into is not None or pokemon.base_ability == ILLUSION:
        return False
    moves = possible_moves(dex, pokemon)
    if not moves or move in moves or move in pokemon.moves:
        return False
    suspect = _illusionist(dex, side)
    return suspect is not None and move in possible_moves(dex, suspect)


def relieved_by_namesake(
    dex: Dex, side: SideState, leaving: PokemonState, entering: Condition
) -> Literal["leaving", "entering"] | None:
    """A Pokémon relieves one of the same name: which of the two is in disguise, ``None`` if open.

    If the leaving one was, the newcomer is genuine and has the HP that the name had before (full,
    if it was never seen before). A move that no set of the suspect has proves the leaving one
    genuine.
    """
    before = side.before_entry.get(leaving.name)
    expected = before.hp_fraction if before is not None else 1.0
    if abs(entering.fraction - expected) > HUNDREDTH or _proved_genuine(dex, side, leaving):
        return "entering"
    return "leaving" if expected < 1.0 else None


def betrayed_by_hp(dex: Dex, side: SideState, name: str, entering: Condition) -> bool:
    """Whether the HP and status that come in are not the named Pokémon's, but the suspect's."""
    named = side.pokemon.get(name)
    if named is None or named.fainted or _matches(named, entering):
        return False
    suspect = _illusionist(dex, side)
    if suspect is None or suspect.name not in side.pokemon:
        return False
    return "regenerator" not in possible_abilities(dex, named) and _matches(suspect, entering)


def _matches(pokemon: PokemonState, condition: Condition) -> bool:
    near = abs(pokemon.hp_fraction - condition.fraction) <= HUNDREDTH
    return near and pokemon.status == condition.status


def _proved_genuine(dex: Dex, side: SideState, pokemon: PokemonState) -> bool:
    suspect = _illusionist(dex, side)
    if suspect is None:
        return False
    suspects_moves = possible_moves(dex, suspect)
    before = side.before_entry.get(pokemon.name)
    used_before = {move.id: move.used for move in before.moves.values()} if before else {}
    return any(
        move.used > used_before.get(move.id, 0) and move.id not in suspects_moves
        for move in pokemon.moves.values()
    )


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
    known = [pokemon for pokemon in side.pokemon.values() if pokemon.base_ability == ILLUSION]
    if known:
        return known[0] if not known[0].fainted else None
    possible = _species_with_illusion(dex)
    if len(possible) != 1:
        return None
    species, sets = dex.species(possible[0]), dex.random_sets(possible[0])
    if sets is None:
        return None
    found = PokemonState.seen(side.role, species.name, Details(species.name, sets.level))
    found.gender = None
    found.ability = found.base_ability = ILLUSION
    return found


@lru_cache(maxsize=2)
def _species_with_illusion(dex: Dex) -> tuple[str, ...]:
    """The species whose Random Battle sets may have Illusion; one look through all sets."""
    return tuple(
        species
        for species in dex.ids("random_sets")
        if (sets := dex.random_sets(species)) is not None and ILLUSION in sets.abilities
    )


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
