"""A Pokémon's stats from its base stats, level, EVs, IVs and nature (generation 3 and later)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from porimon.showdown.dex.model import Nature, Species
from porimon.showdown.view.model import StatName

STATS: tuple[StatName, ...] = get_args(StatName)
"""HP, Attack, Defense, Special Attack, Special Defense, Speed, in the game's order."""


def stat_value(
    stat: StatName, base: int, level: int, ev: int, iv: int, nature: Nature | None = None
) -> int:
    """One unboosted stat in points: ⌊(2·base + iv + ⌊ev/4⌋)·level/100⌋ + 5, for HP + level + 10.

    ``nature`` multiplies a stat other than HP by 1.1 or 0.9, rounded down; ``None`` is neutral.
    """
    grown = (2 * base + iv + ev // 4) * level // 100
    if stat == "hp":
        return grown + level + 10
    value = grown + 5
    if nature is not None:
        if nature.raises == stat:
            value = value * 110 // 100
        elif nature.lowers == stat:
            value = value * 90 // 100
    return value


def stats_of(
    species: Species,
    level: int,
    evs: Mapping[StatName, int],
    ivs: Mapping[StatName, int],
    nature: Nature | None = None,
) -> dict[StatName, int]:
    """All six unboosted stats in points. Shedinja's HP is always 1."""
    values = {
        stat: stat_value(stat, species.base_stats[stat], level, evs[stat], ivs[stat], nature)
        for stat in STATS
    }
    if species.max_hp is not None:
        values["hp"] = species.max_hp
    return values


def boosted(value: int, stages: int) -> int:
    """A stat other than accuracy and evasion with boosts: 2/2 at 0, 8/2 at +6, 2/8 at −6."""
    if stages >= 0:
        return value * (2 + stages) // 2
    return value * 2 // (2 - stages)
