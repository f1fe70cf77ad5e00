"""What is asked of the damage calculator and what it answers, as plain data.

A query is one move of one Pokémon against another, on one field. The service answers a whole
decision's queries in one request (``porimon.showdown.calculator.client``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from porimon.showdown.view.model import StatName

RANDOM_BATTLE_EVS: dict[StatName, int] = {
    "hp": 85, "atk": 85, "def": 85, "spa": 85, "spd": 85, "spe": 85,
}  # fmt: skip
"""Effort values of almost every Random Battle set (natures are neutral)."""

RANDOM_BATTLE_IVS: dict[StatName, int] = {
    "hp": 31, "atk": 31, "def": 31, "spa": 31, "spd": 31, "spe": 31,
}  # fmt: skip
"""Individual values of almost every Random Battle set."""


@dataclass(frozen=True, slots=True)
class CombatantSpec:
    """One Pokémon of a damage query.

    ``species``, ``types``, ``ability``, ``item``, ``status`` are Showdown ids. ``types`` overrides
    those of the species (Soak, Roost, Transform). ``ability`` ``None`` means: reckon without one.
    ``ability_on`` switches on what an ability has by condition (Flash Fire, Slow Start, Stakeout).
    ``item`` ``None`` means that nothing is held. ``stats`` are exact unboosted ones in points and
    override what ``evs`` and ``ivs`` give; stats that are left out are computed. ``hp_fraction`` is
    what is left of the maximum, above 0 up to 1.
    """

    species: str
    level: int
    ability: str | None = None
    ability_on: bool = False
    item: str | None = None
    types: tuple[str, ...] | None = None
    gender: str | None = None
    status: str | None = None
    toxic_counter: int = 0
    boosts: tuple[tuple[str, int], ...] = ()
    evs: dict[StatName, int] = field(default_factory=lambda: dict(RANDOM_BATTLE_EVS))
    ivs: dict[StatName, int] = field(default_factory=lambda: dict(RANDOM_BATTLE_IVS))
    stats: dict[StatName, int] | None = None
    hp_fraction: float = 1.0


@dataclass(frozen=True, slots=True)
class SideSpec:
    """What lies on one side of the field and bears on damage."""

    reflect: bool = False
    light_screen: bool = False
    aurora_veil: bool = False
    tailwind: bool = False
    stealth_rock: bool = False
    spikes: int = 0
    leech_seed: bool = False
    power_trick: bool = False
    foresight: bool = False
    charge: bool = False
    switching_out: bool = False


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """The field of a damage query; weather and terrain are Showdown ids (``sunnyday``)."""

    weather: str | None = None
    terrain: str | None = None
    gravity: bool = False
    magic_room: bool = False
    wonder_room: bool = False
    attacker_side: SideSpec = SideSpec()
    defender_side: SideSpec = SideSpec()


class DamageQuery(NamedTuple):
    """One move of ``attacker`` against ``defender``. ``move`` is a Showdown id.

    ``hits`` fixes the number of strikes; ``None`` asks for the whole span of a multi-hit move.
    ``detail`` asks for the chance of a knock-out and the description too, which cost as much as
    the damage itself; without ``description`` it asks for the chance alone. ``rolls`` asks for each
    strike's sixteen random factors.
    """

    attacker: CombatantSpec
    defender: CombatantSpec
    move: str
    field: FieldSpec = FieldSpec()
    critical: bool = False
    hits: int | None = None
    detail: bool = True
    description: bool = True
    rolls: bool = True


class DamageRange(NamedTuple):
    """What a hit takes, not counting chance of missing.

    ``minimum`` and ``maximum`` are in points, ``percent_minimum`` and ``percent_maximum`` in
    hundredths of the defender's *maximum* HP (so 100 takes a full one). ``rolls`` holds, for each
    strike, the damage of the sixteen equally likely random factors (one entry for fixed damage);
    it is empty if it was not asked for.
    ``ko_chance`` is the chance (0 to 1) that ``ko_hits`` uses of the move knock the defender out
    from its current HP, end-of-turn effects included; both ``None`` where the calculator names
    none. ``description`` is the calculator's own sentence, ``None`` if it was not asked for.
    """

    minimum: int
    maximum: int
    percent_minimum: float
    percent_maximum: float
    rolls: tuple[tuple[int, ...], ...]
    defender_max_hp: int
    ko_hits: int | None
    ko_chance: float | None
    hits: tuple[int, int]
    description: str | None


@dataclass(frozen=True, slots=True)
class QueryProblem:
    """Why one query could not be answered: the field at fault and the nearest valid name."""

    field: str
    message: str
    nearest: str | None = None


DamageAnswer = DamageRange | QueryProblem
"""What one query gets: a range, or what was wrong with it (the others are answered)."""


def query_document(query: DamageQuery) -> dict[str, Any]:
    """The query as the JSON document that the service takes."""
    return {
        "attacker": combatant_document(query.attacker),
        "defender": combatant_document(query.defender),
        "move": query.move,
        "critical": query.critical,
        "hits": query.hits,
        "detail": query.detail,
        "description": query.description,
        "rolls": query.rolls,
        "field": field_document(query.field),
    }


def field_document(spec: FieldSpec) -> dict[str, Any]:
    """The field as the JSON document that the service takes."""
    return {
        "weather": spec.weather,
        "terrain": spec.terrain,
        "gravity": spec.gravity,
        "magic_room": spec.magic_room,
        "wonder_room": spec.wonder_room,
        "attacker_side": _side_document(spec.attacker_side),
        "defender_side": _side_document(spec.defender_side),
    }


def combatant_document(spec: CombatantSpec) -> dict[str, Any]:
    """The combatant as the JSON document that the service takes."""
    return {
        "species": spec.species,
        "level": spec.level,
        "ability": spec.ability,
        "ability_on": spec.ability_on,
        "item": spec.item,
        "types": None if spec.types is None else list(spec.types),
        "gender": spec.gender,
        "status": spec.status,
        "toxic_counter": spec.toxic_counter,
        "boosts": dict(spec.boosts),
        "evs": spec.evs,
        "ivs": spec.ivs,
        "stats": spec.stats,
        "hp_fraction": spec.hp_fraction,
    }


def _side_document(side: SideSpec) -> dict[str, Any]:
    return {
        "reflect": side.reflect,
        "light_screen": side.light_screen,
        "aurora_veil": side.aurora_veil,
        "tailwind": side.tailwind,
        "stealth_rock": side.stealth_rock,
        "spikes": side.spikes,
        "leech_seed": side.leech_seed,
        "power_trick": side.power_trick,
        "foresight": side.foresight,
        "charge": side.charge,
        "switching_out": side.switching_out,
    }


def answer_from_document(document: dict[str, Any]) -> DamageAnswer:
    """The answer in the service's JSON document for one query."""
    if "error" in document:
        problem = document["error"]
        return QueryProblem(problem["field"], problem["message"], problem.get("nearest"))
    rolls, hits = document["rolls"], document["hits"]
    return DamageRange(
        document["minimum"],
        document["maximum"],
        document["percent_minimum"],
        document["percent_maximum"],
        tuple([tuple(strike) for strike in rolls]) if rolls else (),
        document["defender_max_hp"],
        document["ko_hits"],
        document["ko_chance"],
        (hits[0], hits[1]),
        document["description"],
    )
