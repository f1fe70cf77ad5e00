"""Names and effect texts for everything that a prompt may mention."""

from __future__ import annotations

from porimon.showdown.dex.store import dex
from porimon.showdown.facts.lookup import (
    ability_facts,
    condition_name,
    item_facts,
    move_facts,
    names_in,
)
from porimon.showdown.view.model import NO_ITEM
from tests.situations import SITUATIONS


def test_power_is_none_where_it_is_not_fixed() -> None:
    assert move_facts(dex(), "earthquake").base_power == 100
    assert move_facts(dex(), "heavyslam").base_power is None
    assert move_facts(dex(), "toxic").base_power is None
    assert move_facts(dex(), "aerialace").accuracy is None
    assert move_facts(dex(), "stoneedge").accuracy == 0.8


def test_every_set_of_the_format_has_effect_texts() -> None:
    """Abilities and moves of all random sets; a move may say that it has no further effect."""
    for species in dex().ids("random_sets"):
        sets = dex().random_sets(species)
        assert sets is not None
        for ability in sets.abilities:
            assert ability_facts(dex(), ability).effect, ability
        for move in sets.moves:
            data = dex().move(move)
            assert move_facts(dex(), data.id).effect or data.base_power > 0, move


def test_unknown_ids_keep_their_names_and_raise_nothing() -> None:
    assert ability_facts(dex(), "nonesuch").name == "nonesuch"
    assert item_facts(dex(), NO_ITEM).name == "no item"
    assert condition_name("stealthrock", dex()) == "Stealth Rock"
    assert condition_name("sandstorm", dex()) == "Sandstorm"
    assert condition_name("flashfire", dex()) == "Flash Fire"
    assert condition_name("nonesuch", dex()) == "nonesuch"


def test_every_id_of_a_view_has_a_name() -> None:
    for build in SITUATIONS.values():
        view, _ = build()
        names = names_in(view, dex())
        assert all(name and name != "" for name in names.values())
        for pokemon in (*view.own.team, *view.foe.team):
            assert names[pokemon.species][0].isupper()
            assert all(move.id in names for move in pokemon.moves)
