"""The window of turns and the cut of a whole log, free of any game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.memory.window import (
    SEPARATOR,
    TurnSegments,
    full_log_text,
    turn_from_document,
    window_text,
    window_turns,
)

LOG = [
    TurnSegments(0, ("a opens.",)),
    TurnSegments(1, ("b hits with all its might.", "c hits back.")),
    TurnSegments(2, ()),
    TurnSegments(3, ("d leaves.",)),
]
segments = st.text("abc d", min_size=1, max_size=30).map(str.strip).filter(bool)
logs = st.lists(st.lists(segments, max_size=4), min_size=1, max_size=8).map(
    lambda turns: [TurnSegments(number, tuple(said)) for number, said in enumerate(turns)]
)


def test_the_window_holds_t_turns_and_the_current_one() -> None:
    assert window_text(LOG, 0) == "Turn 3: d leaves."
    assert window_text(LOG, 1) == "Turn 3: d leaves."
    assert (
        window_text(LOG, 2)
        == "Turn 1: b hits with all its might. [sep] c hits back. [sep] Turn 3: d leaves."
    )
    assert window_text(LOG, 99) == f"Start: a opens. [sep] {window_text(LOG, 2)}"


def test_an_empty_current_turn_still_counts_as_the_current_one() -> None:
    assert window_text([*LOG, TurnSegments(4)], 1) == "Turn 3: d leaves."
    assert window_text([], 5) == ""


@pytest.mark.parametrize("window", [-1, -7])
def test_a_negative_window_is_refused(window: int) -> None:
    with pytest.raises(ValueError, match="0 or more"):
        window_turns(LOG, window)


def test_the_whole_log_when_it_fits() -> None:
    whole = window_text(LOG, 99)
    assert full_log_text(LOG) == whole
    assert full_log_text(LOG, len(whole)) == whole


def test_a_cut_within_a_turn_says_that_the_turn_goes_on() -> None:
    cut = full_log_text(LOG, 60)
    assert cut == "Turn 1 (continued): c hits back. [sep] Turn 3: d leaves."
    assert full_log_text(LOG, 40) == "Turn 3: d leaves."


def test_a_last_segment_that_is_too_long_keeps_its_end() -> None:
    assert full_log_text([TurnSegments(1, ("one two three",))], 9) == "three"
    assert full_log_text([TurnSegments(1, ("onetwothree",))], 5) == "three"


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        full_log_text(LOG, -1)


@given(logs, st.integers(0, 10))
def test_a_larger_window_only_adds_in_front(turns: list[TurnSegments], window: int) -> None:
    assert window_text(turns, window + 1).endswith(window_text(turns, window))


@given(logs, st.integers(0, 300))
def test_a_cut_log_is_short_enough_and_ends_as_the_whole_one(
    turns: list[TurnSegments], limit: int
) -> None:
    whole, cut = full_log_text(turns), full_log_text(turns, limit)
    assert len(cut) <= limit or cut == whole
    kept = cut.split(SEPARATOR)
    assert whole.split(SEPARATOR)[-len(kept) :][1:] == kept[1:]


@given(logs, st.integers(0, 300))
def test_no_further_segment_would_have_fitted(turns: list[TurnSegments], limit: int) -> None:
    whole, cut = full_log_text(turns), full_log_text(turns, limit)
    last = next((turn.labelled()[-1] for turn in reversed(turns) if turn.segments), "")
    if cut == whole or len(last) + len("(continued) Turn 9:") > limit:
        return
    kept = len(cut.split(SEPARATOR))
    one_more = whole.split(SEPARATOR)[-kept - 1 :]
    slack = len("Turn 9 (continued): ") * 2
    assert len(SEPARATOR.join(one_more)) > limit - slack


@given(logs)
def test_documents_give_the_turns_back(turns: list[TurnSegments]) -> None:
    assert [turn_from_document(turn.document()) for turn in turns] == turns
