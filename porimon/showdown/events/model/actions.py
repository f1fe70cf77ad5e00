"""Events of the major actions: moves, switches, changes of forme, faints."""

from __future__ import annotations

from dataclasses import dataclass

from porimon.showdown.events.model.event import Event
from porimon.showdown.events.model.fields import (
    Condition,
    Details,
    Effect,
    PokemonIdent,
    showdown_id,
)


@dataclass(frozen=True, slots=True)
class Move(Event):
    """``move``: a move is used. ``target`` may be a fainted Pokémon, or missing."""

    pokemon: PokemonIdent
    move: str
    target: PokemonIdent | None

    @property
    def move_id(self) -> str:
        """The Showdown id of the move."""
        return showdown_id(self.move)

    @property
    def missed(self) -> bool:
        """Whether it missed."""
        return self.has_tag("miss")

    @property
    def no_target(self) -> bool:
        """Whether there was nobody to hit."""
        return self.has_tag("notarget")


@dataclass(frozen=True, slots=True)
class Switch(Event):
    """``switch`` and, when it was forced by the other side, ``drag`` (``dragged``)."""

    pokemon: PokemonIdent
    details: Details
    condition: Condition
    dragged: bool


@dataclass(frozen=True, slots=True)
class IllusionEnded(Event):
    """``replace``: the active Pokémon shows itself as ``pokemon``. No condition may be given."""

    pokemon: PokemonIdent
    details: Details
    condition: Condition | None


@dataclass(frozen=True, slots=True)
class DetailsChange(Event):
    """``detailschange``: a permanent change of forme."""

    pokemon: PokemonIdent
    details: Details
    condition: Condition | None


@dataclass(frozen=True, slots=True)
class FormeChange(Event):
    """``-formechange``: a change of forme that ends with switching out."""

    pokemon: PokemonIdent
    species: str

    @property
    def species_id(self) -> str:
        """The Showdown id of the new forme."""
        return showdown_id(self.species)


@dataclass(frozen=True, slots=True)
class Cant(Event):
    """``cant``: a Pokémon could not move. ``move`` is what it would have used, where told."""

    pokemon: PokemonIdent
    reason: Effect
    move: str | None


@dataclass(frozen=True, slots=True)
class Faint(Event):
    """``faint``"""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class Swap(Event):
    """``swap``: active Pokémon change places (not in singles)."""

    pokemon: PokemonIdent
