"""From a view to what the calculator takes: combatants and the field, as pure functions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from porimon.showdown.calculator.model import (
    RANDOM_BATTLE_EVS,
    RANDOM_BATTLE_IVS,
    CombatantSpec,
    FieldSpec,
    SideSpec,
)
from porimon.showdown.candidates.model import CandidateSet
from porimon.showdown.dex import dex, stats_of
from porimon.showdown.dex.stats import STATS
from porimon.showdown.view.model import (
    NO_ITEM,
    BattleView,
    PokemonView,
    SideView,
    StatName,
)

SMALLEST_FRACTION = 0.001
"""HP that a living Pokémon has at least: its shown hundredth may be rounded to nothing."""

_ABILITIES_SWITCHED_ON_BY = {"flashfire": "flashfire", "slowstart": "slowstart"}
"""Abilities whose effect starts or ends in battle, with the volatile effect that tells."""


def own_combatant(pokemon: PokemonView, view: BattleView) -> CombatantSpec:
    """One's own Pokémon: everything about it is known."""
    stats = pokemon.stats
    if pokemon.transformed_into is not None:
        stats = _copied_stats(pokemon, view.foe, stats)
    elif stats is not None and pokemon.max_hp is not None:
        stats = {**stats, "hp": pokemon.max_hp}
    return _combatant(
        pokemon,
        ability=pokemon.ability,
        item=pokemon.item,
        stats=stats,
        fraction=pokemon.hp / pokemon.max_hp
        if pokemon.hp is not None and pokemon.max_hp
        else pokemon.hp_fraction,
    )


def foe_combatant(pokemon: PokemonView, candidate: CandidateSet, view: BattleView) -> CombatantSpec:
    """A foe's Pokémon as it is, with what is not known of it taken from ``candidate``."""
    stats: dict[StatName, int] | None = None
    if pokemon.transformed_into is not None:
        stats = _copied_stats(pokemon, view.own, {"hp": candidate.stats["hp"]})
    return _combatant(
        pokemon,
        ability=pokemon.ability if pokemon.ability is not None else candidate.ability,
        item=pokemon.item if pokemon.item is not None else candidate.item,
        stats=stats,
        fraction=pokemon.hp_fraction,
        evs=candidate.evs,
        ivs=candidate.ivs,
    )


def foe_combatants(
    pokemon: PokemonView, sets: Iterable[CandidateSet], view: BattleView
) -> list[CombatantSpec]:
    """``foe_combatant`` for each of ``sets``; those that differ in moves alone share one."""
    made: dict[tuple[object, ...], CombatantSpec] = {}
    found = []
    for candidate in sets:
        key = (
            candidate.ability,
            candidate.item,
            *candidate.evs.values(),
            *candidate.ivs.values(),
            candidate.stats["hp"],
        )
        combatant = made.get(key)
        if combatant is None:
            combatant = made[key] = foe_combatant(pokemon, candidate, view)
        found.append(combatant)
    return found


def attacking(spec: CombatantSpec) -> CombatantSpec:
    """The combatant as it strikes: Aegislash draws its blade before its damage is reckoned."""
    if spec.species != "aegislash" or spec.ability != "stancechange":
        return spec
    stats: dict[StatName, int] = {
        stat: value for stat, value in (spec.stats or {}).items() if stat in ("hp", "spe")
    }
    return replace(spec, species="aegislashblade", types=None, stats=stats or None)


def battlefield(view: BattleView, *, foe_attacks: bool, defender_enters: bool = False) -> FieldSpec:
    """The field as it bears on a hit by one's own side or, with ``foe_attacks``, by the foe's.

    ``defender_enters``: the defender is on the bench, so what lies on its side hurts it first.
    """
    attackers, defenders = (view.foe, view.own) if foe_attacks else (view.own, view.foe)
    return FieldSpec(
        weather=view.field.weather.id if view.field.weather is not None else None,
        terrain=view.field.terrain.id if view.field.terrain is not None else None,
        gravity=view.field.has("gravity"),
        magic_room=view.field.has("magicroom"),
        wonder_room=view.field.has("wonderroom"),
        attacker_side=_side(attackers, defending=False, enters=False),
        defender_side=_side(defenders, defending=True, enters=defender_enters),
    )


