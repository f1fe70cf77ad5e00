"""Events of hits and HP."""

from __future__ import annotations

from dataclasses import dataclass

from porimon.showdown.events.model.event import Event
from porimon.showdown.events.model.fields import Condition, Effect, PokemonIdent


@dataclass(frozen=True, slots=True)
class Damage(Event):
    """``-damage``: HP is lost; ``condition`` is what is left."""

    pokemon: PokemonIdent
    condition: Condition


@dataclass(frozen=True, slots=True)
class Heal(Event):
    """``-heal``: HP is restored; ``condition`` is what there is now."""

    pokemon: PokemonIdent
    condition: Condition


@dataclass(frozen=True, slots=True)
class SetHp(Event):
    """``-sethp``: HP is set (Pain Split)."""

    pokemon: PokemonIdent
    condition: Condition


@dataclass(frozen=True, slots=True)
class Fail(Event):
    """``-fail``: ``effect`` is what failed or the reason, ``arguments`` what else is told."""

    pokemon: PokemonIdent | None
    effect: Effect | None
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block(Event):
    """``-block``: an effect is blocked by another."""

    pokemon: PokemonIdent
    effect: Effect | None
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoTarget(Event):
    """``-notarget``"""

    pokemon: PokemonIdent | None


@dataclass(frozen=True, slots=True)
class Miss(Event):
    """``-miss``: ``pokemon`` missed ``target``."""

    pokemon: PokemonIdent
    target: PokemonIdent | None


@dataclass(frozen=True, slots=True)
class CriticalHit(Event):
    """``-crit``: ``pokemon`` was hit."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class SuperEffective(Event):
    """``-supereffective``: ``pokemon`` was hit."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class Resisted(Event):
    """``-resisted``: ``pokemon`` was hit."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class Immune(Event):
    """``-immune``"""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class OneHitKnockOut(Event):
    """``-ohko``"""


@dataclass(frozen=True, slots=True)
class HitCount(Event):
    """``-hitcount``: a move of several hits hit ``count`` times."""

    pokemon: PokemonIdent
    count: int
