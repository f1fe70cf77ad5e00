"""Turns in which much can be misread, staged in the real simulator, against their right reading.

``tests/simulator/stage_tricky_turns.js`` made the lines. Each scene is checked twice: against what
the rules of the game make of it (``FACTS``: what must be told, in this order, and what must not),
and word for word against ``readings.txt``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porimon.memory.window import TurnSegments
from porimon.showdown.events.turn_log import TurnLog
from tests.simulator.battles import stage_tricky_turns

FOLDER = Path(__file__).parents[1] / "data" / "tricky_turns"
SCENES = sorted(path.stem for path in FOLDER.glob("*.txt") if path.stem != "readings")

# Scene: turn; what must be told, in order; what must not be told.
FACTS: dict[str, tuple[int, list[str], list[str]]] = {
    "both_faint_at_once": (
        1,
        ["Electrode used Explosion", "Electrode fainted", "opposing Abra fainted", "Snorlax came"],
        ["moved before"],
    ),
    "recoil_takes_the_attacker_too": (
        1,
        ["opposing Abra fainted", "from its Life Orb; none left", "Shedinja fainted"],
        [],
    ),
    "u_turn_into_hazard": (
        2,
        ["Scizor used U-turn", "Charizard came in (U-turn)", "50% (128 points)", "Stealth Rock"],
        ["Charizard moved before"],
    ),
    "substitute_broken_by_multi_hit": (
        2,
        ["Icicle Spear", "Substitute took the hit", "Substitute broke", "lost 15%", "hit 5 times"],
        ["Cloyster lost"],
    ),
    "substitute_takes_the_hit": (2, ["Substitute took the hit", "Speed rose"], ["lost", "broke"]),
    "protean": (1, ["Ice Beam", "Greninja is Ice-type now (Protean)", "Snorlax lost 10%"], []),
    "libero_into_a_miss": (
        1,
        ["Fighting-type now (Libero)", "Cinderace missed the opposing Snorlax", "by crashing"],
        ["opposing Snorlax lost"],
    ),
    "disguise": (
        1,
        ["Disguise took the hit", "keeps 100%", "Mimikyu-Busted", "lost 12%", "88% left"],
        [],
    ),
    "illusion_ends": (
        1,
        ["opposing Snorlax used Night Daze", "Illusion ended", "opposing Zoroark"],
        [],
    ),
    "imposter": (0, ["Ditto was sent in", "copy of Garchomp (Imposter)"], []),
    "transform_copies_boosts": (1, ["Attack rose by 2 stages", "Mew transformed"], []),
    "leech_seed_drains": (
        1,
        ["opposing Snorlax was seeded", "lost 12%", "Celebi's Leech Seed", "Celebi regained 16%"],
        [],
    ),
    "leech_seed_with_fainted_seeder": (
        1,
        ["opposing Snorlax was seeded", "Ninjask fainted", "Snorlax came in"],
        ["opposing Snorlax lost", "regained"],
    ),
    "wish_lands_on_another": (2, ["Snorlax regained 28% (103 points)", "the Wish"], ["Vaporeon"]),
    "future_sight_lands": (
        3,
        ["opposing Machamp took the Future Sight attack", "super effective", "lost 91%"],
        ["Slowking used Future Sight"],
    ),
    "perish_song": (
        4,
        ["opposing Snorlax's perish count fell to 0", "opposing Snorlax fainted", "Blissey"],
        ["Lapras"],
    ),
    "rapid_spin": (3, ["Speed rose", "freed from Leech Seed", "Spikes ended on your side"], []),
    "defog": (
        2,
        [
            "Corviknight's evasiveness fell",
            "Spikes ended on your side",
            "Stealth Rock ended on the opposing side",
        ],
        [],
    ),
    "knock_off": (1, ["lost 64%", "opposing Weavile knocked off the Leftovers of Blissey"], []),
    "trick": (
        1,
        ["swapped their items", "Blissey got Choice Scarf", "opposing Rotom got Leftovers"],
        [],
    ),
    "berry_eaten": (
        1,
        ["lost 50% (194 points)", "stage +6", "ate its Sitrus Berry", "regained 25% (97 points)"],
        [],
    ),
    "berry_weakens_the_hit": (
        1,
        ["super effective", "ate its Chople Berry", "weakened the hit", "lost 72%"],
        [],
    ),
    "focus_sash": (1, ["Focus Sash, which is used up", "less than 1% (1/219) left"], ["fainted"]),
    "sturdy": (1, ["ability Sturdy", "1% left"], ["fainted", "0%"]),
    "life_orb": (
        1,
        ["Gengar lost 10% (22 points) of its HP from its Life Orb", "from its Leftovers; 86% left"],
        [],
    ),
    "confusion_self_hit": (
        2,
        ["Machamp is confused", "by hitting itself"],
        ["Machamp used", "moved before"],
    ),
    "encore": (2, ["Blissey must repeat", "Blissey used Soft-Boiled"], ["moved before"]),
    "taunt": (1, ["can't use status moves", "could not use Soft-Boiled"], ["Blissey used"]),
    "disable": (2, ["Seismic Toss was disabled", "could not use Seismic Toss"], ["Blissey used"]),
    "weak_armor": (1, ["Weak Armor", "Defense fell by 1 stage", "Speed rose by 2 stages"], []),
    "speed_boost": (1, ["protected itself", "Speed Boost", "Speed rose"], ["moved before", "lost"]),
    "sleep_and_waking": (3, ["Snorlax woke up", "Snorlax used Body Slam", "paralyzed"], []),
    "full_paralysis": (
        1,
        ["Machamp was paralyzed", "Machamp could not move: it is fully paralyzed"],
        ["Machamp used", "moved before"],
    ),
    "baton_pass": (2, ["Vaporeon came in (Baton Pass)", "Espeon moved before"], []),
    "destiny_bond": (
        1,
        ["until its next move", "opposing Gengar fainted", "takes its attacker", "Weavile fainted"],
        [],
    ),
    "struggle": (
        2,
        ["no usable move left", "Blissey used Struggle", "lost 25% (135 points)", "recoil"],
        [],
    ),
    "tie": (2, ["The battle ended in a tie"], ["won", "lost"]),
    "magic_bounce": (
        1,
        ["Hatterene used Stealth Rock through its Magic Bounce", "began on your side"],
        ["opposing side", "Hatterene moved before"],
    ),
    "roar_into_spikes": (
        2,
        ["Whirlwind", "Machamp was dragged out", "34 points", "Spikes"],
        ["came in", "moved before"],
    ),
    "priority_says_nothing_of_speed": (1, ["Mach Punch", "lost 29%"], ["moved before", "fast"]),
    "trick_room_says_nothing_of_speed": (2, ["Splash"], ["moved before", "fast"]),
    "prankster_says_nothing_of_speed": (1, ["Calm Mind", "Swords Dance"], ["moved before"]),
    "quick_claw": (1, ["because of its Quick Claw"], ["moved before"]),
    "toxic_spikes_absorbed": (
        2,
        ["Toxic Spikes ended on your side (Muk absorbed it)", "Toxic Spikes began on your side"],
        ["poisoned"],
    ),
    "eject_button": (1, ["lost 46%", "Eject Button", "Snorlax came in"], ["fainted"]),
    "red_card": (
        1,
        ["against the opposing Weavile", "opposing Snorlax was dragged out"],
        ["was sent in"],
    ),
    "rough_skin_and_rocky_helmet": (
        1,
        [
            "(34 points) of its HP from the opposing Garchomp's Rough Skin",
            "(45 points) of its HP from the opposing Garchomp's Rocky Helmet",
        ],
        [],
    ),
    "stance_change": (2, ["Aegislash-Blade", "Shadow Sneak", "no effect on Snorlax"], ["lost"]),
    "clear_body_against_intimidate": (
        0,
        ["Intimidate", "could not be lowered, because of its Clear Body"],
        ["fell"],
    ),
    "trace": (0, ["Porygon2's Attack fell", "it has Intimidate now", "Gyarados's Attack fell"], []),
    "sandstorm_hurts": (1, ["Blissey lost 6% (33 points)", "sandstorm"], ["Tyranitar lost"]),
    "volt_absorb": (1, ["Jolteon regained 25% (58 points)", "its Volt Absorb"], ["Zapdos's"]),
    "rest_and_sleep_talk": (
        3,
        ["Snorlax is fast asleep", "Snorlax used Sleep Talk", "Body Slam, called by Sleep Talk"],
        ["could not move"],
    ),
    "natural_cure": (2, ["no longer poisoned (Natural Cure)", "Snorlax came in"], []),
    "two_turn_move": (2, ["Solar Beam (it goes on", "lost 26%"], ["prepares"]),
    "outrage_fatigue": (2, ["not very effective", "Garchomp became confused from fatigue"], []),
    "no_effect": (1, ["had no effect on the opposing Steelix"], ["Steelix lost"]),
    "nickname_with_odd_text": (1, ["used Strength", "Rex lost 22%"], ["[sep]"]),
}


def turn_of(scene: str, number: int) -> TurnSegments:
    """A staged scene's turn, as the log tells it to p1."""
    log = TurnLog("p1")
    log.apply((FOLDER / f"{scene}.txt").read_text(encoding="utf-8").splitlines())
    assert not log.unknown
    return next(turn for turn in log.turns if turn.number == number)


