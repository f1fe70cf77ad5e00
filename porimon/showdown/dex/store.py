"""The game data, loaded from the shipped file when they are first asked for.

``dex()`` gives the one shared instance. Reading the file takes a few hundredths of a second;
records are built one by one as they are asked for.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from porimon.errors import UserInputError
from porimon.showdown.dex.identifier import to_id
from porimon.showdown.dex.model import (
    Ability,
    Item,
    Move,
    Nature,
    RandomSetRole,
    RandomSets,
    SecondaryEffect,
    Species,
)
from porimon.showdown.dex.stats import STATS
from porimon.showdown.view.model import StatName

DATA_FILE = Path(__file__).parent / "gen8.json.gz"
"""The shipped game data: compressed JSON, the same bytes for the same package."""

Record = TypeVar("Record")


class Dex:
    """Species, moves, abilities, items, natures, types and random sets of generation 8.

    Every look-up takes a name or an id. Those named after a kind (``move("uturn")``) raise
    ``UserInputError`` for an unknown one, with the nearest known name; ``find_…`` give ``None``.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self.source: str = document["source"]
        """The package that the data come from, with its version."""
        self._document = document
        self._built: dict[tuple[str, str], Any] = {}

    @classmethod
    def load(cls, path: Path = DATA_FILE) -> Dex:
        """The data in a file written by ``porimon.showdown.dex.extract``."""
        return cls(json.loads(gzip.decompress(path.read_bytes())))

    def find_species(self, name: str) -> Species | None:
        """The species or forme of that name or id."""
        return self._find("species", name, self._species)

    def find_move(self, name: str) -> Move | None:
        """The move of that name or id."""
        return self._find("moves", name, _move)

    def find_ability(self, name: str) -> Ability | None:
        """The ability of that name or id."""
        return self._find("abilities", name, lambda key, data: Ability(id=key, **data))

    def find_item(self, name: str) -> Item | None:
        """The item of that name or id."""
        return self._find("items", name, lambda key, data: Item(id=key, **data))

    def random_sets(self, species: str) -> RandomSets | None:
        """What the Gen 8 Random Battle generator knows of a species.

        ``None`` for one it never makes. Gigantamax formes have entries of their own, although
        they look like the plain species until they Gigantamax.
        """
        return self._find("random_sets", species, _random_sets)

    def species(self, name: str) -> Species:
        """The species or forme of that name or id."""
        return self._demand("species", "species", name, self.find_species)

    def move(self, name: str) -> Move:
        """The move of that name or id."""
        return self._demand("moves", "move", name, self.find_move)

    def ability(self, name: str) -> Ability:
        """The ability of that name or id."""
        return self._demand("abilities", "ability", name, self.find_ability)

    def item(self, name: str) -> Item:
        """The item of that name or id."""
        return self._demand("items", "item", name, self.find_item)

    def nature(self, name: str) -> Nature:
        """The nature of that name or id."""
        return self._demand(
            "natures", "nature", name, lambda wanted: self._find("natures", wanted, _nature)
        )

    @property
    def types(self) -> tuple[str, ...]:
        """The ids of the eighteen types."""
        return tuple(self._document["type_chart"])

    def effectiveness(self, attacking: str, defending: Iterable[str]) -> float:
        """The multiplier of a type against a Pokémon's types, abilities and items aside.

        0 (immune), ¼, ½, 1, 2 or 4. Types that are none (``"???"``, Struggle's) count as neutral.
        """
        row = self._document["type_chart"].get(to_id(attacking), {})
        product = 1.0
        for defender in defending:
            product *= row.get(to_id(defender), 1)
        return product

    def move_effectiveness(self, move: Move, defending: Iterable[str]) -> float:
        """The multiplier of a move, with the exceptions that a move's own rule makes.

        Freeze-Dry is super effective on Water, Flying Press also counts as Flying, Thousand Arrows
        hits Flying types neutrally, Struggle has no type.
        """
        types = [to_id(name) for name in defending]
        if move.id == "struggle":
            return 1.0
        product = 1.0
        for defender in types:
            factor = self.effectiveness(move.type, [defender])
            if move.id == "freezedry" and defender == "water":
                factor = 2.0
            elif move.id == "thousandarrows" and defender == "flying":
                factor = 1.0
            elif move.id == "flyingpress":
                factor *= self.effectiveness("flying", [defender])
            product *= factor
        return product

    def ids(self, table: str) -> tuple[str, ...]:
        """All ids of a table: ``species``, ``moves``, ``abilities``, ``items``, ``natures`` or
        ``random_sets``."""
        return tuple(self._document[table])

    def _find(
        self, table: str, name: str, build: Callable[[str, dict[str, Any]], Record]
    ) -> Record | None:
        # Most are asked for by their id.
        built: Record | None = self._built.get((table, name))
        if built is not None:
            return built
        key = to_id(name)
        built = self._built.get((table, key))
        if built is None and (data := self._document[table].get(key)) is not None:
            built = self._built[(table, key)] = build(key, data)
        return built

    def _demand(
        self, table: str, kind: str, name: str, find: Callable[[str], Record | None]
    ) -> Record:
        found = find(name)
        if found is None:
            records = self._document[table]
            near = get_close_matches(to_id(name), records, n=1)
            raise UserInputError(
                f"there is no {kind} {name!r} in generation 8",
                remedy=f"did you mean {records[near[0]]['name']!r}?" if near else None,
            )
        return found

    def _species(self, key: str, data: dict[str, Any]) -> Species:
        abilities = tuple(dict.fromkeys(data["abilities"]))
        stats: dict[StatName, int] = {stat: data["base_stats"][stat] for stat in STATS}
        names = [
            found.name if (found := self.find_ability(ability)) else ability
            for ability in abilities
        ]
        text = (
            f"{'/'.join(name.capitalize() for name in data['types'])}-type; base stats "
            f"HP {stats['hp']}, Attack {stats['atk']}, Defense {stats['def']}, "
            f"Special Attack {stats['spa']}, Special Defense {stats['spd']}, "
            f"Speed {stats['spe']}; abilities: {', '.join(names)}."
        )
        return Species(
            id=key,
            name=data["name"],
            base_species=data["base_species"],
            forme=data.get("forme"),
            types=tuple(data["types"]),
            base_stats=stats,
            abilities=abilities,
            weight_kg=data["weight_kg"],
            height_m=data["height_m"],
            genders=tuple(data["genders"]),
            not_fully_evolved=data.get("not_fully_evolved", False),
            battle_only=data.get("battle_only", False),
            required_item=data.get("required_item"),
            text=text,
            max_hp=data.get("max_hp"),
            cosmetic=data.get("cosmetic", False),
        )


