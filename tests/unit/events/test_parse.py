"""Protocol lines → typed events: hand-read lines, and survival of any garbage."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from porimon.showdown.events import model
from porimon.showdown.events.model import Condition, Details, Effect, PokemonIdent
from porimon.showdown.events.parse import (
    KNOWN_MESSAGE_TYPES,
    parse_condition,
    parse_details,
    parse_effect,
    parse_ident,
    parse_line,
)
from porimon.showdown.events.sentences import Narrator, Silence
from porimon.showdown.events.sentences.narrator import WORDINGS

REX = PokemonIdent("p1", "a", "Rex")


def test_a_move_with_tags() -> None:
    event = parse_line("|move|p1a: Rex|Double Slap|p2a: Mr. Mime|[from] lockedmove|[miss]")
    assert isinstance(event, model.Move)
    assert event.pokemon == REX
    assert event.target == PokemonIdent("p2", "a", "Mr. Mime")
    assert event.move_id == "doubleslap"
    assert event.missed
    assert not event.no_target
    assert event.cause == Effect(None, "lockedmove")


def test_a_cause_and_its_owner() -> None:
    event = parse_line("|-damage|p1a: Rex|54/100 par|[from] item: Rocky Helmet|[of] p2a: X")
    assert isinstance(event, model.Damage)
    assert event.condition == Condition(54, 100, "par")
    assert event.cause == Effect("item", "Rocky Helmet")
    assert event.cause.id == "rockyhelmet"
    assert event.of == PokemonIdent("p2", "a", "X")
    assert not event.silent


def test_tags_may_come_before_the_cause() -> None:
    event = parse_line("|-enditem|p1a: Rex|Leftovers|[silent]|[from] move: Trick")
    assert isinstance(event, model.ItemEnd)
    assert event.silent
    assert event.cause == Effect("move", "Trick")


def test_a_tag_with_text() -> None:
    event = parse_line("|-heal|p1a: Rex|10/20|[from] move: Wish|[wisher] Vaporeon")
    assert event.tag("wisher") == "Vaporeon"
    assert event.tag("of") is None


def test_split_and_raw_lines_are_the_same() -> None:
    raw = "|-boost|p1a: Rex|atk|2|[from] item: Liechi Berry"
    assert parse_line(raw.split("|")) == parse_line(raw)


@pytest.mark.parametrize(
    ("line", "amount", "raises"),
    [("|-boost|p1a: Rex|spe|1", 1, True), ("|-unboost|p1a: Rex|spe|2", -2, False)],
)
def test_boosts_are_signed(line: str, amount: int, raises: bool) -> None:
    event = parse_line(line)
    assert isinstance(event, model.Boost)
    assert (event.stat, event.amount, event.raises) == ("spe", amount, raises)


def test_no_change_of_a_stage_keeps_its_direction() -> None:
    event = parse_line("|-unboost|p1a: Rex|atk|0")
    assert isinstance(event, model.Boost)
    assert (event.amount, event.raises) == (0, False)


def test_sides_are_told_by_their_role_whatever_the_user_name() -> None:
    event = parse_line("|-sidestart|p2: p1a: bot 1|move: Stealth Rock")
    assert isinstance(event, model.SideStart)
    assert event.side == "p2"


def test_free_text_is_not_taken_apart() -> None:
    event = parse_line("|-message|[from] a|b [of] p1a: Rex")
    assert isinstance(event, model.BattleMessage)
    assert event.text == "[from] a|b [of] p1a: Rex"
    assert event.cause is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("54/100 par", Condition(54, 100, "par")),
        ("231/273", Condition(231, 273, None)),
        ("0 fnt", Condition(0, None, None)),
        ("12", None),
        ("1/2/3", None),
        ("", None),
    ],
)
def test_conditions(text: str, expected: Condition | None) -> None:
    assert parse_condition(text) == expected


def test_what_is_left() -> None:
    assert Condition(150, 300).fraction == 0.5
    assert Condition(0, None).fraction == 0.0
    assert Condition(0, None).fainted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rotom-Wash, L83", Details("Rotom-Wash", 83)),
        ("Nidoran-M, M, shiny", Details("Nidoran-M", 100, "M", True)),
        ("Type: Null, L80", Details("Type: Null", 80)),
    ],
)
def test_details(text: str, expected: Details) -> None:
    assert parse_details(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("move: Wish", Effect("move", "Wish")),
        ("ability: As One", Effect("ability", "As One")),
        ("psn", Effect(None, "psn")),
        ("pokemon: Mimikyu-Busted", Effect(None, "pokemon: Mimikyu-Busted")),
    ],
)
def test_effects(text: str, expected: Effect) -> None:
    assert parse_effect(text) == expected


def test_idents() -> None:
    assert parse_ident("p2: Type: Null") == PokemonIdent("p2", None, "Type: Null")
    assert parse_ident("p3a: Rex") is None
    assert parse_ident("Rex") is None


@pytest.mark.parametrize(
    "line",
    ["|-brandnew|p1a: Rex", "|-damage|p1a: Rex", "|-damage|p1a: Rex|much", "|turn|soon", "|switch"],
)
def test_what_cannot_be_read_is_unknown_and_kept_raw(line: str) -> None:
    event = parse_line(line)
    assert isinstance(event, model.UnknownEvent)
    assert event.line.raw == line
    assert event.reason


def test_every_event_class_has_a_wording_or_a_reason_to_be_silent() -> None:
    classes = {
        kind
        for kind in vars(model).values()
        if isinstance(kind, type) and issubclass(kind, model.Event) and kind is not model.Event
    }
    assert classes == set(WORDINGS)


FIELDS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        [
            "p1a: Rex",
            "p2: X",
            "p1",
            "50/100 par",
            "0 fnt",
            "12/0",
            "-3",
            "9" * 400,
            "move: Wish",
            "ability: ",
            "[from] ",
            "[of] nobody",
            "[silent]",
            "[ability] X",
            "none",
            "{pokemon}",
            "Rex, L80, M",
            "typechange",
            "perish3",
            "skillswap",
            "trapped",
            "brn",
            "unboost",
            "[]",
        ]
    ),
)
LINES = st.builds(
    lambda kind, fields: "|".join(["", kind, *fields]),
    st.one_of(st.sampled_from(sorted(KNOWN_MESSAGE_TYPES)), st.text(max_size=8)),
    st.lists(FIELDS, max_size=6),
)


@given(st.one_of(st.text(max_size=60), LINES))
@example("|-damage|p1a: Rex|1/0|[from]")
@example("|-activate||move: Struggle")
def test_no_line_raises_and_none_is_lost(line: str) -> None:
    event = parse_line(line)
    assert event.line.raw == line


@given(st.lists(LINES, max_size=12))
def test_any_log_can_be_told(lines: list[str]) -> None:
    narrator = Narrator("p1")
    for line in ["|switch|p1a: Rex|Rex, L80|200/300", "|turn|1", *lines]:
        told = narrator.tell(parse_line(line))
        assert isinstance(told, Silence) or (told and all(told))
