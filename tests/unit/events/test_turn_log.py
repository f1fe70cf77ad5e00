"""The turn log: turns, segments, the window, what is counted."""

from __future__ import annotations

import json

import pytest

from porimon.memory.window import window_text
from porimon.showdown.events.sentences import Silence
from porimon.showdown.events.turn_log import UNKNOWN_KEPT, TurnLog, turns_from_document

BATTLE = """\
|player|p1|ann|
|player|p2|bob|
|start
|switch|p1a: Garchomp|Garchomp, L80|300/300
|switch|p2a: Lapras|Lapras, L80|100/100
|turn|1
|
|move|p1a: Garchomp|Earthquake|p2a: Lapras
|-damage|p2a: Lapras|60/100
|move|p2a: Lapras|Ice Beam|p1a: Garchomp
|-supereffective|p1a: Garchomp
|-damage|p1a: Garchomp|20/300
|
|-heal|p2a: Lapras|66/100|[from] item: Leftovers
|upkeep
|turn|2
|
|switch|p1a: Zapdos|Zapdos, L80|270/270
|move|p2a: Lapras|Surf|p1a: Zapdos
|-damage|p1a: Zapdos|170/270""".splitlines()


@pytest.fixture
def log() -> TurnLog:
    """The log of p1 in the middle of turn 2."""
    made = TurnLog("p1")
    made.apply(BATTLE)
    return made


def test_a_segment_is_an_action_with_all_that_followed(log: TurnLog) -> None:
    assert [turn.number for turn in log.turns] == [0, 1, 2]
    first, second, end = log.turns[1].segments
    assert first.startswith("Garchomp used Earthquake.")
    assert first.endswith("60% left.")
    assert "The opposing Lapras used Ice Beam." in second
    assert "super effective" in second
    assert end == "The opposing Lapras regained 6% of its HP from its Leftovers; 66% left."


def test_the_current_turn_is_not_one_of_the_window(log: TurnLog) -> None:
    assert log.window_text(0) == (
        "Turn 2: Zapdos came in, with 100% (270/270) of its HP. [sep] "
        "The opposing Lapras used Surf. Zapdos lost 37% (100 points) of its HP; "
        "63% (170/270) left."
    )
    assert log.window_text(1).startswith("Turn 1: Garchomp used Earthquake.")
    assert log.window_text(5).startswith("Start: Garchomp came in")
    assert log.window_text(1).endswith(log.window_text(0))


def test_lines_may_come_in_any_portions_raw_or_split(log: TurnLog) -> None:
    portions = TurnLog("p1")
    for line in BATTLE:
        portions.apply([line.split("|")])
    assert portions.document() == log.document()


def test_each_side_reads_its_own_log() -> None:
    other = TurnLog("p2")
    other.apply(BATTLE)
    assert "The opposing Garchomp used Earthquake." in other.full_text()
    assert "Lapras used Ice Beam." in other.full_text()


def test_the_document_is_json_and_gives_the_window_back(log: TurnLog) -> None:
    document = json.loads(json.dumps(log.document()))
    assert window_text(turns_from_document(document), 1) == log.window_text(1)
    assert document["role"] == "p1"


def test_the_turns_of_another_document_are_refused() -> None:
    with pytest.raises(KeyError):
        turns_from_document({"turns": [{"segments": []}]})


def test_unknown_lines_are_counted_and_kept_raw(log: TurnLog) -> None:
    log.apply(["|-brandnew|p1a: Zapdos", "|-damage|p1a: Zapdos|lots"])
    assert log.unknown == {"-brandnew": 1, "-damage": 1}
    assert log.unknown_lines == ["|-brandnew|p1a: Zapdos", "|-damage|p1a: Zapdos|lots"]
    assert log.silences[Silence.UNKNOWN] == 2


def test_only_so_many_unknown_lines_are_kept_but_all_are_counted(log: TurnLog) -> None:
    log.apply(["|-brandnew|"] * (UNKNOWN_KEPT + 7))
    assert len(log.unknown_lines) == UNKNOWN_KEPT
    assert log.unknown["-brandnew"] == UNKNOWN_KEPT + 7


def test_every_line_is_told_or_counted_as_silent() -> None:
    log = TurnLog("p1")
    sentences = 0
    for line in BATTLE:
        before = log.full_text()
        silent = sum(log.silences.values())
        log.apply([line])
        told = log.full_text() != before
        assert told != (sum(log.silences.values()) > silent), line
        sentences += told
    assert sentences > 5


def test_the_last_characters_of_the_log_begin_at_a_segment(log: TurnLog) -> None:
    text = log.full_text(200)
    assert len(text) <= 200
    assert text.startswith("Turn 2: Zapdos came in")
    assert log.full_text().endswith(text)
