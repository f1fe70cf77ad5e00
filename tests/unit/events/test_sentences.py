"""The wording: whose Pokémon, how much HP, by what; and the table of the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.showdown.events.parse import KNOWN_MESSAGE_TYPES, ROOM_MESSAGE_TYPES, parse_line
from porimon.showdown.events.sentences import Narrator, Silence
from porimon.showdown.events.sentences.health import percent
from porimon.showdown.events.sentences.naming import LONGEST_NAME, clean
from porimon.showdown.events.sentences.table import EXAMPLES, render

PAGE = Path(__file__).parents[3] / "docs" / "short-term-log.md"
OPENING = (
    "|player|p1|bot 1",
    "|player|p2|bot 10",
    "|switch|p1a: Rex|Garchomp, L80|300/300",
    "|switch|p2a: Rex|Gyarados, L80|100/100",
)


def tell(*lines: str, role: str = "p1") -> list[str]:
    """The sentences of the last line, after an opening and the lines before it."""
    narrator = Narrator("p1" if role == "p1" else "p2")
    for line in (*OPENING, *lines[:-1]):
        narrator.tell(parse_line(line))
    told = narrator.tell(parse_line(lines[-1]))
    return [] if isinstance(told, Silence) else list(told)


def test_own_pokemon_are_bare_and_foes_are_opposing_even_of_one_name() -> None:
    assert tell("|faint|p1a: Rex") == ["Rex fainted."]
    assert tell("|faint|p2a: Rex") == ["The opposing Rex fainted."]
    assert tell("|faint|p1a: Rex", role="p2") == ["The opposing Rex fainted."]


def test_own_damage_comes_with_points_and_the_foes_without() -> None:
    own = tell("|-damage|p1a: Rex|195/300")
    assert own == ["Rex lost 35% (105 points) of its HP; 65% (195/300) left."]
    assert tell("|-damage|p2a: Rex|34/100") == ["The opposing Rex lost 66% of its HP; 34% left."]


def test_damage_adds_up_from_hit_to_hit() -> None:
    assert tell("|-damage|p2a: Rex|70/100", "|-damage|p2a: Rex|45/100 brn|[from] brn") == [
        "The opposing Rex lost 25% of its HP from its burn; 45% left."
    ]


def test_a_switch_resets_what_was_known_of_the_hp() -> None:
    lines = ("|-damage|p2a: Rex|10/100", "|switch|p2a: Lia|Lapras, L80|80/100")
    assert tell(*lines, "|-damage|p2a: Lia|60/100") == [
        "The opposing Lia lost 20% of its HP; 60% left."
    ]


def test_a_knock_out_leaves_none() -> None:
    assert tell("|-damage|p1a: Rex|0 fnt") == ["Rex lost 100% (300 points) of its HP; none left."]


def test_hundredths_hide_small_changes() -> None:
    lines = ("|-damage|p2a: Rex|50/100", "|-damage|p2a: Rex|50/100|[from] Sandstorm")
    assert tell(*lines) == [
        "The opposing Rex lost less than 1% of its HP from the sandstorm; 50% left."
    ]


def test_one_point_of_own_hp() -> None:
    assert tell("|-damage|p1a: Rex|299/300|[from] item: Life Orb") == [
        "Rex lost less than 1% (1 point) of its HP from its Life Orb; more than 99% (299/300) left."
    ]


@pytest.mark.parametrize(
    ("fraction", "expected"),
    [(0.0, "0%"), (0.001, "less than 1%"), (0.5, "50%"), (0.999, "more than 99%"), (1.0, "100%")],
)
def test_percent_never_rounds_to_nothing_or_everything(fraction: float, expected: str) -> None:
    assert percent(fraction) == expected


def test_the_winner_is_told_by_side_though_one_name_begins_the_other() -> None:
    assert tell("|win|bot 1") == ["You won the battle."]
    assert tell("|win|bot 10") == ["You lost the battle."]
    assert tell("|win|bot 1", role="p2") == ["You lost the battle."]


def test_a_forfeit_is_told_by_side() -> None:
    assert tell("|-message|bot 10 forfeited.") == ["The opponent forfeited."]
    assert tell("|-message|bot 1 forfeited.") == ["You forfeited."]


def test_hazards_lie_on_sides_not_with_names() -> None:
    assert tell("|-sidestart|p1: bot 10|Spikes") == ["Spikes began on your side."]
    assert tell("|-sidestart|p2: bot 1|Spikes") == ["Spikes began on the opposing side."]


def test_an_effect_without_wording_is_told_by_its_name() -> None:
    assert tell("|-start|p1a: Rex|move: Brand {New} [x]") == [
        "Rex is under the effect of Brand {New} (x)."
    ]


@given(st.text())
def test_a_nickname_cannot_break_out_of_its_sentence(name: str) -> None:
    shown = clean(name)
    assert 0 < len(shown) <= max(LONGEST_NAME, len("(unnamed)"))
    assert not set(shown) & set('[]{}<>|\n\r"`')


def test_every_message_type_of_the_battle_has_an_example() -> None:
    assert set(EXAMPLES) == KNOWN_MESSAGE_TYPES - ROOM_MESSAGE_TYPES
    for message_type, lines in EXAMPLES.items():
        for line in lines:
            assert parse_line(line).line.message_type == message_type
            assert type(parse_line(line)).__name__ != "UnknownEvent", line


def test_the_documentation_is_what_the_narrator_says() -> None:
    remedy = "python -m porimon.showdown.events.sentences.table > docs/short-term-log.md"
    assert PAGE.read_text(encoding="utf-8") == render(), f"run: {remedy}"
