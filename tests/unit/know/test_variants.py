"""Which variants of a foe are reckoned as one, by what bears on the hit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from porimon.showdown.calculator.model import RANDOM_BATTLE_EVS, CombatantSpec
from porimon.showdown.calculator.variants import (
    LEAST_VARIANT_CHANCE,
    MOST_VARIANTS,
    FoeVariant,
    bearing,
    merged_variants,
)

CONKELDURR = CombatantSpec("conkeldurr", 80, ability="guts", item="leftovers")


def variants(*changes: tuple[float, dict[str, object]]) -> list[FoeVariant]:
    return [
        FoeVariant(chance, ("drainpunch",), replace(CONKELDURR, **each))  # type: ignore[arg-type]
        for chance, each in changes
    ]


def merged(
    found: list[FoeVariant], move: str, *, foe_attacks: bool, ability: str | None = None
) -> list[tuple[float, str | None, str | None]]:
    bears = bearing(move, foe_attacks=foe_attacks, ability=ability)
    return [
        (round(one.chance, 6), one.combatant.item, one.combatant.ability)
        for one in merged_variants(found, bears)
    ]


def test_an_item_counts_in_its_own_role() -> None:
    found = variants(
        (0.5, {"item": "lifeorb"}), (0.3, {"item": "assaultvest"}), (0.2, {"item": "leftovers"})
    )
    assert merged(found, "earthquake", foe_attacks=False) == [
        (0.7, "lifeorb", "guts"),
        (0.3, "assaultvest", "guts"),
    ]
    assert merged(found, "drainpunch", foe_attacks=True) == [
        (0.5, "lifeorb", "guts"),
        (0.5, "assaultvest", "guts"),
    ]


def test_holding_nothing_is_never_merged() -> None:
    """Acrobatics and Knock Off ask whether anything is held."""
    found = variants((0.5, {"item": None}), (0.5, {"item": "leftovers"}))
    for foe_attacks in (False, True):
        assert len(merged(found, "acrobatics", foe_attacks=foe_attacks)) == 2


def test_an_ability_counts_in_its_own_role() -> None:
    found = variants((0.6, {"ability": "guts"}), (0.4, {"ability": "thickfat"}))
    assert len(merged(found, "icebeam", foe_attacks=False)) == 2
    assert len(merged(found, "drainpunch", foe_attacks=True)) == 2
    idle = variants((0.6, {"ability": "regenerator"}), (0.4, {"ability": "pressure"}))
    assert merged(idle, "icebeam", foe_attacks=False) == [(1.0, "leftovers", "regenerator")]
    strikes = variants((0.6, {"ability": "guts"}), (0.4, {"ability": "pressure"}))
    assert merged(strikes, "icebeam", foe_attacks=False) == [(1.0, "leftovers", "guts")]


def test_an_unknown_name_is_reckoned_by_itself() -> None:
    found = variants((0.6, {"ability": "notyetknown"}), (0.4, {"item": "notyetknown"}))
    assert len(merged(found, "icebeam", foe_attacks=False)) == 2


def test_the_likeliest_stands_for_all() -> None:
    found = variants(
        (0.2, {"item": "leftovers"}),
        (0.5, {"item": "rockyhelmet"}),
        (0.3, {"item": "sitrusberry"}),
    )
    assert merged(found, "earthquake", foe_attacks=False) == [(1.0, "rockyhelmet", "guts")]


@pytest.mark.parametrize(
    ("move", "foe_attacks", "ability", "apart"),
    [
        ("gyroball", True, None, True),
        ("gyroball", False, None, True),
        ("drainpunch", True, None, False),
        ("drainpunch", False, None, False),
        ("drainpunch", False, "analytic", True),
    ],
)
def test_a_choice_scarf_counts_where_speed_does(
    move: str, foe_attacks: bool, ability: str | None, apart: bool
) -> None:
    found = variants((0.5, {"item": "choicescarf"}), (0.5, {"item": "leftovers"}))
    assert (len(merged(found, move, foe_attacks=foe_attacks, ability=ability)) == 2) is apart


def test_a_choice_scarf_counts_for_a_foe_with_analytic() -> None:
    found = variants(
        (0.5, {"item": "choicescarf", "ability": "analytic"}), (0.5, {"ability": "analytic"})
    )
    assert len(merged(found, "drainpunch", foe_attacks=True)) == 2


def test_stats_count_where_the_move_uses_them() -> None:
    weak = {**RANDOM_BATTLE_EVS, "atk": 0}
    found = variants((0.5, {}), (0.5, {"evs": weak}))
    assert len(merged(found, "drainpunch", foe_attacks=True)) == 2
    assert len(merged(found, "bodypress", foe_attacks=True)) == 2  # Power Trick
    assert len(merged(found, "icebeam", foe_attacks=True)) == 1
    assert len(merged(found, "photongeyser", foe_attacks=True)) == 2
    assert len(merged(found, "icebeam", foe_attacks=False)) == 1
    assert len(merged(found, "foulplay", foe_attacks=False)) == 2
    frail = {**RANDOM_BATTLE_EVS, "hp": 0}
    found = variants((0.5, {}), (0.5, {"evs": frail}))
    assert len(merged(found, "icebeam", foe_attacks=False)) == 2


def test_the_unlikely_and_the_many_are_left_out() -> None:
    rare = LEAST_VARIANT_CHANCE / 2
    found = variants((1 - rare, {}), (rare, {"item": "choiceband"}))
    assert merged(found, "drainpunch", foe_attacks=True) == [
        (round(1 - rare, 6), "leftovers", "guts")
    ]
    many = [one for number in range(20) for one in variants((0.05, {"ability": f"a{number}"}))]
    assert len(merged(many, "drainpunch", foe_attacks=True)) == MOST_VARIANTS


def test_sets_with_one_combatant_count_together() -> None:
    """Two sets with a Life Orb that differ in moves outweigh the likeliest single set."""
    orb, rest = replace(CONKELDURR, item="lifeorb"), CONKELDURR
    found = [
        FoeVariant(0.36, ("drainpunch",), rest),
        FoeVariant(0.34, ("drainpunch", "machpunch"), orb),
        FoeVariant(0.30, ("drainpunch", "icepunch"), orb),
    ]
    assert merged(found, "earthquake", foe_attacks=False) == [(1.0, "lifeorb", "guts")]
