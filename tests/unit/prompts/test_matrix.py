"""Who is told what: the knowledge that sets the paper's players apart (docs/prompts.md)."""

from __future__ import annotations

import re

import pytest

from tests.golden_prompts import golden_prompt

EXTENDED, SMALLER = ("lt0", "lt0w"), ("p", "lt0v")


def line(prompt: str, start: str) -> str:
    """The one line that begins with ``start``."""
    found = [line for line in prompt.splitlines() if line.startswith(start)]
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize("base", EXTENDED)
def test_extended_knowledge_tells_what_pokellmon_does_not_know(base: str) -> None:
    rain, hazards = golden_prompt("weather", base), golden_prompt("hazards", base)
    assert "weather: Rain (3-6 turns left)" in line(rain, "Field")
    assert "possible items: Life Orb" in rain
    assert "Pelipper" in line(rain, "Opposing bench")
    assert "Heavy-Duty Boots (" in rain
    assert "faints in" in line(rain, "1. Hydro Pump | move")
    assert "| damage " in line(rain, "Attack on Rotom-Wash | Hurricane | known")
    assert "takes: " in line(rain, "6. Garchomp | switch")
    assert "maybe trapped" in hazards or "may be trapped" in hazards
    assert "effects: Encore on Spikes (2 turns left)" in golden_prompt("encore", base)


@pytest.mark.parametrize("base", SMALLER)
def test_pokellmon_knowledge_lacks_it(base: str) -> None:
    for situation in ("weather", "hazards", "encore", "terrain", "u_turn"):
        prompt = golden_prompt(situation, base)
        state = prompt.split("=== opponent ===")[-1].split("=== opposing_team ===")[-1]
        for told in (
            "damage 1",
            "faints in",
            "weather",
            "terrain:",
            "possible items",
            "Opposing bench",
            "effects:",
        ):
            assert told not in state, (situation, told)


@pytest.mark.parametrize("base", SMALLER)
def test_pokellmon_knows_scaled_power_types_and_estimated_stats(base: str) -> None:
    prompt = golden_prompt("weather", base)
    opponent = line(prompt, "Opposing active | Kingdra")
    assert "HP 88%" in opponent
    assert "estimated stats: Atk " in opponent
    assert "ability: Swift Swim (" in prompt
    assert "×0.25 | scaled power" in line(prompt, "1. Hydro Pump | move | Water")
    assert line(prompt, "Attacks on it | ").startswith("Attacks on it | ×")
    assert "likely" in prompt
    assert "Opposing side | none" in prompt


@pytest.mark.parametrize("base", ["p", "lt0w"])
def test_after_a_faint_pokellmon_is_told_neither_active_nor_moves(base: str) -> None:
    prompt = golden_prompt("forced_switch", base)
    assert "Ferrothorn has to be replaced because it fainted" in prompt
    assert "=== active ===" not in prompt
    assert "=== moves ===" not in prompt
    assert "1. Rotom-Wash | switch" in prompt


@pytest.mark.parametrize("situation", ["weather", "transform", "hazards", "choice_lock", "trapped"])
@pytest.mark.parametrize("pair", [("lt0v", "p"), ("lt0", "lt0w")])
def test_players_that_differ_in_style_are_told_the_same_strengths(
    situation: str, pair: tuple[str, str]
) -> None:
    """Every move option has the same strength in both styles, and the opponent the same stats."""
    told = []
    for base in pair:
        prompt = golden_prompt(situation, base)
        moves = [line for line in prompt.splitlines() if re.match(r"\d+\. .* \| move", line)]
        strengths = [
            re.search(r"×[\d.]+ \| (damage [^|]*|scaled power \d+)|status move", line)
            for line in moves
        ]
        stats = re.search(r"estimated stats: ([^|\n]*?) *(\||$)", prompt, re.MULTILINE)
        assert stats is not None
        assert all(strengths)
        told.append(([found[0].strip() for found in strengths if found], stats[1]))
    assert told[0] == told[1]


def test_only_long_term_kag_is_told_experiences() -> None:
    told = golden_prompt("lead", "lt1-uniform")
    assert (
        "Battle 1: You won\n<<<\nSpikes and a slow pivot wore the team down.\n- Set Spikes early.\n"
        in told
    )
    assert "Spikes and a slow pivot" not in golden_prompt("lead", "lt0")
    # Everything else is that of lt0.
    section = told.index("=== experiences ===")
    assert told[:section] + told[told.index("=== situation ===") :] == golden_prompt("lead", "lt0")


def test_trapped_struggle_and_sleep_are_said() -> None:
    assert "trapped and cannot switch" in golden_prompt("trapped", "lt0")
    assert "1. Struggle | move | Normal | ×1 | damage" in golden_prompt("struggle", "lt0")
    assert "asleep (1 of at most 3 turns)" in golden_prompt("sleep", "lt0")
    assert "effects: Substitute" in golden_prompt("substitute", "lt0")
    assert "transformed into Volcarona" in golden_prompt("transform", "lt0")
    assert "Trick Room: the slower one moves first" in golden_prompt("terrain", "lt0")
    assert "Spikes 2 layers; Reflect (2-5 turns left)" in golden_prompt("hazards", "lt0")
