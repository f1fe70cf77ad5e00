"""Figures as phrases: hand-worked examples."""

from __future__ import annotations

import pytest

from porimon.showdown.facts.model import Attack, Damage, Described, Facts, MoveFacts, StatRange
from porimon.showdown.prompts import phrases
from porimon.showdown.view.model import Timed

FLAMETHROWER = MoveFacts("flamethrower", "Flamethrower", "Fire", "special", 90, 1.0, 0, "May burn")
SPIKES = MoveFacts("spikes", "Spikes", "Ground", "status", None, None, 0, "")
LOW_KICK = MoveFacts("lowkick", "Low Kick", "Fighting", "physical", None, 1.0, 0, "")
FACTS = Facts((), (), names={"spikes": "Spikes", "encore": "Encore", "raindance": "Rain"})


@pytest.mark.parametrize(
    "fraction, text",
    [(0, "0%"), (0.001, "1%"), (0.005, "1%"), (0.5, "50%"), (0.996, "99%"), (1, "100%")],
)
def test_only_nothing_is_0_and_only_all_is_100_percent(fraction: float, text: str) -> None:
    assert phrases.percent(fraction) == text


@pytest.mark.parametrize(
    "damage, text",
    [
        (None, ""),
        (Damage(0, 0), "damage 0%"),
        (Damage(0.4, 0.8), "damage 0-1%"),
        (Damage(33.3, 33.3, 1.0, 4), "damage 33%, faints in 4 hits"),
        (Damage(90.1, 106.4, 0.375, 1), "damage 90-106%, faints in 1 hit (38%)"),
        (Damage(40.0, 48.9, 0.9999, 2), "damage 40-48%, faints in 2 hits (99%)"),
    ],
)
def test_damage(damage: Damage | None, text: str) -> None:
    assert phrases.damage(damage) == text


def test_strength_follows_the_players_knowledge() -> None:
    attack = Attack(FLAMETHROWER, 2.0, 75, Damage(40, 48, 1.0, 3))
    assert phrases.attack_strength(attack, True) == "×2 | damage 40-48%, faints in 3 hits"
    assert phrases.attack_strength(attack, False) == "×2 | scaled power 75"
    assert phrases.attack_strength(Attack(FLAMETHROWER, 2.0, 75), True) == "×2 | scaled power 75"
    assert phrases.attack_strength(Attack(FLAMETHROWER, 0.5), True) == "×0.5 | power 90"
    assert phrases.attack_strength(Attack(LOW_KICK, 1.0), False) == "×1 | power varies"
    assert phrases.attack_strength(Attack(SPIKES), True) == "status move"


@pytest.mark.parametrize(
    "condition, text",
    [
        (Timed("spikes", layers=3), "Spikes 3 layers"),
        (Timed("raindance", turns_left_min=1, turns_left_max=1), "Rain (1 turn left)"),
        (Timed("raindance", turns_left_min=1, turns_left_max=4), "Rain (1-4 turns left)"),
        (Timed("encore", detail="spikes", turns_left_min=2, turns_left_max=2),
         "Encore on Spikes (2 turns left)"),
        (Timed("unheardof"), "unheardof"),
    ],
)  # fmt: skip
def test_conditions(condition: Timed, text: str) -> None:
    assert phrases.timed(condition, FACTS) == text


def test_type_charts() -> None:
    defences = (("Ice", 4.0), ("Dragon", 2.0), ("Fairy", 2.0), ("Fire", 0.5), ("Electric", 0.0))
    assert phrases.type_chart(defences) == "×4 Ice; ×2 Dragon, Fairy; ×0.5 Fire; ×0 Electric"
    assert phrases.type_chart(defences, {"Ice", "Water"}) == "×4 Ice; ×1 Water"
    assert phrases.type_chart(()) == "all ×1"
    assert phrases.weaknesses(defences) == "×4 Ice; ×2 Dragon, Fairy"
    assert phrases.weaknesses(defences[3:]) == "nothing"


def test_things_that_are_not_known_are_listed_with_their_chances() -> None:
    things = (
        Described("a", "A", "", 0.6),
        Described("b", "B", "", 0.3),
        Described("c", "C", "", 0.01),
    )
    assert phrases.likely(things) == "A 60%, B 30%"
    assert phrases.described(Described("a", "A", "Heals.")) == "A (Heals)"
    assert phrases.described(None) == "unknown"
    assert phrases.stats({"spe": StatRange(150, 190), "atk": 210}) == "Atk 210, Spe 150-190"


def test_moves() -> None:
    assert phrases.move_line(FLAMETHROWER) == "Fire, special, power 90"
    assert phrases.move_line(SPIKES) == "Ground, status"
    quick = MoveFacts("x", "X", "Ice", "physical", 40, 0.9, 1, "")
    assert phrases.move_line(quick) == "Ice, physical, power 40, accuracy 90%, priority +1"


def test_guessed_status_moves_are_no_threats_and_few_guesses_are_shown() -> None:
    guesses = [
        Attack(MoveFacts(f"m{n}", f"M{n}", "Fire", "special", 90, 1.0, 0, "", 0.9 - n / 10))
        for n in range(9)
    ]
    known = Attack(SPIKES)
    unsure = Attack(MoveFacts("t", "T", "Ice", "status", None, 1.0, 0, "", 0.9))
    assert phrases.shown_threats([known, unsure, *guesses]) == (known, *guesses[:5])
