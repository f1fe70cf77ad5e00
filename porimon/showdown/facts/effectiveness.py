"""What multiplies an attack by type: the type it really has, the chart, and known immunities.

Damage ranges come from the calculator; the multipliers here are what a player sees at a glance,
and must never tell the model something that the game would not do (Levitate, Freeze-Dry …).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from porimon.showdown.dex.model import Move
from porimon.showdown.dex.store import Dex
from porimon.showdown.view.model import FieldView, Timed

_IMMUNITIES = {
    "levitate": "ground",
    "flashfire": "fire",
    "voltabsorb": "electric",
    "lightningrod": "electric",
    "motordrive": "electric",
    "waterabsorb": "water",
    "stormdrain": "water",
    "dryskin": "water",
    "sapsipper": "grass",
}
_FLAG_IMMUNITIES = {"soundproof": "sound", "bulletproof": "bullet"}
_IGNORE_ABILITIES = frozenset({"moldbreaker", "teravolt", "turboblaze"})
_MAKE_NORMAL = {
    "pixilate": "fairy",
    "aerilate": "flying",
    "refrigerate": "ice",
    "galvanize": "electric",
}
_WEATHER_TYPES = {
    "sunnyday": "fire",
    "desolateland": "fire",
    "raindance": "water",
    "primordialsea": "water",
    "sandstorm": "rock",
    "hail": "ice",
}
_TERRAIN_TYPES = {
    "electricterrain": "electric",
    "grassyterrain": "grass",
    "mistyterrain": "fairy",
    "psychicterrain": "psychic",
}


_KEPT_PRODUCTS = 4096


@dataclass(frozen=True, slots=True)
class Fighter:
    """What of a Pokémon bears on type multipliers: species, types, ability and item now, as ids.

    Unknown ability or item is ``None``; it changes nothing.
    """

    species: str
    types: tuple[str, ...]
    ability: str | None = None
    item: str | None = None


_NOTHING = FieldView()


def bearing_on_types(field: FieldView) -> FieldView:
    """Of the field what bears on types: weather, terrain and gravity, without their durations."""
    gravity = field.has("gravity")
    if field.weather is None and field.terrain is None and not gravity:
        return _NOTHING
    return FieldView(
        Timed(field.weather.id) if field.weather is not None else None,
        Timed(field.terrain.id) if field.terrain is not None else None,
        (Timed("gravity"),) if gravity else (),
    )


def type_in_use(move: Move, user: Fighter, field: FieldView) -> str:
    """The type that the move has when ``user`` uses it now, as an id.

    Weather Ball, Terrain Pulse, Aura Wheel, Multi-Attack, and abilities that
    change Normal or sound moves.
    """
    weather = field.weather.id if field.weather else ""
    terrain = field.terrain.id if field.terrain else ""
    if move.id == "weatherball":
        return _WEATHER_TYPES.get(weather, move.type)
    if move.id == "terrainpulse":
        return _TERRAIN_TYPES.get(terrain, move.type)
    if move.id == "aurawheel":
        return "dark" if user.species.endswith("hangry") else "electric"
    if move.id == "multiattack":
        return user.types[0].lower() if user.types else move.type
    if user.ability == "liquidvoice" and "sound" in move.flags:
        return "water"
    if user.ability == "normalize" and move.id != "struggle":
        return "normal"
    if move.type == "normal" and move.id != "struggle" and user.ability in _MAKE_NORMAL:
        return _MAKE_NORMAL[user.ability]
    return move.type


def attack_multiplier(
    move: Move, attacking: str, user: Fighter, target: Fighter, gravity: bool, dex: Dex
) -> float | None:
    """What ``move`` is multiplied by for its type against ``target``; ``None`` for status moves.

    ``attacking`` is its ``type_in_use``. Counts what is known: 0 for an immunity by ability, item
    or Wonder Guard, and that Gravity or an Iron Ball ground a Flying type. Moves of fixed damage
    give 0 or 1.
    """
    if move.category == "status":
        return None
    ability = None if _ignored(move, user) else target.ability
    return _multiplier(move.id, attacking, target.types, ability, target.item, gravity, dex)


# A decision asks for some sixty, nearly all of them again at the next one.
@lru_cache(maxsize=_KEPT_PRODUCTS)
def _multiplier(
    move_id: str,
    attacking: str,
    types: tuple[str, ...],
    ability: str | None,
    item: str | None,
    gravity: bool,
    dex: Dex,
) -> float:
    move = dex.move(move_id)
    if _immune(move, attacking, ability, item, gravity):
        return 0.0
    if attacking == "ground" and _grounded_by_force(item, gravity):
        types = tuple(name for name in types if name.lower() != "flying")
    if attacking == move.type:
        product = dex.move_effectiveness(move, types)
    else:
        product = dex.effectiveness(attacking, types)
    if ability == "wonderguard" and product <= 1 and move.id != "struggle":
        return 0.0
    if move.fixed_damage is not None:
        return min(product, 1.0) if product == 0 else 1.0
    return product


def defences(fighter: Fighter, field: FieldView, dex: Dex) -> tuple[tuple[str, float], ...]:
    """The multipliers other than 1 of each attacking type against a Pokémon, by type name."""
    return _defences(fighter.types, fighter.ability, fighter.item, field.has("gravity"), dex)


# A battle has twelve Pokémon and asks for their defences at every decision.
@lru_cache(maxsize=_KEPT_PRODUCTS)
def _defences(
    types: tuple[str, ...], ability: str | None, item: str | None, gravity: bool, dex: Dex
) -> tuple[tuple[str, float], ...]:
    found = []
    for attacking in dex.types:
        factor = dex.effectiveness(attacking, types)
        if attacking == "ground" and _grounded_by_force(item, gravity):
            rest = tuple(name for name in types if name.lower() != "flying")
            factor = dex.effectiveness(attacking, rest)
        elif _immune_to_type(attacking, ability, item, gravity):
            factor = 0.0
        if factor != 1:
            found.append((attacking.capitalize(), factor))
    return tuple(found)


def _ignored(move: Move, user: Fighter) -> bool:
    return move.ignores_ability or user.ability in _IGNORE_ABILITIES


def _immune(
    move: Move, attacking: str, ability: str | None, item: str | None, gravity: bool
) -> bool:
    if ability in _FLAG_IMMUNITIES and _FLAG_IMMUNITIES[ability] in move.flags:
        return True
    # Thousand Arrows hits what floats.
    if attacking == "ground" and move.id == "thousandarrows":
        return False
    return _immune_to_type(attacking, ability, item, gravity)


def _immune_to_type(attacking: str, ability: str | None, item: str | None, gravity: bool) -> bool:
    if attacking == "ground":
        if _grounded_by_force(item, gravity):
            return False
        return ability == "levitate" or item == "airballoon"
    return ability is not None and _IMMUNITIES.get(ability) == attacking


def _grounded_by_force(item: str | None, gravity: bool) -> bool:
    return gravity or item == "ironball"
