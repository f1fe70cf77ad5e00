"""The game data: complete for the format, exact where checked by hand, quick to load."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.errors import UserInputError
from porimon.showdown.candidates.samples import samples
from porimon.showdown.dex import Dex, boosted, dex, stat_value, stats_of, to_id
from porimon.showdown.view.model import NO_ITEM


def test_loading_takes_less_than_50_ms() -> None:
    """Processor time, the best of five: what other processes do must not fail it."""
    taken = []
    for _ in range(5):
        start = time.process_time()
        Dex.load()
        taken.append(time.process_time() - start)
    assert min(taken) < 0.05


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("U-turn", "uturn"),
        ("Flabébé", "flabebe"),
        ("Tauros-Paldea-Blaze", "taurospaldeablaze"),
        ("King's Shield", "kingsshield"),
        ("10,000,000 Volt Thunderbolt", "10000000voltthunderbolt"),
        ("", ""),
    ],
)
def test_ids(name: str, expected: str) -> None:
    assert to_id(name) == expected


@given(st.text())
def test_an_id_is_its_own_id(text: str) -> None:
    assert to_id(to_id(text)) == to_id(text)
    assert all(character.isascii() and character.isalnum() for character in to_id(text))


def test_every_record_reads_and_every_name_leads_back_to_its_id() -> None:
    """No record has a field that the dataclasses lack, and look-ups by name and by id agree."""
    data = dex()
    for table, find in (
        ("species", data.species),
        ("moves", data.move),
        ("abilities", data.ability),
        ("items", data.item),
        ("natures", data.nature),
    ):
        assert len(data.ids(table)) > 20
        for key in data.ids(table):
            assert find(key) is find(find(key).name)


def test_everything_in_the_random_sets_has_an_effect_text() -> None:
    data = dex()
    assert len(data.ids("random_sets")) > 400
    for key in data.ids("random_sets"):
        sets = data.random_sets(key)
        assert sets is not None
        assert data.species(key).text
        assert 1 <= sets.level <= 100
        assert len(sets.roles) >= 1
        for move in sets.moves:
            assert data.move(move).text
            assert data.move(move).short_text
        for ability in sets.abilities:
            assert data.ability(ability).text
            assert data.ability(ability).short_text


def test_everything_that_was_ever_sampled_has_an_effect_text() -> None:
    """3,000 sets of every species: items appear here, which the sets' file doesn't name."""
    data = dex()
    sampled = samples()
    for key in sampled.species:
        for look in sampled.of(key).looks:
            assert data.species(look).text
        for one in sampled.of(key).sets:
            assert data.ability(one.ability).text
            if one.item != NO_ITEM:
                assert data.item(one.item).short_text


def test_a_species_by_hand() -> None:
    garchomp = dex().species("Garchomp")
    assert garchomp.types == ("dragon", "ground")
    assert garchomp.base_stats == {
        "hp": 108, "atk": 130, "def": 95, "spa": 80, "spd": 85, "spe": 102,
    }  # fmt: skip
    assert garchomp.abilities == ("sandveil", "roughskin")
    assert garchomp.weight_kg == 95
    assert "Rough Skin" in garchomp.text


def test_a_forme_that_only_looks_different_is_marked() -> None:
    assert dex().species("Gastrodon-East").cosmetic
    assert dex().species("Gastrodon-East").base_species == "gastrodon"
    assert not dex().species("Rotom-Wash").cosmetic


def test_moves_by_hand() -> None:
    scald = dex().move("scald")
    assert (scald.type, scald.category, scald.base_power, scald.accuracy) == (
        "water", "special", 80, 100,
    )  # fmt: skip
    assert scald.secondaries[0].chance == 30
    assert scald.secondaries[0].status == "brn"
    assert dex().move("bravebird").recoil == (33, 100)
    assert dex().move("gigadrain").drain == (1, 2)
    assert dex().move("aerialace").accuracy is None
    assert dex().move("iciclespear").hits == (2, 5)
    assert dex().move("dualwingbeat").hits == (2, 2)
    assert dex().move("swordsdance").boosts == (("atk", 2),)
    assert dex().move("closecombat").self_boosts == (("def", -1), ("spd", -1))
    assert dex().move("poweruppunch").secondaries[0].target == "user"
    assert dex().move("suckerpunch").priority == 1
    assert dex().move("uturn").switches_user is True
    assert dex().move("stealthrock").side_condition == "stealthrock"
    assert dex().move("raindance").weather == "raindance"
    assert dex().move("seismictoss").fixed_damage == "level"
    assert dex().move("gyroball").computed_power
    assert dex().move("foulplay").uses_target_attack
    assert dex().move("psyshock").defensive_stat == "def"
    assert dex().move("uturn").makes_contact
    assert not dex().move("earthquake").makes_contact
    assert dex().move("stealthrock").pp == 32


@pytest.mark.parametrize(
    ("attacking", "defending", "expected"),
    [
        ("ground", ["fire", "steel"], 4),
        ("ground", ["flying", "steel"], 0),
        ("fire", ["water", "dragon"], 0.25),
        ("normal", ["rock"], 0.5),
        ("dragon", ["fairy"], 0),
        ("???", ["ghost"], 1),
        ("electric", [], 1),
    ],
)
def test_type_effectiveness(attacking: str, defending: list[str], expected: float) -> None:
    assert dex().effectiveness(attacking, defending) == expected


def test_moves_with_a_rule_of_their_own() -> None:
    def against(move: str, *types: str) -> float:
        return dex().move_effectiveness(dex().move(move), types)

    assert against("freezedry", "water", "ground") == 4
    assert against("icebeam", "water", "ground") == 1
    assert against("thousandarrows", "flying", "steel") == 2
    assert against("flyingpress", "grass", "fighting") == 4
    assert against("flyingpress", "rock") == 1
    assert against("struggle", "ghost") == 1


@given(st.sampled_from(dex().types), st.lists(st.sampled_from(dex().types), max_size=3))
def test_effectiveness_is_the_product_over_types(attacking: str, defending: list[str]) -> None:
    product = 1.0
    for one in defending:
        product *= dex().effectiveness(attacking, [one])
    assert dex().effectiveness(attacking, defending) == product


def test_stats_by_hand() -> None:
    """Garchomp, level 79, 85 EVs, 31 IVs: HP ⌊(216+31+21)·0.79⌋+89, Attack ⌊312·0.79⌋+5."""
    garchomp = dex().species("garchomp")
    evs = dict.fromkeys(garchomp.base_stats, 85)
    ivs = dict.fromkeys(garchomp.base_stats, 31)
    stats = stats_of(garchomp, 79, evs, ivs)
    assert stats["hp"] == 300
    assert stats["atk"] == 251
    assert stats_of(dex().species("shedinja"), 88, evs, ivs)["hp"] == 1


def test_natures_act_on_two_stats() -> None:
    adamant = dex().nature("Adamant")
    assert stat_value("atk", 130, 100, 252, 31, adamant) == 394
    assert stat_value("spa", 80, 100, 0, 31, adamant) == 176
    assert stat_value("spe", 102, 100, 252, 31, adamant) == 303
    assert dex().nature("serious").raises is None


@given(st.integers(1, 700), st.integers(-6, 5))
def test_a_boost_never_lowers(value: int, stages: int) -> None:
    assert boosted(value, stages) <= boosted(value, stages + 1)


def test_boosts_by_hand() -> None:
    assert [boosted(101, stages) for stages in (-6, -1, 0, 1, 2, 6)] == [25, 67, 101, 151, 202, 404]


def test_an_unknown_name_gets_the_nearest_one() -> None:
    with pytest.raises(UserInputError) as raised:
        dex().move("sealthrock")
    assert raised.value.remedy == "did you mean 'Stealth Rock'?"
    assert dex().find_move("sealthrock") is None
    assert dex().random_sets("caterpie") is None
