"""The ways in which a foe's set may be, merged where a hit is the same for several of them.

Half of what a set leaves open bears on no damage at all, or only on what its holder deals, or only
on what it takes: a Life Orb changes nothing of our hit on it. Such variants are reckoned once. The
lists below follow the calculator's own rules; what they do not name counts as bearing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from porimon.showdown.calculator.model import CombatantSpec
from porimon.showdown.dex import dex
from porimon.showdown.view.model import StatName

LEAST_VARIANT_CHANCE = 0.01
"""Variants less likely than this do not widen a range."""
MOST_VARIANTS = 12

_IDLE_ITEMS = frozenset(
    {
        "aguavberry", "airballoon", "blacksludge", "blunderpolicy", "chestoberry", "custapberry",
        "ejectbutton", "ejectpack", "figyberry", "flameorb", "focussash", "heavydutyboots",
        "iapapaberry", "leek", "leftovers", "lightclay", "lumberry", "magoberry", "mentalherb",
        "powerherb", "redcard", "rockyhelmet", "salacberry", "scopelens", "shedshell",
        "sitrusberry", "throatspray", "toxicorb", "weaknesspolicy", "whiteherb", "widelens",
        "wikiberry",
    }
)  # fmt: skip
"""Items that change no damage by being held; any of them stands for all. (Air Balloon shows itself
on entry, so a hidden item is none.)"""
_ITEMS_THAT_STRIKE = frozenset(
    {"choiceband", "choicespecs", "expertbelt", "lifeorb", "lightball", "magnet", "silkscarf"}
)
"""Items that change what their holder deals, and nothing of what it takes."""
_ITEMS_THAT_SHIELD = frozenset({"assaultvest", "eviolite"})
"""Items that change what their holder takes, and nothing of what it deals."""

_IDLE_ABILITIES = frozenset(
    {
        "aftermath", "arenatrap", "beastboost", "berserk", "cheekpouch", "compoundeyes",
        "corrosion", "cursedbody", "drizzle", "drought", "effectspore", "electricsurge",
        "emergencyexit", "flamebody", "frisk", "gluttony", "grassysurge", "gulpmissile", "harvest",
        "hungerswitch", "icebody", "illusion", "imposter", "ironbarbs", "justified", "magicguard",
        "magnetpull", "mirrorarmor", "mistysurge", "moxie", "naturalcure", "noguard", "overcoat",
        "pastelveil", "pickpocket", "pressure", "psychicsurge", "regenerator", "rockhead",
        "roughskin", "sandstream", "screencleaner", "serenegrace", "shadowtag", "shedskin",
        "shielddust", "snowwarning", "soulheart", "speedboost", "static", "sturdy", "superluck",
        "synchronize", "trace", "victorystar", "vitalspirit", "waterveil",
    }
)  # fmt: skip
"""Abilities that change no damage by themselves (the weather that one brings is in the view)."""
_ABILITIES_THAT_STRIKE = frozenset(
    {
        "analytic", "defeatist", "dragonsmaw", "galewings", "gorillatactics", "guts", "hugepower",
        "hustle", "ironfist", "megalauncher", "moldbreaker", "overgrow", "pixilate", "prankster",
        "reckless", "sheerforce", "skilllink", "sniper", "solarpower", "stakeout", "steelworker",
        "strongjaw", "swarm", "technician", "teravolt", "tintedlens", "torrent", "toughclaws",
        "transistor", "triage", "turboblaze", "unseenfist",
    }
)  # fmt: skip
_ABILITIES_THAT_SHIELD = frozenset(
    {
        "aromaveil", "battlearmor", "bulletproof", "dryskin", "filter", "fluffy", "furcoat",
        "icescales", "insomnia", "leafguard", "lightningrod", "limber", "magicbounce",
        "marvelscale", "motordrive", "multiscale", "mummy", "prismarmor", "queenlymajesty",
        "sapsipper", "shadowshield", "shellarmor", "solidrock", "soundproof", "stamina",
        "stickyhold", "stormdrain", "tanglinghair", "thickfat", "voltabsorb", "wanderingspirit",
        "waterabsorb", "watercompaction", "weakarmor", "wonderguard",
    }
)  # fmt: skip

_IDLE = "idle"
_BY_SPEED = frozenset({"boltbeak", "electroball", "fishiousrend", "gyroball", "payback"})
"""Moves whose power depends on who is faster, so that even a Choice Scarf bears on them."""
_BY_SPEED_ABILITY = "analytic"
_EITHER_STAT = frozenset({"photongeyser", "shellsidearm"})
"""Moves that strike with Attack or Special Attack, whichever does more."""


@dataclass(frozen=True, slots=True)
class FoeVariant:
    """One way in which the foe's active Pokémon may be: its chance, its moves, its combatant."""

    chance: float
    moves: tuple[str, ...]
    combatant: CombatantSpec


