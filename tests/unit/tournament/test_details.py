"""A battle's details come back as they were, in few bytes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.llm.model import Completion
from porimon.showdown.facts.model import dump_facts, load_facts
from porimon.showdown.view.model import dump_view, load_view
from porimon.tournament.game import BattleOutcome, CallRecord, DecisionRecord
from porimon.tournament.record.details import decompress, pack_details, unpack_details

DATA = Path(__file__).parents[2] / "data"
VIEWS = sorted((DATA / "views").glob("*.json"))
PARTS = (("system", "rules " * 200), ("question", "now"))


def outcome(*decisions: DecisionRecord) -> BattleOutcome:
    return BattleOutcome("a", 1, "normal", "|win|a", ("move 1",), decisions)


def decision(number: int, view: bytes | None, facts: bytes | None = None) -> DecisionRecord:
    completion = Completion("{}", "model", "stop", 10, None, 1, None, 0.5)
    call = CallRecord("decision", 1, PARTS, completion)
    return DecisionRecord(
        "a", number, number, view, ("Surf",), "Surf", "move 1", calls=(call,), facts=facts
    )


def unpacked(*decisions: DecisionRecord) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = unpack_details(pack_details(outcome(*decisions)))["decisions"]
    return found


@pytest.mark.parametrize("path", VIEWS[:12], ids=lambda path: path.stem)
def test_views_and_facts_come_back_as_they_were(path: Path) -> None:
    view = load_view(path.read_bytes())
    facts = load_facts(
        json.dumps(json.loads((DATA / "facts" / path.name).read_bytes())["extended"])
    )
    (found,) = unpacked(decision(1, dump_view(view), dump_facts(facts)))
    assert load_view(json.dumps(found["view"])) == view
    assert load_facts(json.dumps(found["facts"])) == facts
    assert found["view_hash"] == hashlib.sha256(dump_view(view)).hexdigest()


def test_what_was_not_known_comes_back_as_unknown() -> None:
    first, second = unpacked(decision(1, b'{"turn":1}', b'["fact"]'), decision(2, None))
    assert (first["view"], first["facts"]) == ({"turn": 1}, ["fact"])
    assert (second["view"], second["facts"], second["view_hash"]) == (None, None, None)


def test_a_battle_without_decisions_is_kept() -> None:
    assert unpack_details(pack_details(outcome())) == {"decisions": [], "reflections": {}}


@given(
    legal=st.lists(st.text(), max_size=3),
    order=st.text(),
    turn=st.integers(0, 1000),
    seconds=st.floats(0, 1e6),
    view=st.none() | st.dictionaries(st.text(), st.integers() | st.text() | st.none()),
)
def test_whatever_a_decision_holds_comes_back(
    legal: list[str], order: str, turn: int, seconds: float, view: dict[str, Any] | None
) -> None:
    known = None if view is None else json.dumps(view).encode()
    record = DecisionRecord("b", 1, turn, known, tuple(legal), order, order, seconds=seconds)
    first, second = unpacked(record, record)
    assert first == second
    assert (first["legal"], first["order"], first["turn"]) == (legal, order, turn)
    assert (first["seconds"], first["view"]) == (seconds, view)


def test_each_part_of_a_prompt_stands_once() -> None:
    packed = pack_details(outcome(*(decision(number, None) for number in range(9))))
    assert decompress(packed).count(PARTS[0][1].encode()) == 1
    for found in unpack_details(packed)["decisions"]:
        assert found["calls"][0]["sections"] == [list(part) for part in PARTS]
        assert found["calls"][0]["completion"]["text"] == "{}"


def test_a_battle_without_decisions_is_kept_too() -> None:
    assert unpacked() == []


def test_lone_surrogates_survive() -> None:
    (found,) = unpacked(decision(1, json.dumps({"name": "\ud83d"}).encode()))
    assert found["view"] == {"name": "\ud83d"}