def readings() -> dict[str, tuple[int, list[str]]]:
    """The readings file: scene → turn and segments."""
    found: dict[str, tuple[int, list[str]]] = {}
    for block in (FOLDER / "readings.txt").read_text(encoding="utf-8").split("\n## ")[1:]:
        head, *lines = block.splitlines()
        matched = re.fullmatch(r"(?:## )?(\w+) turn (\d+)", head)
        assert matched is not None, head
        segments = [line for line in lines if line and not line.startswith("#")]
        found[matched[1]] = (int(matched[2]), segments)
    return found


def test_every_scene_is_read_both_ways() -> None:
    assert len(SCENES) >= 50
    assert sorted(FACTS) == SCENES
    assert sorted(readings()) == SCENES


@pytest.mark.long
def test_the_simulator_still_plays_the_scenes_this_way(tmp_path: Path) -> None:
    stage_tricky_turns(tmp_path)
    for scene in SCENES:
        staged = (tmp_path / f"{scene}.txt").read_text(encoding="utf-8")
        assert staged == (FOLDER / f"{scene}.txt").read_text(encoding="utf-8"), scene


@pytest.mark.parametrize("scene", SCENES)
def test_what_happened_is_told_and_nothing_that_did_not(scene: str) -> None:
    number, told, untold = FACTS[scene]
    text = " ".join(turn_of(scene, number).segments)
    position = 0
    for phrase in told:
        found = text.find(phrase, position)
        assert found >= 0, f"{phrase!r} is missing (or out of order) in: {text}"
        position = found + len(phrase)
    for phrase in untold:
        assert phrase not in text, f"{phrase!r} must not be told: {text}"


@pytest.mark.parametrize("scene", SCENES)
def test_the_reading_is_right_word_for_word(scene: str) -> None:
    number, segments = readings()[scene]
    assert list(turn_of(scene, number).segments) == segments
