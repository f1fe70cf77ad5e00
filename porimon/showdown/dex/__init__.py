"""Game data of generation 8: species, moves, abilities, items, types and Random Battle sets."""

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
from porimon.showdown.dex.stats import boosted, stat_value, stats_of
from porimon.showdown.dex.store import Dex, dex

__all__ = [
    "Ability",
    "Dex",
    "Item",
    "Move",
    "Nature",
    "RandomSetRole",
    "RandomSets",
    "SecondaryEffect",
    "Species",
    "boosted",
    "dex",
    "stat_value",
    "stats_of",
    "to_id",
]
