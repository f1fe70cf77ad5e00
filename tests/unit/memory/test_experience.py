"""Experiences are values: their id is their content, and JSON gives them back unchanged."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.errors import RecordError
from porimon.memory.experience import Experience, from_document, from_json
from tests.unit.memory.line_game import experience, team

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
experiences = st.builds(
    lambda index, own, foe, result, summary, lessons, cost, tokens: experience(
        index,
        team(*own),
        team(*foe),
        result,
        summary=summary,
        lessons=lessons,
        cost=cost,
        input_tokens=tokens,
        own_importance=[None] * len(own),
    ),
    st.integers(0, 10_000),
    st.lists(st.floats(0, 1), max_size=6),
    st.lists(st.floats(0, 1), max_size=6),
    st.sampled_from(["win", "loss", "tie"]),
    st.none() | texts,
    st.lists(texts, max_size=3),
    st.none() | st.floats(0, 10),
    st.none() | st.integers(0, 10**6),
)


@given(experiences)
def test_json_and_document_give_an_equal_experience_with_the_same_id(first: Experience) -> None:
    for again in (
        from_json(first.to_json(), where="here"),
        from_document(json.loads(json.dumps(first.document())), where="here"),
    ):
        assert again == first
        assert again.id == first.id


@given(experiences, experiences)
def test_different_contents_have_different_ids(first: Experience, other: Experience) -> None:
    assert (first.id == other.id) == (first.document() == other.document())


def test_every_field_is_part_of_the_id() -> None:
    first = experience(1, team(0.1), team(0.2), summary="a", cost=1.0)
    changes = {
        "battle_id": "another", "index": 2, "result": "loss", "turns": 3, "own_team": team(0.5),
        "foe_team": team(0.6), "own_importance": (1.0,), "foe_importance": (1.0,),
        "summary": "b", "lessons": ("l",), "log": "log", "retrieved": {"x": 1},
        "marks": ("reflection_failed",), "input_tokens": 1, "output_tokens": 1, "cost": 2.0,
    }  # fmt: skip
    assert set(changes) == set(Experience.model_fields)
    ids = {
        Experience.model_validate(first.document() | {name: value}).id
        for name, value in changes.items()
    }
    assert len(ids | {first.id}) == len(changes) + 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"result": "victory"}, "result"),
        ({"own_importance": []}, "own_team has 1 members, own_importance 0"),
        ({"foe_importance": [11]}, "outside 0 to 10"),
        ({"index": -1}, "index"),
        ({"unknown": 1}, "unknown"),
        ({"cost": float("nan")}, "cost"),
    ],
)
def test_a_wrong_document_is_an_error_that_names_the_entry(
    change: dict[str, object], said: str
) -> None:
    document = experience(1, team(0.1), team(0.2)).document() | change
    with pytest.raises(RecordError, match=said) as caught:
        from_document(document, where="line 7")
    assert caught.value.where == "line 7"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000])
def test_text_that_is_no_experience_is_an_error(text: str) -> None:
    with pytest.raises(RecordError):
        from_json(text, where="line 1")
