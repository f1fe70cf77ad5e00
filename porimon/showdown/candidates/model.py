"""What a foe's Pokémon may hold, know and be: what was revealed, and the sets that agree with it.

Probabilities are those of the Gen 8 Random Battle generator, conditioned on what was revealed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from porimon.showdown.view.model import StatName


@dataclass(frozen=True, slots=True)
class Revealed:
    """All that is known of a Pokémon's set. Ids are Showdown ids; unknown is ``None``.

    ``species`` is the one it was drawn as (not what it has transformed into). ``item`` is what it
    held at the start of the battle (``NO_ITEM``: nothing), whatever became of it. ``ability`` is
    the one it was drawn with. ``excluded_items`` and ``excluded_abilities`` are those that would
    have shown by now, each with the reason in words.
    """

    species: str
    level: int | None = None
    moves: frozenset[str] = frozenset()
    item: str | None = None
    ability: str | None = None
    excluded_items: Mapping[str, str] = field(default_factory=dict)
    excluded_abilities: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CandidateSet:
    """One complete set that a Pokémon may have, with its probability.

    ``item`` is ``NO_ITEM`` for a set without one. ``evs`` and ``ivs`` follow the generator's
    rules (no Attack for sets without physical moves, HP that suits Stealth Rock …).
    """

    probability: float
    species: str
    level: int
    role: str
    moves: tuple[str, ...]
    item: str
    ability: str
    evs: dict[StatName, int]
    ivs: dict[StatName, int]
    stats: dict[StatName, int]
    """Unboosted stats in points that level, base stats, EVs and IVs give (neutral nature)."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The sets that agree with what was revealed; probabilities add up to 1. Never empty.

    ``relaxed`` names, in order, the facts that had to be set aside because no set agrees with all
    of them (``"item"``, ``"moves"`` …); empty as a rule. ``moves`` gives for each move the
    probability that it is among the four, most likely first; known moves have 1. Where the species
    is none of the format's, ``sets`` holds one set of convention without moves and ``relaxed``
    holds ``"species"``.
    """

    revealed: Revealed
    sets: tuple[CandidateSet, ...]
    moves: tuple[tuple[str, float], ...]
    items: tuple[tuple[str, float], ...]
    abilities: tuple[tuple[str, float], ...]
    stats_ranges: dict[StatName, tuple[int, int]]
    """Lowest and highest unboosted value of each stat over the sets."""
    relaxed: tuple[str, ...] = ()

    @property
    def speed_range(self) -> tuple[int, int]:
        """Lowest and highest unboosted Speed, without item, ability or status."""
        return self.stats_ranges["spe"]

    @property
    def unrevealed_moves(self) -> tuple[tuple[str, float], ...]:
        """The moves that it may have besides the known ones, most likely first."""
        return tuple((move, chance) for move, chance in self.moves if move not in self.known_moves)

    @property
    def known_moves(self) -> frozenset[str]:
        """The moves that were revealed."""
        return self.revealed.moves
