"""The facts of one Pokémon: what it is, has or may have, and what its stats are or may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from porimon.showdown.candidates.model import Candidates
from porimon.showdown.dex.stats import boosted, stat_value
from porimon.showdown.dex.store import Dex
from porimon.showdown.facts.effectiveness import Fighter, bearing_on_types, defences, type_in_use
from porimon.showdown.facts.lookup import ability_facts, item_facts, move_facts, type_name
from porimon.showdown.facts.model import Described, MoveFacts, PokemonFacts, StatRange
from porimon.showdown.facts.same import Same
from porimon.showdown.view.model import (
    NO_ITEM,
    BattleView,
    BoostName,
    FieldView,
    PokemonView,
    StatName,
)

BATTLE_STATS: tuple[tuple[StatName, BoostName], ...] = (
    ("atk", "atk"),
    ("def", "def"),
    ("spa", "spa"),
    ("spd", "spd"),
    ("spe", "spe"),
)
"""The five stats of a battle and the boosts that act on them."""
_KEPT = 4096
_KEPT_FOES = 1024
RANDOM_BATTLE_EV = 85
RANDOM_BATTLE_IV = 31


def fighter_of(pokemon: PokemonView, dex: Dex) -> Fighter:
    """What of a Pokémon bears on type multipliers.

    An ability that was not revealed counts where the species can have no other.
    """
    ability = pokemon.ability or only_ability(pokemon.team_species, dex)
    return _fighter(pokemon.species, pokemon.types, ability, pokemon.item)


@lru_cache(maxsize=_KEPT)
def _fighter(
    species: str, types: tuple[str, ...], ability: str | None, item: str | None
) -> Fighter:
    return Fighter(species, tuple(name.lower() for name in types), ability, item)


@lru_cache(maxsize=_KEPT)
def only_ability(species: str, dex: Dex) -> str | None:
    """The ability that a Pokémon must have because the generator gives its species no other."""
    sets = dex.random_sets(species)
    if sets is not None and len(sets.abilities) == 1:
        return sets.abilities[0]
    found = dex.find_species(species)
    if found is not None and len(found.abilities) == 1:
        return found.abilities[0]
    return None


def own_facts(pokemon: PokemonView, field: FieldView, dex: Dex) -> PokemonFacts:
    """The facts of one's own Pokémon: everything is exact."""
    return _own_facts(
        fighter_of(pokemon, dex),
        pokemon.team_species,
        pokemon.ability,
        tuple(move.id for move in pokemon.moves),
        tuple(pokemon.stats.items()) if pokemon.stats is not None else (),
        pokemon.boosts,
        bearing_on_types(field),
        dex,
    )


# Five of six have not changed since the last decision.
@lru_cache(maxsize=_KEPT)
def _own_facts(
    fighter: Fighter,
    team_species: str,
    ability: str | None,
    moves: tuple[str, ...],
    stats: tuple[tuple[StatName, int], ...],
    boosts: tuple[tuple[BoostName, int], ...],
    field: FieldView,
    dex: Dex,
) -> PokemonFacts:
    return PokemonFacts(
        name=_species_name(team_species, dex),
        types=tuple(type_name(name) for name in fighter.types),
        ability=ability_facts(dex, ability) if ability else None,
        item=item_facts(dex, fighter.item or NO_ITEM),
        moves=_moves(((move, None) for move in moves), fighter, field, dex),
        defences=defences(fighter, field, dex),
        stats=_boosted({stat: StatRange(value, value) for stat, value in stats}, boosts),
    )


def with_other_moves(
    facts: PokemonFacts, pokemon: PokemonView, view: BattleView, dex: Dex
) -> PokemonFacts:
    """Facts of one's own active Pokémon with the legal moves that are none of its four."""
    own = {move.id for move in facts.moves}
    legal = [order.target for order in view.legal_orders if order.kind == "move"]
    others = [(move, None) for move in legal if move not in own]
    if not others:
        return facts
    return replace(facts, other_moves=_moves(others, fighter_of(pokemon, dex), view.field, dex))


