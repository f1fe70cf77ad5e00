"""Pokémon for the tests of similarity and reflection: real species by the dex, and any by hand."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from porimon.memory.experience import Document
from porimon.showdown.dex.store import dex
from porimon.showdown.similarity import STAT_ORDER
from porimon.showdown.view.model import PokemonView

TYPES = ("grass", "poison", "fire", "water", "ghost", "steel")
ABILITIES = tuple(f"ability{number}" for number in range(90))


def seen(drawn_as: str, **fields: Any) -> PokemonView:
    """A Pokémon in a view, as a species that the dex knows."""
    found = dex().species(drawn_as)
    values: dict[str, Any] = {
        "species": found.id,
        "team_species": found.id,
        "name": found.name,
        "level": 80,
        "gender": "N",
        "types": found.types,
        "base_stats": found.base_stats,
        "hp_fraction": 1.0,
    }
    return PokemonView(**(values | fields))


def member(
    stats: tuple[int, ...] = (100,) * 6,
    types: tuple[str, ...] = (),
    ability: str | None = None,
    status: str | None = None,
    hp: float = 1.0,
) -> Document:
    """A Pokémon's document with what the similarity looks at."""
    return {
        "name": "Testmon",
        "base_stats": dict(zip(STAT_ORDER, stats, strict=True)),
        "types": list(types),
        "ability": ability,
        "status": status,
        "hp": hp,
    }


members = st.builds(
    member,
    st.tuples(*[st.integers(1, 255)] * 6),
    st.lists(st.sampled_from(TYPES), max_size=2, unique=True).map(tuple),
    st.none() | st.sampled_from(ABILITIES),
    st.sampled_from([None, "brn", "par"]),
    st.integers(0, 100).map(lambda percent: percent / 100),
)
"""Pokémon of every kind; 90 abilities, so that their names fill more than one word of bits."""
