"""What the fields of a protocol line hold: Pokémon, effects, details, conditions, the line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from porimon.showdown.dex.identifier import to_id

SideRole = Literal["p1", "p2"]
EffectKind = Literal["move", "ability", "item"]

showdown_id = lru_cache(maxsize=8192)(to_id)
"""``to_id`` with a memory: a log says the same few names again and again."""


@dataclass(frozen=True, slots=True)
class PokemonIdent:
    """Which Pokémon a message speaks of: ``p1a: Rex`` (active) or ``p1: Rex`` (``position`` None).

    ``name`` is the nickname, or the species name where none was given.
    """

    side: SideRole
    position: str | None
    name: str


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect as the protocol names it: ``move: Wish``, ``item: Leftovers``, ``psn``.

    ``kind`` is ``None`` where the protocol gives no prefix.
    """

    kind: EffectKind | None
    name: str

    @property
    def id(self) -> str:
        """The Showdown id of the name."""
        return showdown_id(self.name)


@dataclass(frozen=True, slots=True)
class Details:
    """Species, level, gender and shininess as shown when a Pokémon comes in."""

    species: str
    level: int = 100
    gender: Literal["M", "F"] | None = None
    shiny: bool = False

    @property
    def species_id(self) -> str:
        """The Showdown id of the species."""
        return showdown_id(self.species)


@dataclass(frozen=True, slots=True)
class Condition:
    """HP and status: points for one's own Pokémon, hundredths (``max_hp`` 100) for a foe.

    ``max_hp`` is ``None`` when it fainted: the protocol writes ``0 fnt`` then.
    """

    hp: int
    max_hp: int | None
    status: str | None = None

    @property
    def fainted(self) -> bool:
        """Whether nothing is left."""
        return self.hp == 0

    @property
    def fraction(self) -> float:
        """What is left, 0 to 1."""
        return self.hp / self.max_hp if self.max_hp else 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """One protocol line, taken apart: positional arguments, and bracketed tags by name."""

    raw: str
    message_type: str
    arguments: tuple[str, ...] = ()
    cause: Effect | None = None
    of: PokemonIdent | None = None
    tags: tuple[tuple[str, str], ...] = ()
