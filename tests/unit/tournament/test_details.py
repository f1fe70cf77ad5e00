"""A battle's details come back as they were, in few bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from porimon.llm.model import Completion
from porimon.showdown.view.model import load_view, view_hash
from porimon.tournament.game import BattleOutcome, CallRecord, DecisionRecord
from porimon.tournament.record.details import decompress, pack_details, unpack_details

VIEWS = sorted((Path(__file__).parents[2] / "data" / "views").glob("*.json"))
PARTS = (("system", "rules " * 200), ("question", "now"))


def outcome(*decisions: DecisionRecord) -> BattleOutcome:
    return BattleOutcome("a", 1, "normal", "|win|a", ("move 1",), decisions)


def decision(number: int, view: bytes | None, known_hash: str | None) -> DecisionRecord:
    completion = Completion("{}", "model", "stop", 10, None, 1, None, 0.5)
    call = CallRecord("decision", 1, PARTS, completion)
    return DecisionRecord(
        "a", number, number, view, known_hash, ("Surf",), "Surf", "move 1", calls=(call,)
    )


def unpacked(*decisions: DecisionRecord) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = unpack_details(pack_details(outcome(*decisions)))["decisions"]
    return found


@pytest.mark.parametrize("path", VIEWS[:12], ids=lambda path: path.stem)
def test_a_views_hash_is_left_out_and_comes_back(path: Path) -> None:
    view = load_view(path.read_bytes())
    from porimon.showdown.view.model import dump_view

    packed = pack_details(outcome(decision(1, dump_view(view), view_hash(view))))
    assert view_hash(view).encode() not in decompress(packed)
    (found,) = unpack_details(packed)["decisions"]
    assert found["view_hash"] == view_hash(view)
    assert load_view(json.dumps(found["view"])) == view


def test_a_hash_that_does_not_follow_from_the_view_is_kept() -> None:
    first, second = unpacked(decision(1, b'{"turn":1}', "other"), decision(2, None, None))
    assert (first["view"], first["view_hash"]) == ({"turn": 1}, "other")
    assert (second["view"], second["view_hash"]) == (None, None)


def test_each_part_of_a_prompt_stands_once() -> None:
    packed = pack_details(outcome(*(decision(number, None, None) for number in range(9))))
    assert decompress(packed).count(PARTS[0][1].encode()) == 1
    for found in unpack_details(packed)["decisions"]:
        assert found["calls"][0]["sections"] == [list(part) for part in PARTS]
        assert found["calls"][0]["completion"]["text"] == "{}"


def test_a_battle_without_decisions_is_kept_too() -> None:
    assert unpacked() == []


def test_lone_surrogates_survive() -> None:
    (found,) = unpacked(decision(1, json.dumps({"name": "\ud83d"}).encode(), "other"))
    assert found["view"] == {"name": "\ud83d"}
