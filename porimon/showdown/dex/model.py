"""What the game data are: frozen records of species, moves, abilities, items, natures and sets.

All values come from the pinned Showdown package (generation 8); nothing here is copied by hand.
Identifiers are Showdown ids, ``name`` is what people read. Types are ids too (``"fire"``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from porimon.showdown.view.model import BoostName, StatName

Category = Literal["physical", "special", "status"]
Fraction = tuple[int, int]
"""Numerator and denominator, as the game keeps them (33/100 is not a third)."""


@dataclass(frozen=True, slots=True)
class SecondaryEffect:
    """What a move may do besides its damage, with ``chance`` in percent.

    ``target`` says on whom: the move's target or its user.
    """

    chance: int
    target: Literal["target", "user"] = "target"
    status: str | None = None
    volatile: str | None = None
    boosts: tuple[tuple[BoostName, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """A move. ``accuracy`` is in percent, ``None`` for moves that never miss.

    ``base_power`` is 0 for status moves and for moves with fixed or computed damage;
    ``computed_power`` marks those whose power depends on the situation, ``fixed_damage`` is the
    damage in points or ``"level"``. ``hits`` bounds the number of strikes. ``drain`` heals the
    user and ``recoil`` hurts it by that fraction of the damage dealt; ``heal`` restores that
    fraction of its user's (or target's) HP. ``boosts`` act on the move's target (the user, where
    ``target`` is ``"self"``), ``self_boosts`` on the user. ``switches_user`` is true for U-turn and
    the like, ``"copyvolatile"`` for Baton Pass. ``short_text`` and ``text`` are Showdown's own
    descriptions.
    """

    id: str
    name: str
    type: str
    category: Category
    base_power: int
    accuracy: int | None
    pp: int
    priority: int
    target: str
    flags: frozenset[str]
    short_text: str
    text: str
    computed_power: bool = False
    fixed_damage: int | Literal["level"] | None = None
    critical_ratio: int = 1
    always_critical: bool = False
    one_hit_ko: bool = False
    hits: tuple[int, int] = (1, 1)
    drain: Fraction | None = None
    recoil: Fraction | None = None
    crash_damage: bool = False
    heal: Fraction | None = None
    self_destructs: bool = False
    status: str | None = None
    volatile: str | None = None
    boosts: tuple[tuple[BoostName, int], ...] = ()
    self_boosts: tuple[tuple[BoostName, int], ...] = ()
    self_volatile: str | None = None
    secondaries: tuple[SecondaryEffect, ...] = ()
    side_condition: str | None = None
    slot_condition: str | None = None
    weather: str | None = None
    terrain: str | None = None
    pseudo_weather: str | None = None
    switches_user: bool | str = False
    forces_switch: bool = False
    ignores_ability: bool = False
    ignores_defensive_boosts: bool = False
    offensive_stat: StatName | None = None
    defensive_stat: StatName | None = None
    uses_target_attack: bool = False

    @property
    def deals_damage(self) -> bool:
        """Whether the move can take HP from its target directly."""
        return self.category != "status"

    @property
    def makes_contact(self) -> bool:
        """Whether the move touches its target (Rocky Helmet, Static …)."""
        return "contact" in self.flags


@dataclass(frozen=True, slots=True)
class Species:
    """A species or forme. ``abilities`` are all that it can have in the wild, as ids.

    ``base_species`` is the id of the forme without suffix (its own id for most). ``text`` is
    one line on what it is: types, base stats and abilities by name. ``genders`` lists those that
    it can have.
    """

    id: str
    name: str
    base_species: str
    forme: str | None
    types: tuple[str, ...]
    base_stats: dict[StatName, int]
    abilities: tuple[str, ...]
    weight_kg: float
    height_m: float
    genders: tuple[str, ...]
    not_fully_evolved: bool
    battle_only: bool
    required_item: str | None
    text: str
    max_hp: int | None = None
    """The fixed maximum of HP, for Shedinja only."""
    cosmetic: bool = False
    """Whether the forme differs in looks only (Gastrodon-East)."""


@dataclass(frozen=True, slots=True)
class Ability:
    """An ability and Showdown's descriptions of it."""

    id: str
    name: str
    short_text: str
    text: str
    breakable: bool = False
    """Whether Mold Breaker and the like ignore it."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item and Showdown's descriptions of it."""

    id: str
    name: str
    short_text: str
    text: str
    is_berry: bool = False
    is_choice: bool = False
    fling_power: int | None = None


@dataclass(frozen=True, slots=True)
class Nature:
    """A nature: the stat that it raises by 10 % and the one that it lowers; neutral: neither."""

    id: str
    name: str
    raises: StatName | None
    lowers: StatName | None


@dataclass(frozen=True, slots=True)
class RandomSetRole:
    """One role that the Gen 8 Random Battle generator may give a species: what it picks from."""

    role: str
    moves: tuple[str, ...]
    abilities: tuple[str, ...]
    preferred_types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RandomSets:
    """What the Gen 8 Random Battle generator knows of a species: its level and its roles."""

    species: str
    level: int
    roles: tuple[RandomSetRole, ...]

    @property
    def moves(self) -> tuple[str, ...]:
        """Every move of every role, without repetition, in the file's order."""
        return tuple(dict.fromkeys(move for role in self.roles for move in role.moves))

    @property
    def abilities(self) -> tuple[str, ...]:
        """Every ability of every role, without repetition, in the file's order."""
        return tuple(dict.fromkeys(ability for role in self.roles for ability in role.abilities))
