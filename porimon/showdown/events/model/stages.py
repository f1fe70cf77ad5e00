"""Events of statuses and stat stages."""

from __future__ import annotations

from dataclasses import dataclass

from porimon.showdown.events.model.event import Event
from porimon.showdown.events.model.fields import Effect, PokemonIdent


@dataclass(frozen=True, slots=True)
class Status(Event):
    """``-status``: ``brn``, ``par``, ``slp``, ``frz``, ``psn`` or ``tox``."""

    pokemon: PokemonIdent
    status: str


@dataclass(frozen=True, slots=True)
class CureStatus(Event):
    """``-curestatus``: also of benched Pokémon, and of ``confusion`` by an item."""

    pokemon: PokemonIdent
    status: str


@dataclass(frozen=True, slots=True)
class CureTeam(Event):
    """``-cureteam``: every status of the side of ``pokemon`` is cured."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class Boost(Event):
    """``-boost`` and ``-unboost``: ``amount`` is signed; 0 means: at its limit already.

    ``raises`` keeps which of the two it was, since ``amount`` 0 does not tell.
    """

    pokemon: PokemonIdent
    stat: str
    amount: int
    raises: bool


@dataclass(frozen=True, slots=True)
class SetBoost(Event):
    """``-setboost``: a stage is set to ``amount`` (Belly Drum, Anger Point)."""

    pokemon: PokemonIdent
    stat: str
    amount: int


@dataclass(frozen=True, slots=True)
class SwapBoost(Event):
    """``-swapboost``: stages change places; ``stats`` empty means all of them."""

    pokemon: PokemonIdent
    target: PokemonIdent
    stats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InvertBoost(Event):
    """``-invertboost``"""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class ClearBoost(Event):
    """``-clearboost``: all stages of ``pokemon`` back to 0."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class ClearAllBoost(Event):
    """``-clearallboost``: all stages of both sides back to 0."""


@dataclass(frozen=True, slots=True)
class ClearPositiveBoost(Event):
    """``-clearpositiveboost``: raised stages of ``pokemon`` are lost to ``source``."""

    pokemon: PokemonIdent
    source: PokemonIdent | None
    effect: Effect | None


@dataclass(frozen=True, slots=True)
class ClearNegativeBoost(Event):
    """``-clearnegativeboost``: lowered stages of ``pokemon`` back to 0."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class CopyBoost(Event):
    """``-copyboost``: ``pokemon`` takes over the stages of ``target``."""

    pokemon: PokemonIdent
    target: PokemonIdent
