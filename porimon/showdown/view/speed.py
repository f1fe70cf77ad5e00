"""Who is faster: the speed that decides the order of two moves of equal priority.

Every modifier that a player may know counts: stages, paralysis, Tailwind, items, abilities in their
weather or terrain, Slow Start, Unburden. The arithmetic is the simulator's (modifiers in 4096ths,
chained, rounded half down; paralysis last).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from porimon.showdown.dex import Dex, boosted, stat_value
from porimon.showdown.view.battle_state import BattleState
from porimon.showdown.view.model import NO_ITEM, SpeedView
from porimon.showdown.view.pokemon_state import PokemonState
from porimon.showdown.view.possible import known_ability, possible_abilities, possible_moves

ONE = 4096
USUAL_EVS, USUAL_IVS = 85, 31
"""Speed EVs and IVs of Gen 8 Random Battle sets; sets with a slow player's move have none."""

MOVES_OF_A_SET = 4
SLOW_SET_MOVES = frozenset({"gyroball", "trickroom", "metalburst"})
"""Moves for whose sake the generator gives a set no Speed EVs and IVs."""

HEAVY_ITEMS = (
    "ironball", "machobrace", "poweranklet", "powerband", "powerbelt", "powerbracer",
    "powerlens", "powerweight",
)  # fmt: skip
ITEM_FACTORS = {
    "choicescarf": 1.5,
    "quickpowder": 2.0,
    **dict.fromkeys(HEAVY_ITEMS, 0.5),
}
WEATHER_ABILITIES = {
    "swiftswim": ("raindance", "primordialsea"),
    "chlorophyll": ("sunnyday", "desolateland"),
    "sandrush": ("sandstorm",),
    "slushrush": ("hail",),
}
WEATHER_SILENCERS = ("cloudnine", "airlock")


@dataclass(frozen=True, slots=True)
class Holding:
    """An item and an ability that a Pokémon has or may have."""

    item: str
    ability: str | None


def speed_view(state: BattleState, own: PokemonState, foe: PokemonState) -> SpeedView:
    """The comparison at this moment, in points with every modifier."""
    trick_room = "trickroom" in state.field.pseudo_weather
    own_values = _values(state, own)
    foe_values = _values(state, foe)
    first: Literal["own", "foe"] | None = None
    if own_values and foe_values:
        if min(own_values) > max(foe_values):
            first = "own"
        elif max(own_values) < min(foe_values):
            first = "foe"
        if trick_room and first is not None:
            first = "foe" if first == "own" else "own"
    exact = own_values[0] if len(set(own_values)) == 1 else None
    return SpeedView(
        own=exact,
        foe_low=min(foe_values) if foe_values else None,
        foe_high=max(foe_values) if foe_values else None,
        trick_room=trick_room,
        first=first,
    )


def possible_speeds(dex: Dex, pokemon: PokemonState) -> tuple[int, ...]:
    """The unboosted Speed stats that it may have: one where it is known, else its sets' usual ones.

    Transform copies the stat of its target.
    """
    if pokemon.transformed_into is not None:
        return pokemon.copied_speeds
    if pokemon.exact_speed is not None:
        return (pokemon.exact_speed,)
    return _usual_speeds(dex, pokemon)


def _usual_speeds(dex: Dex, pokemon: PokemonState) -> tuple[int, ...]:
    species = dex.find_species(pokemon.species)
    if species is None:
        return ()
    base = species.base_stats["spe"]
    usual = stat_value("spe", base, pokemon.level, USUAL_EVS, USUAL_IVS)
    may_know = possible_moves(dex, pokemon)
    slow = stat_value("spe", base, pokemon.level, 0, 0)
    if SLOW_SET_MOVES & pokemon.moves.keys():
        return (slow,) if may_know else (slow, usual)
    if SLOW_SET_MOVES & may_know and len(pokemon.moves) < MOVES_OF_A_SET:
        return (slow, usual)
    return (usual,)


