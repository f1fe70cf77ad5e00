"""From a view to queries and back to a table: pure functions, checked without a calculator."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from porimon.showdown.calculator import (
    DamageAnswer,
    DamageQuery,
    DamageRange,
    QueryProblem,
    damage_table,
    plan_damage,
    read_damage,
)
from porimon.showdown.calculator.model import answer_from_document, query_document
from porimon.showdown.calculator.specs import (
    battlefield,
    calculator_species,
    foe_combatant,
    own_combatant,
)
from porimon.showdown.candidates import Candidates, candidates, revealed_from_view
from porimon.showdown.dex import dex, stats_of
from porimon.showdown.dex.stats import STATS
from porimon.showdown.view.model import (
    NO_ITEM,
    BattleView,
    FieldView,
    LegalOrder,
    MoveView,
    PokemonView,
    SideView,
    Timed,
)

NO_FIELD = FieldView()


def pokemon(name: str, *moves: str, own: bool = False, **changes: Any) -> PokemonView:
    species = dex().species(name)
    sets = dex().random_sets(name) or dex().random_sets(f"{name}gmax")
    level = sets.level if sets is not None else 80
    base = PokemonView(
        species=species.id,
        team_species=species.id,
        name=species.name,
        level=level,
        gender="M",
        types=species.types,
        base_stats=species.base_stats,
        hp_fraction=1.0,
        moves=tuple(MoveView(move) for move in moves),
    )
    if own:
        stats = stats_of(species, level, dict.fromkeys(STATS, 85), dict.fromkeys(STATS, 31))
        hp = stats.pop("hp")
        base = replace(base, stats=stats, hp=hp, max_hp=hp, item=NO_ITEM, ability="pressure")
    return replace(base, **changes)


def view(
    own: PokemonView,
    foe: PokemonView | None,
    *bench: PokemonView,
    field: FieldView = NO_FIELD,
    own_conditions: tuple[Timed, ...] = (),
    foe_conditions: tuple[Timed, ...] = (),
    orders: tuple[LegalOrder, ...] = (),
) -> BattleView:
    return BattleView(
        battle_format="gen8randombattle",
        turn=3,
        me="p1",
        own=SideView("p1", replace(own, active=True), bench, 6, own_conditions),
        foe=SideView(
            "p2", None if foe is None else replace(foe, active=True), (), 6, foe_conditions
        ),
        field=field,
        legal_orders=orders,
    )


def likely(foe: PokemonView) -> Candidates:
    return candidates(revealed_from_view(foe))


SNORLAX = pokemon("snorlax", "bodyslam", "earthquake", "rest", own=True)
GENGAR = pokemon("gengar")


def test_every_attack_meets_every_variant_and_status_moves_none() -> None:
    plan = plan_damage(view(SNORLAX, GENGAR), likely(GENGAR))
    moves = [query.move for query in plan.queries if query.attacker.species == "snorlax"]
    assert set(moves) == {"bodyslam", "earthquake"}
    assert all(query.defender.species == "gengar" for query in plan.queries if query.move in moves)


def test_threats_are_known_moves_first_then_likely_ones() -> None:
    foe = pokemon("gengar", "shadowball")
    found = likely(foe)
    plan = plan_damage(view(SNORLAX, foe), found)
    threats = [query.move for query in plan.queries if query.attacker.species == "gengar"]
    assert threats[0] == "shadowball"
    damaging = [
        move
        for move, chance in found.unrevealed_moves
        if chance >= 0.05 and dex().move(move).deals_damage
    ]
    assert list(dict.fromkeys(threats))[1:] == damaging[:6]


def test_a_known_set_needs_one_query_for_a_move() -> None:
    entry = likely(GENGAR).sets[0]
    foe = pokemon("gengar", *entry.moves, item=entry.item, ability=entry.ability)
    foe = replace(foe, base_ability=entry.ability)
    attacks = [
        query
        for query in plan_damage(view(SNORLAX, foe), likely(foe)).queries
        if query.move == "earthquake"
    ]
    assert len(attacks) == 1
    assert attacks[0].defender.item == entry.item
    assert attacks[0].defender.evs == entry.evs


def test_the_bench_is_reckoned_with_too_and_the_fainted_are_not() -> None:
    healthy = pokemon("heatran", "lavaplume", own=True)
    fainted = pokemon("blissey", "seismictoss", own=True, fainted=True, hp=0)
    plan = plan_damage(view(SNORLAX, GENGAR, healthy, fainted), likely(GENGAR))
    assert [bool(attacks) for attacks, _ in plan.matchups] == [True, True, False]
    assert plan.matchups[2] == ((), ())
    bench = [query for query in plan.queries if "heatran" in (query.attacker.species,)]
    assert bench
    assert not any(query.detail for query in bench)


def test_without_a_foe_there_is_nothing_to_ask() -> None:
    assert plan_damage(view(SNORLAX, None), likely(GENGAR)).queries == []


def test_struggle_is_asked_for_when_it_is_all_that_is_legal() -> None:
    order = LegalOrder("move", "struggle", "Struggle", "move 1")
    plan = plan_damage(view(SNORLAX, GENGAR, orders=(order,)), likely(GENGAR))
    assert "struggle" in {query.move for query in plan.queries}


def range_of(low: float, high: float) -> DamageRange:
    return DamageRange(10, 20, low, high, ((10, 20),), 100, 2, 0.5, (1, 1), "words")


def test_a_table_spans_the_variants_and_keeps_the_likeliest() -> None:
    plan = plan_damage(view(SNORLAX, GENGAR), likely(GENGAR))
    answers: list[DamageAnswer] = [
        range_of(float(number), number + 10.0) for number in range(len(plan.queries))
    ]
    table = read_damage(plan, answers)
    assert len(table.matchups) == 1
    number = 0
    for planned, row in zip(
        (*plan.matchups[0][0], *plan.matchups[0][1]),
        (*table.matchups[0].attacks, *table.matchups[0].threats),
        strict=True,
    ):
        count = len(planned.variants)
        assert (row.move, row.low, row.high) == (planned.move, number, number + count - 1 + 10)
        assert row.likely == answers[number]
        number += count
    assert number == len(answers)


def test_a_move_without_a_range_says_why() -> None:
    plan = plan_damage(view(SNORLAX, GENGAR), likely(GENGAR))
    problem = QueryProblem("move", "not known before")
    table = read_damage(plan, [problem] * len(plan.queries))
    row = table.matchups[0].attacks[0]
    assert (row.low, row.high, row.likely, row.problem) == (None, None, None, "not known before")


async def test_no_answer_gives_no_table() -> None:
    class Silent:
        async def calculate(self, queries: Any) -> list[DamageAnswer] | None:
            return None

    assert await damage_table(view(SNORLAX, GENGAR), likely(GENGAR), Silent()) is None


def test_ones_own_exact_stats_and_hp_are_used() -> None:
    hurt = replace(SNORLAX, hp=100, hp_fraction=0.24)
    spec = own_combatant(hurt, view(hurt, GENGAR))
    assert spec.stats is not None
    assert spec.stats["hp"] == SNORLAX.max_hp
    assert spec.hp_fraction == pytest.approx(100 / (SNORLAX.max_hp or 1))
    assert spec.item is None


def test_what_is_known_of_the_foe_outweighs_its_candidates() -> None:
    foe = pokemon("gengar", item=NO_ITEM, ability="levitate", types=("water",), status="tox")
    foe = replace(foe, status_turns=3, boosts=(("spa", 2),), hp_fraction=0.5)
    spec = foe_combatant(foe, likely(GENGAR).sets[0], view(SNORLAX, foe))
    assert (spec.item, spec.ability, spec.types) == (None, "levitate", ("water",))
    assert (spec.status, spec.toxic_counter, spec.hp_fraction) == ("tox", 3, 0.5)
    assert spec.boosts == (("spa", 2),)


def test_suppressed_items_and_abilities_do_not_count() -> None:
    foe = pokemon("gengar", volatiles=(Timed("gastroacid"), Timed("embargo")), item="lifeorb")
    spec = foe_combatant(foe, likely(GENGAR).sets[0], view(SNORLAX, foe))
    assert (spec.item, spec.ability) == (None, None)


def test_abilities_that_switch_on() -> None:
    heatran = pokemon("heatran", ability="flashfire", own=True)
    heatran = replace(heatran, ability="flashfire")
    assert not own_combatant(heatran, view(heatran, GENGAR)).ability_on
    lit = replace(heatran, volatiles=(Timed("flashfire"),))
    assert own_combatant(lit, view(lit, GENGAR)).ability_on
    light = replace(SNORLAX, ability="unburden", former_items=("whiteherb",))
    assert own_combatant(light, view(light, GENGAR)).ability_on


def test_a_transformed_foe_has_our_stats_and_its_own_hp() -> None:
    ditto = pokemon("ditto")
    ditto = replace(ditto, species="snorlax", transformed_into="snorlax", types=("normal",))
    candidate = likely(pokemon("ditto")).sets[0]
    spec = foe_combatant(ditto, candidate, view(SNORLAX, ditto))
    assert spec.species == "snorlax"
    assert spec.stats is not None
    assert SNORLAX.stats is not None
    assert spec.stats["atk"] == SNORLAX.stats["atk"]
    assert spec.stats["hp"] == candidate.stats["hp"]


def test_a_forme_changed_in_battle_is_reckoned_as_that_forme() -> None:
    blade = replace(pokemon("aegislash"), species="aegislashblade")
    candidate = likely(pokemon("aegislash")).sets[0]
    spec = foe_combatant(blade, candidate, view(SNORLAX, blade))
    assert (spec.species, spec.stats, spec.evs) == ("aegislashblade", None, candidate.evs)


def test_aegislash_strikes_with_its_blade_and_is_struck_behind_its_shield() -> None:
    foe = pokemon("aegislash", "shadowsneak")
    queries = plan_damage(view(SNORLAX, foe), likely(foe)).queries
    strikes = [query for query in queries if query.move == "shadowsneak"]
    assert {query.attacker.species for query in strikes} == {"aegislashblade"}
    assert {q.defender.species for q in queries if q.move == "earthquake"} == {"aegislash"}
    ours = pokemon("aegislash", "shadowsneak", own=True, ability="stancechange")
    struck = plan_damage(view(ours, SNORLAX), likely(SNORLAX)).queries
    attacker = next(query.attacker for query in struck if query.move == "shadowsneak")
    assert attacker.species == "aegislashblade"
    assert attacker.stats is not None
    assert attacker.stats.keys() == {"hp", "spe"}


def test_the_field_from_each_side() -> None:
    shown = view(
        SNORLAX,
        pokemon("gengar", volatiles=(Timed("leechseed"),)),
        field=FieldView(Timed("raindance"), Timed("grassyterrain"), (Timed("gravity"),)),
        own_conditions=(Timed("stealthrock"), Timed("spikes", layers=2), Timed("reflect")),
        foe_conditions=(Timed("tailwind"), Timed("lightscreen")),
    )
    ours = battlefield(shown, foe_attacks=False)
    assert (ours.weather, ours.terrain, ours.gravity) == ("raindance", "grassyterrain", True)
    assert ours.defender_side.light_screen
    assert ours.defender_side.leech_seed
    assert ours.attacker_side.reflect
    theirs = battlefield(shown, foe_attacks=True)
    assert theirs.attacker_side.tailwind
    assert theirs.defender_side.reflect
    # The active Pokémon has passed the hazards already; whoever comes in has not.
    assert (theirs.defender_side.stealth_rock, theirs.defender_side.spikes) == (False, 0)
    entering = battlefield(shown, foe_attacks=True, defender_enters=True)
    assert (entering.defender_side.stealth_rock, entering.defender_side.spikes) == (True, 2)


def test_species_as_the_calculator_spells_them() -> None:
    assert calculator_species("gastrodoneast") == "gastrodon"
    assert calculator_species("cherrimsunshine") == "cherrim"
    assert calculator_species("morpekohangry") == "morpekohangry"
    assert calculator_species("rotomwash") == "rotomwash"


def test_documents_hold_every_field_of_a_query() -> None:
    plan = plan_damage(view(SNORLAX, GENGAR), likely(GENGAR))
    query: DamageQuery = plan.queries[0]
    document = query_document(query)
    for name in query._fields:
        assert name in document
    for name in query.attacker.__dataclass_fields__:
        assert name in document["attacker"]
    for name in query.field.attacker_side.__dataclass_fields__:
        assert name in document["field"]["attacker_side"]


def test_answers_are_read_back() -> None:
    assert answer_from_document(
        {"error": {"field": "move", "message": "there is no move", "nearest": "tackle"}}
    ) == QueryProblem("move", "there is no move", "tackle")
