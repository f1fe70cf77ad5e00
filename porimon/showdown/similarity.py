"""How alike two Pokémon are (Porimon §II-C), and the documents by which experiences keep them.

s(a, b) = α · n(a, b) + (1 − α) · J(a, b). n compares the six base stats and the HP left; J is the
Jaccard index of the sets {types} ∪ {ability} ∪ {status}. Our readings: base stats count in units
of 255 and HP as a fraction; n = 1 − ‖x_a − x_b‖₂ / √7, so that 1 means identical and 0 is the
largest distance there can be; α weighs the numerical side; an unknown ability or no status adds no
element; two empty sets are alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from porimon.memory.columns import enlarged
from porimon.memory.experience import Document
from porimon.memory.similarity import FloatArray
from porimon.showdown.dex.store import Dex
from porimon.showdown.name_sets import NameSets
from porimon.showdown.view.model import BattleView, PokemonView, StatName

STAT_ORDER: tuple[StatName, ...] = ("hp", "atk", "def", "spa", "spd", "spe")
LARGEST_BASE_STAT = 255
"""The largest base stat there is; it makes a base stat a fraction."""

Snapshot = Literal["start", "end"]


def member_from_view(
    pokemon: PokemonView, snapshot: Snapshot = "end", dex: Dex | None = None
) -> Document:
    """The document of one Pokémon as its observer knows it.

    ``end`` takes HP, status, item, ability and forme as they are now: right for the current
    position. ``start`` takes them as they were when the battle began: full HP, no status, the
    first item and the ability it was drawn with, and by the ``dex`` the base stats and types of
    the species it was drawn as. Without the dex those of now stand, and names are nicknames.
    """
    species, types, base_stats = pokemon.species, pokemon.types, pokemon.base_stats
    ability, item = pokemon.ability, pokemon.item
    if snapshot == "start":
        species = pokemon.team_species
        ability = pokemon.base_ability or pokemon.ability
        item = pokemon.former_items[0] if pokemon.former_items else pokemon.item
    found = dex.find_species(species) if dex is not None else None
    if snapshot == "start" and found is not None:
        types, base_stats = found.types, found.base_stats
    return {
        "species": species,
        "name": found.name if found is not None else pokemon.name,
        "level": pokemon.level,
        "base_stats": {stat: base_stats[stat] for stat in STAT_ORDER},
        "types": list(types),
        "ability": ability,
        "item": item,
        "moves": [move.id for move in pokemon.moves],
        "hp": 1.0 if snapshot == "start" else pokemon.hp_fraction,
        "status": None if snapshot == "start" else pokemon.status,
    }


def current_teams(
    view: BattleView, dex: Dex | None = None
) -> tuple[list[Document], list[Document]]:
    """Own and opponent's team as they are now, for retrieval; unrevealed Pokémon don't count."""
    return (
        [member_from_view(pokemon, "end", dex) for pokemon in view.own.team],
        [member_from_view(pokemon, "end", dex) for pokemon in view.foe.team],
    )


def numbers(member: Document) -> tuple[float, ...]:
    """The numerical side of a Pokémon: six base stats / 255, and the HP fraction."""
    stats = member["base_stats"]
    return (*(stats[stat] / LARGEST_BASE_STAT for stat in STAT_ORDER), float(member["hp"]))


def names(member: Document) -> frozenset[str]:
    """The categorical side of a Pokémon: {types} ∪ {ability} ∪ {status}, unknown ones left out."""
    return frozenset(
        name for name in (*member["types"], member["ability"], member["status"]) if name is not None
    )


class PokemonSimilarity:
    """s(a, b); implements ``porimon.memory.similarity.Similarity``."""

    def pair(self, one: Document, other: Document, alpha: float) -> float:
        """The similarity of two Pokémon, from 0 to 1."""
        numerical = 1 - math.dist(numbers(one), numbers(other)) / math.sqrt(7)
        ours, theirs = names(one), names(other)
        union = ours | theirs
        jaccard = len(ours & theirs) / len(union) if union else 1.0
        return alpha * numerical + (1 - alpha) * jaccard

    def table(self, alpha: float) -> PokemonTable:
        """An empty table of distinct Pokémon, compared with one α."""
        return PokemonTable(alpha)

    def label(self, member: Document) -> str:
        """The Pokémon's name."""
        return str(member["name"])


_Key = tuple[tuple[float, ...], frozenset[str]]
"""What the similarity looks at: the numerical and the categorical side of a Pokémon."""


def _key(member: Document) -> _Key:
    return numbers(member), names(member)


_KEPT_SIMILARITIES = 4_000_000
"""How many similarities a table remembers: 32 MB."""


class PokemonTable:
    """Distinct Pokémon, by what the similarity looks at; implements ``MemberTable``.

    The numerical sides are rows of a (room, 7) array; the categorical sides are kept once each, and
    every Pokémon has the number of its own. From one decision to the next most Pokémon stay as they
    are: until the table grows, their similarities are remembered.
    """

    def __init__(self, alpha: float) -> None:
        self._alpha = alpha
        self._members: dict[_Key, int] = {}
        self._numbers = np.zeros((64, 7))
        self._sets = NameSets()
        self._set_of = np.zeros((1, 64), dtype=np.intp)
        self._remembered: dict[_Key, FloatArray] = {}

    def __len__(self) -> int:
        return len(self._members)

    def number(self, member: Document) -> int:
        """The Pokémon's number; a new one gets the next."""
        key = _key(member)
        known = self._members.get(key)
        if known is not None:
            return known
        number = self._members[key] = len(self._members)
        room = len(self._numbers)
        if number == room:
            self._numbers = enlarged(self._numbers, (room * 2, 7))
            self._set_of = enlarged(self._set_of, (1, room * 2))
        self._numbers[number] = key[0]
        self._set_of[0, number] = self._sets.number(key[1])
        self._remembered.clear()
        return number

    def compare(self, members: Sequence[Document]) -> FloatArray:
        """Similarities of ``members`` to all of the table: (len(members), len(self))."""
        keys = [_key(member) for member in members]
        rows = self._remembered
        new = [key for key in dict.fromkeys(keys) if key not in rows]
        if new:
            rows.update(zip(new, self._compared(new), strict=True))
        result = np.empty((len(keys), len(self)))
        for place, key in enumerate(keys):
            result[place] = rows[key]
        while len(rows) * len(self) > _KEPT_SIMILARITIES:
            del rows[next(iter(rows))]
        return result

    def _compared(self, keys: Sequence[_Key]) -> FloatArray:
        # Imported here because it takes longer than all else that importing this module does; a
        # run loads it before its first battle (``load_game_data``).
        from scipy.spatial.distance import cdist

        count = len(self)
        result: FloatArray = cdist([values for values, _ in keys], self._numbers[:count])
        result *= -self._alpha / math.sqrt(7)
        result += self._alpha
        named = self._sets.jaccard([each for _, each in keys])
        named *= 1 - self._alpha
        result += named.take(self._set_of[0, :count], axis=1)
        # At the largest distance rounding may leave −1e-17; a similarity is never below 0.
        return np.maximum(result, 0.0, out=result)