def foe_facts(
    pokemon: PokemonView, candidates: Candidates | None, field: FieldView, dex: Dex
) -> PokemonFacts:
    """The facts of a foe's Pokémon: what was revealed, and what the candidate sets say.

    Without candidates the stats are those of the format's convention (31 IVs, 85 EVs, neutral
    nature), and nothing is said about what it may have besides.
    """
    return _foe_facts(
        fighter_of(pokemon, dex),
        pokemon.team_species,
        tuple([move.id for move in pokemon.moves]),
        pokemon.transformed_into is not None,
        pokemon.level,
        tuple(pokemon.base_stats.items()),
        pokemon.boosts,
        Same(candidates),
        bearing_on_types(field),
        dex,
    )


# Most have neither changed nor shown anything since the last decision. Each keeps its candidates.
@lru_cache(maxsize=_KEPT_FOES)
def _foe_facts(
    fighter: Fighter,
    team_species: str,
    moves: tuple[str, ...],
    transformed: bool,
    level: int,
    base_stats: tuple[tuple[StatName, int], ...],
    boosts: tuple[tuple[BoostName, int], ...],
    among: Same[Candidates | None],
    field: FieldView,
    dex: Dex,
) -> PokemonFacts:
    candidates, ability, item = among.thing, fighter.ability, fighter.item
    possible_abilities: tuple[Described, ...] = ()
    possible_items: tuple[Described, ...] = ()
    likely: tuple[MoveFacts, ...] = ()
    # After Transform the candidates of its own species say nothing on moves and ability.
    if candidates is not None and not transformed:
        if ability is None:
            possible_abilities = tuple(ability_facts(dex, *one) for one in candidates.abilities)
        unknown = [one for one in candidates.moves if one[0] not in moves]
        likely = _moves(unknown, fighter, field, dex)
    if candidates is not None and item is None:
        possible_items = tuple(item_facts(dex, *one) for one in candidates.items)
    # A changed forme has other base stats than the candidate sets were made for.
    if candidates is not None and fighter.species == team_species:
        stats = {stat: StatRange(*candidates.stats_ranges[stat]) for stat, _ in BATTLE_STATS}
    else:
        stats = _conventional_stats(level, dict(base_stats))
    return PokemonFacts(
        name=_species_name(team_species, dex),
        types=tuple(type_name(name) for name in fighter.types),
        ability=ability_facts(dex, ability) if ability else None,
        possible_abilities=possible_abilities,
        item=item_facts(dex, item) if item else None,
        possible_items=possible_items,
        moves=_moves(((move, None) for move in moves), fighter, field, dex),
        likely_moves=likely,
        defences=defences(fighter, field, dex),
        stats=_boosted(stats, boosts),
    )


def _species_name(species: str, dex: Dex) -> str:
    found = dex.find_species(species)
    return found.name if found is not None else species


def _moves(
    moves: Iterable[tuple[str, float | None]], user: Fighter, field: FieldView, dex: Dex
) -> tuple[MoveFacts, ...]:
    found = ((dex.find_move(identifier), chance) for identifier, chance in moves)
    return tuple(
        move_facts(dex, move.id, chance, type_in_use(move, user, field))
        for move, chance in found
        if move is not None
    )


def _conventional_stats(
    level: int, base_stats: Mapping[StatName, int]
) -> dict[StatName, StatRange]:
    found: dict[StatName, StatRange] = {}
    for stat, _ in BATTLE_STATS:
        value = stat_value(stat, base_stats[stat], level, RANDOM_BATTLE_EV, RANDOM_BATTLE_IV)
        found[stat] = StatRange(value, value)
    return found


def _boosted(
    values: dict[StatName, StatRange], boosts: tuple[tuple[BoostName, int], ...]
) -> dict[StatName, StatRange]:
    stages = dict(boosts)
    return {
        stat: StatRange(
            boosted(values[stat].low, stages[boost]), boosted(values[stat].high, stages[boost])
        )
        if stages.get(boost)
        else values[stat]
        for stat, boost in BATTLE_STATS
        if stat in values
    }