@lru_cache(maxsize=2048)
def calculator_species(species: str) -> str:
    """The id by which the calculator knows a species: formes that only look different are plain.

    Cherrim's sunny forme is plain too: the calculator gives Cherrim its Flower Gift by itself.
    """
    known = dex().find_species(species)
    if known is None:
        return species
    return known.base_species if known.cosmetic or known.id == "cherrimsunshine" else known.id


def _combatant(
    pokemon: PokemonView,
    *,
    ability: str | None,
    item: str | None,
    stats: dict[StatName, int] | None,
    fraction: float,
    evs: dict[StatName, int] | None = None,
    ivs: dict[StatName, int] | None = None,
) -> CombatantSpec:
    suppressed = {volatile.id for volatile in pokemon.volatiles} & {"gastroacid", "embargo"}
    return CombatantSpec(
        species=calculator_species(pokemon.species),
        level=pokemon.level,
        ability=None if "gastroacid" in suppressed else ability,
        ability_on=_ability_is_on(pokemon, ability),
        item=None if item == NO_ITEM or "embargo" in suppressed else item,
        types=pokemon.types,
        gender=pokemon.gender,
        status=pokemon.status,
        toxic_counter=(pokemon.status_turns or 0) if pokemon.status == "tox" else 0,
        boosts=pokemon.boosts,
        stats=stats,
        hp_fraction=min(1.0, max(SMALLEST_FRACTION, fraction)),
        evs=RANDOM_BATTLE_EVS if evs is None else evs,
        ivs=RANDOM_BATTLE_IVS if ivs is None else ivs,
    )


def _ability_is_on(pokemon: PokemonView, ability: str | None) -> bool:
    if ability == "unburden":
        return pokemon.item == NO_ITEM and bool(pokemon.former_items)
    effect = _ABILITIES_SWITCHED_ON_BY.get(ability or "")
    return effect is not None and pokemon.has_volatile(effect)


def _copied_stats(
    pokemon: PokemonView, opponents: SideView, own: dict[StatName, int] | None
) -> dict[StatName, int]:
    """Stats after Transform: the target's, but one's own HP.

    The target is the opponent of that species; where its exact stats are unknown, or it is gone,
    they follow from the convention (85 EVs, 31 IVs, neutral nature).
    """
    target = next(
        (
            other
            for other in opponents.team
            if pokemon.transformed_into in (other.species, other.team_species)
        ),
        None,
    )
    if target is not None and target.stats is not None:
        stats = dict(target.stats)
    else:
        species = dex().species(pokemon.transformed_into or pokemon.species)
        level = target.level if target is not None else pokemon.level
        stats = stats_of(species, level, dict.fromkeys(STATS, 85), dict.fromkeys(STATS, 31))
    hp = pokemon.max_hp if pokemon.max_hp is not None else (own or {}).get("hp")
    if hp is not None:
        stats["hp"] = hp
    return stats


_BARE = SideSpec()


def _side(side: SideView, *, defending: bool, enters: bool) -> SideSpec:
    if not side.conditions and (enters or side.active is None or not side.active.volatiles):
        return _BARE

    def lies(effect: str) -> bool:
        return side.condition(effect) is not None

    def on_active(effect: str) -> bool:
        return not enters and side.active is not None and side.active.has_volatile(effect)

    spikes = side.condition("spikes") if enters else None
    return SideSpec(
        reflect=lies("reflect"),
        light_screen=lies("lightscreen"),
        aurora_veil=lies("auroraveil"),
        tailwind=lies("tailwind"),
        stealth_rock=enters and lies("stealthrock"),
        spikes=spikes.layers if spikes is not None else 0,
        leech_seed=defending and on_active("leechseed"),
        power_trick=on_active("powertrick"),
        foresight=defending and (on_active("foresight") or on_active("miracleeye")),
        charge=not defending and on_active("charge"),
    )