@dataclass(frozen=True, slots=True)
class Bearing:
    """What of a foe's set may change one move's damage, beside the item's and ability's role."""

    foe_attacks: bool
    stats: tuple[StatName, ...]
    by_speed: bool


@lru_cache(maxsize=2048)
def bearing(move: str, *, foe_attacks: bool, ability: str | None = None) -> Bearing:
    """What of the foe may change the damage of ``move``; equal for most moves.

    ``ability`` is our own attacker's (Analytic asks who is faster).
    """
    by_speed = move in _BY_SPEED or (not foe_attacks and ability == _BY_SPEED_ABILITY)
    return Bearing(foe_attacks, _bearing_stats(move, foe_attacks), by_speed)


def merged_variants(variants: Sequence[FoeVariant], bears: Bearing) -> list[FoeVariant]:
    """The variants that differ in something that bears on a hit, likeliest first.

    Of those that are merged the likeliest combatant stands for all (sets that differ in moves alone
    share theirs). Chances add up to 1 before the unlikely ones are left out.
    """
    combatants: dict[int, FoeVariant] = {}
    for variant in variants:
        known = combatants.get(id(variant.combatant))
        chance = variant.chance if known is None else known.chance + variant.chance
        combatants[id(variant.combatant)] = FoeVariant(chance, variant.moves, variant.combatant)
    classes: dict[tuple[object, ...], list[FoeVariant]] = {}
    for one in combatants.values():
        classes.setdefault(_key(one.combatant, bears), []).append(one)
    total = sum(one.chance for one in combatants.values())
    merged = []
    for alike in classes.values():
        likeliest = max(alike, key=_chance)
        chance = sum(one.chance for one in alike) / total
        merged.append(FoeVariant(chance, likeliest.moves, likeliest.combatant))
    merged.sort(key=_chance, reverse=True)
    likely = [variant for variant in merged if variant.chance >= LEAST_VARIANT_CHANCE]
    return (likely or merged)[:MOST_VARIANTS]


def _chance(variant: FoeVariant) -> float:
    return variant.chance


def _key(spec: CombatantSpec, bears: Bearing) -> tuple[object, ...]:
    evs, ivs, exact = spec.evs, spec.ivs, spec.stats or {}
    by_speed = bears.by_speed or (bears.foe_attacks and spec.ability == _BY_SPEED_ABILITY)
    return (
        _ability_class(spec.ability, bears.foe_attacks),
        _item_class(spec.item, bears.foe_attacks, by_speed),
        *[evs[stat] for stat in bears.stats],
        *[ivs[stat] for stat in bears.stats],
        *[exact.get(stat) for stat in bears.stats],
    )


def _bearing_stats(move: str, foe_attacks: bool) -> tuple[StatName, ...]:
    """The foe's stats that a hit may depend on."""
    known = dex().find_move(move)
    if not foe_attacks:
        if known is not None and known.uses_target_attack:
            return ("hp", "atk", "def", "spd", "spe")
        return ("hp", "def", "spd", "spe")
    if known is None or move in _EITHER_STAT:
        return ("atk", "spa", "spe")
    # Body Press strikes with Defense, and Power Trick exchanges it with Attack.
    return ("atk", "def", "spe") if known.category == "physical" else ("spa", "spe")


def _item_class(item: str | None, foe_attacks: bool, by_speed: bool) -> str | None:
    """Items of one class make no difference; holding none is a class of its own (Acrobatics)."""
    if item == "choicescarf":
        return item if by_speed else _IDLE
    other = _ITEMS_THAT_SHIELD if foe_attacks else _ITEMS_THAT_STRIKE
    return _IDLE if item in _IDLE_ITEMS or item in other else item


def _ability_class(ability: str | None, foe_attacks: bool) -> str | None:
    other = _ABILITIES_THAT_SHIELD if foe_attacks else _ABILITIES_THAT_STRIKE
    return _IDLE if ability in _IDLE_ABILITIES or ability in other else ability