def _values(state: BattleState, pokemon: PokemonState) -> list[int]:
    return [
        modified_speed(state, pokemon, speed, holding)
        for speed in possible_speeds(state.dex, pokemon)
        for holding in _holdings(state.dex, pokemon)
    ]


def _holdings(dex: Dex, pokemon: PokemonState) -> list[Holding]:
    """What it has, or, of items and abilities that bear on speed, what it may have."""
    items = [pokemon.item] if pokemon.item is not None else _possible_items(pokemon)
    known = known_ability(dex, pokemon)
    abilities: tuple[str | None, ...] = (known,)
    if known is None and pokemon.transformed_into is None:
        abilities = possible_abilities(dex, pokemon) or (None,)
    return [Holding(item, ability) for item in items for ability in abilities]


def _possible_items(pokemon: PokemonState) -> list[str]:
    # Two different moves in one stay: no Choice item binds it.
    free = len(pokemon.moves_since_entry) > 1
    return [NO_ITEM] if free else [NO_ITEM, "choicescarf"]


def modified_speed(state: BattleState, pokemon: PokemonState, speed: int, holding: Holding) -> int:
    """A Speed stat with everything that bears on it now, Trick Room aside."""
    value = boosted(speed, pokemon.boosts.get("spe", 0))
    modifier = ONE
    for factor in _factors(state, pokemon, holding):
        modifier = (modifier * int(factor * ONE) + 2048) >> 12
    value = (value * modifier + 2047) >> 12
    if pokemon.status == "par" and holding.ability != "quickfeet":
        value = value * 50 // 100
    return min(10000, value)


def _factors(state: BattleState, pokemon: PokemonState, holding: Holding) -> list[float]:
    factors: list[float] = []
    ability = None if _ability_off(state, pokemon, holding.ability) else holding.ability
    items_off = (
        ability == "klutz"
        or "embargo" in pokemon.volatiles
        or "magicroom" in state.field.pseudo_weather
    )
    if holding.item in ITEM_FACTORS and _item_counts(pokemon, holding.item, items_off):
        factors.append(ITEM_FACTORS[holding.item])
    if ability is not None:
        factors += _ability_factors(state, pokemon, holding.item, ability, items_off)
    if "slowstart" in pokemon.volatiles and ability == "slowstart":
        factors.append(0.5)
    side = state.sides[pokemon.role]
    if "tailwind" in side.conditions:
        factors.append(2.0)
    if "grasspledge" in side.conditions:
        factors.append(0.25)
    return factors


def _item_counts(pokemon: PokemonState, item: str, items_off: bool) -> bool:
    if item in HEAVY_ITEMS:
        return True  # their weight is felt even where items have no effect
    return not items_off and (item != "quickpowder" or pokemon.species == "ditto")


def _ability_factors(
    state: BattleState, pokemon: PokemonState, item: str, ability: str, items_off: bool
) -> list[float]:
    weather = _weather(state)
    if item == "utilityumbrella" and not items_off and weather not in ("sandstorm", "hail"):
        weather = None
    terrain = state.field.terrain
    if weather is not None and weather in WEATHER_ABILITIES.get(ability, ()):
        return [2.0]
    if ability == "surgesurfer" and terrain is not None and terrain.id == "electricterrain":
        return [2.0]
    if ability == "quickfeet" and pokemon.status is not None:
        return [1.5]
    if ability == "unburden" and item == NO_ITEM and pokemon.item_lost_since_entry:
        return [2.0]
    return []


def _weather(state: BattleState) -> str | None:
    for side in state.sides.values():
        active = side.active
        if active is not None and not active.fainted and active.ability in WEATHER_SILENCERS:
            return None
    return state.field.weather.id if state.field.weather is not None else None


def _ability_off(state: BattleState, pokemon: PokemonState, ability: str | None) -> bool:
    if "gastroacid" in pokemon.volatiles:
        return True
    return any(
        side.active is not None
        and not side.active.fainted
        and side.active.ability == "neutralizinggas"
        and ability != "neutralizinggas"
        for side in state.sides.values()
    )