def _nature(key: str, data: dict[str, Any]) -> Nature:
    return Nature(id=key, name=data["name"], raises=data.get("raises"), lowers=data.get("lowers"))


_PAIR_FIELDS = ("hits", "drain", "recoil", "heal")
_BOOST_FIELDS = ("boosts", "self_boosts")


def _move(key: str, data: dict[str, Any]) -> Move:
    values: dict[str, Any] = {"accuracy": None, **data}
    values["flags"] = frozenset(data["flags"])
    for name in _PAIR_FIELDS:
        if name in values:
            values[name] = tuple(values[name])
    for name in _BOOST_FIELDS:
        if name in values:
            values[name] = _boosts(values[name])
    values["secondaries"] = tuple(
        SecondaryEffect(**{**effect, "boosts": _boosts(effect.get("boosts", ()))})
        for effect in data.get("secondaries", ())
    )
    return Move(id=key, **values)


def _boosts(table: Iterable[list[Any]]) -> tuple[tuple[Any, int], ...]:
    return tuple((stat, stages) for stat, stages in table)


def _random_sets(key: str, data: dict[str, Any]) -> RandomSets:
    return RandomSets(
        species=key,
        level=data["level"],
        roles=tuple(
            RandomSetRole(
                role=role["role"],
                moves=tuple(role["moves"]),
                abilities=tuple(role["abilities"]),
                preferred_types=tuple(role.get("preferred_types", ())),
            )
            for role in data["roles"]
        ),
    )


@lru_cache(maxsize=1)
def dex() -> Dex:
    """The shared game data, read on first use."""
    return Dex.load()
