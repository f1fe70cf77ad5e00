"""Reading a reflection: as strict as a move, and never any other exception."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.errors import ModelAnswerError
from porimon.showdown.reflection_answer import (
    ReflectionAnswer,
    parse_reflection,
    reflection_schema,
)

OWN, FOE = ["Mr. Mime", "Farfetch’d-Galar"], ["Type: Null", "Ditto", "Ditto (2)"]
GOOD: dict[str, Any] = {
    "summary": "Ditto  swept.",
    "lessons": ["Keep a check.", "Scout first."],
    "importance": {
        "own": {"Mr. Mime": 3, "Farfetch’d-Galar": 0},
        "opponent": {"Type: Null": 2.5, "Ditto": 10, "Ditto (2)": 1},
    },
}
READ = ReflectionAnswer("Ditto swept.", ("Keep a check.", "Scout first."), (3, 0), (2.5, 10, 1))


def reason(text: str) -> str:
    """Why a text can't be used."""
    with pytest.raises(ModelAnswerError) as caught:
        parse_reflection(text, OWN, FOE)
    assert str(caught.value)
    return caught.value.reason


def changed(**changes: Any) -> str:
    """The good answer with other fields."""
    return json.dumps({**GOOD, **changes})


def with_importance(side: str, changes: dict[str, Any]) -> str:
    """The good answer with other numbers for one side."""
    importance = {**GOOD["importance"], side: {**GOOD["importance"][side], **changes}}
    return changed(importance=importance)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GOOD),
        json.dumps(GOOD, ensure_ascii=False, indent=2),
        f"Here it is:\n```json\n{json.dumps(GOOD)}\n```\nGood luck!",
        json.dumps(GOOD).replace("Mr. Mime", "mr mime").replace("Type: Null", "TYPE NULL"),
        json.dumps(GOOD).replace("Ditto  swept", "Ditto\nswept"),
    ],
)
def test_a_good_answer_is_read_whatever_stands_around_it(text: str) -> None:
    assert parse_reflection(text, OWN, FOE) == READ


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("I would use Thunderbolt.", "not_json"),
        ("}{", "not_json"),
        ('{"summary": "a",}', "not_json"),
        ("[" + "{" * 10_000 + "}" * 10_000 + "]", "not_json"),
        ('{"a":' * 10_000 + "1" + "}" * 10_000, "not_json"),
        ("null", "not_json"),
        ("x" * 1_000_000, "too_long"),
        ("{}", "no_summary"),
        (changed(summary=None), "no_summary"),
        (changed(summary="   "), "no_summary"),
        (changed(summary="a" * 1_501), "too_long"),
        (changed(lessons=[]), "no_lessons"),
        (changed(lessons="Be careful."), "no_lessons"),
        (changed(lessons=["a", 3]), "no_lessons"),
        (changed(lessons=["a"] * 9), "too_long"),
        (changed(lessons=["a" * 501]), "too_long"),
        (changed(importance=[1, 2]), "no_importance"),
        (changed(importance={"own": GOOD["importance"]["own"]}), "no_importance"),
        (changed(importance={"own": {"Mr. Mime": 3}, "opponent": {}}), "missing_pokemon"),
        (with_importance("own", {"Pikachu": 3}), "unknown_pokemon"),
        (with_importance("own", {"": 3}), "unknown_pokemon"),
        (with_importance("own", {"mr-mime": 3}), "repeated_pokemon"),
        (with_importance("own", {"Mr. Mime": "7"}), "importance_not_a_number"),
        (with_importance("own", {"Mr. Mime": True}), "importance_not_a_number"),
        (with_importance("own", {"Mr. Mime": None}), "importance_not_a_number"),
        (with_importance("own", {"Mr. Mime": -1}), "importance_out_of_range"),
        (with_importance("opponent", {"Ditto": 10.01}), "importance_out_of_range"),
        (with_importance("opponent", {"Ditto": 10**400}), "importance_out_of_range"),
        (with_importance("opponent", {"Ditto": float("nan")}), "importance_out_of_range"),
        (with_importance("opponent", {"Ditto": float("inf")}), "importance_out_of_range"),
        (json.dumps(GOOD).replace("2.5", "9" * 5_000), "not_json"),
    ],
    ids=str,
)
def test_what_cannot_be_used_has_a_reason(text: str, expected: str) -> None:
    assert reason(text) == expected


def test_what_could_not_be_stored_or_shown_is_left_out() -> None:
    """Half a surrogate pair, and control characters that a terminal would obey."""
    found = parse_reflection(changed(summary="a \ud800 b\x1b[31m \U0001f642"), OWN, FOE)
    assert found.summary == "a b [31m \U0001f642"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.text() | json_values.map(json.dumps))
def test_any_text_is_read_or_refused_with_a_reason(text: str) -> None:
    assert reason(text)


@given(st.sampled_from(["summary", "lessons", "importance"]), json_values)
def test_any_value_of_a_field_is_read_or_refused(field: str, value: Any) -> None:
    # Any other exception than the one suppressed fails the test.
    with contextlib.suppress(ModelAnswerError):
        found = parse_reflection(changed(**{field: value}), OWN, FOE)
        assert found.summary
        assert found.lessons


def test_the_schema_asks_for_what_is_read() -> None:
    schema = reflection_schema(OWN, FOE)
    sides = schema["properties"]["importance"]["properties"]
    assert sides["own"]["required"] == OWN
    assert sides["opponent"]["required"] == FOE
    assert schema["required"] == list(GOOD)
    assert schema["additionalProperties"] is False
