"""Type multipliers as the game has them, where a bare type chart would be wrong."""

from __future__ import annotations

import pytest

from porimon.showdown.dex.store import dex
from porimon.showdown.facts.effectiveness import (
    Fighter,
    attack_multiplier,
    defences,
    type_in_use,
)
from porimon.showdown.view.model import FieldView, Timed

PLAIN = Fighter("snorlax", ("normal",))
BREAKER = Fighter("haxorus", ("dragon",), "moldbreaker")
NO_FIELD = FieldView()
GRAVITY = FieldView(pseudo_weather=(Timed("gravity"),))


def target(*types: str, ability: str | None = None, item: str | None = None) -> Fighter:
    return Fighter("target", types, ability, item)


@pytest.mark.parametrize(
    "move, user, foe, field, expected",
    [
        ("icebeam", PLAIN, target("dragon", "ground"), NO_FIELD, 4.0),
        ("earthquake", PLAIN, target("psychic", ability="levitate"), NO_FIELD, 0.0),
        ("earthquake", PLAIN, target("psychic", ability="levitate"), GRAVITY, 1.0),
        ("earthquake", PLAIN, target("fire", "flying"), NO_FIELD, 0.0),
        ("earthquake", PLAIN, target("fire", "flying"), GRAVITY, 2.0),
        ("earthquake", PLAIN, target("fire", item="airballoon"), NO_FIELD, 0.0),
        ("earthquake", PLAIN, target("fire", "flying", item="ironball"), NO_FIELD, 2.0),
        ("thousandarrows", PLAIN, target("psychic", ability="levitate"), NO_FIELD, 1.0),
        ("earthquake", BREAKER, target("psychic", ability="levitate"), NO_FIELD, 1.0),
        ("thunderbolt", PLAIN, target("water", ability="voltabsorb"), NO_FIELD, 0.0),
        ("hypervoice", PLAIN, target("fire", ability="soundproof"), NO_FIELD, 0.0),
        ("shadowball", PLAIN, target("ghost", ability="bulletproof"), NO_FIELD, 0.0),
        ("flamethrower", PLAIN, target("bug", "ghost", ability="wonderguard"), NO_FIELD, 2.0),
        ("surf", PLAIN, target("bug", "ghost", ability="wonderguard"), NO_FIELD, 0.0),
        ("freezedry", PLAIN, target("water"), NO_FIELD, 2.0),
        ("flyingpress", PLAIN, target("grass"), NO_FIELD, 2.0),
        ("hypervoice", Fighter("sylveon", ("fairy",), "pixilate"), target("dragon"), NO_FIELD, 2.0),
        ("hypervoice", Fighter("x", ("water",), "liquidvoice"), target("fire"), NO_FIELD, 2.0),
        ("seismictoss", PLAIN, target("rock", "steel"), NO_FIELD, 1.0),
        ("seismictoss", PLAIN, target("ghost"), NO_FIELD, 0.0),
        ("struggle", PLAIN, target("ghost"), NO_FIELD, 1.0),
        ("toxic", PLAIN, target("steel"), NO_FIELD, None),
    ],
)  # fmt: skip
def test_multiplier(
    move: str, user: Fighter, foe: Fighter, field: FieldView, expected: float | None
) -> None:
    data = dex().move(move)
    attacking, gravity = type_in_use(data, user, field), field.has("gravity")
    assert attack_multiplier(data, attacking, user, foe, gravity, dex()) == expected


@pytest.mark.parametrize(
    "move, user, field, expected",
    [
        ("weatherball", PLAIN, FieldView(weather=Timed("raindance")), "water"),
        ("weatherball", PLAIN, NO_FIELD, "normal"),
        ("terrainpulse", PLAIN, FieldView(terrain=Timed("electricterrain")), "electric"),
        ("multiattack", Fighter("silvallyghost", ("ghost",)), NO_FIELD, "ghost"),
        ("aurawheel", Fighter("morpeko", ("electric", "dark")), NO_FIELD, "electric"),
        ("aurawheel", Fighter("morpekohangry", ("electric", "dark")), NO_FIELD, "dark"),
        ("bodyslam", Fighter("x", ("ice",), "refrigerate"), NO_FIELD, "ice"),
        ("surf", Fighter("x", ("normal",), "normalize"), NO_FIELD, "normal"),
    ],
)
def test_type_in_use(move: str, user: Fighter, field: FieldView, expected: str) -> None:
    assert type_in_use(dex().move(move), user, field) == expected


def test_defences_count_known_immunities() -> None:
    found = dict(defences(target("electric", "water", ability="levitate"), NO_FIELD, dex()))
    assert found["Ground"] == 0
    assert found["Grass"] == 2
    assert "Normal" not in found
    assert dict(defences(target("electric", ability="levitate"), GRAVITY, dex()))["Ground"] == 2
