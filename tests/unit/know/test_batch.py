"""A decision's queries as one request: everything shared stands once, nothing is mixed up."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from porimon.showdown.calculator.batch import QueryBatch
from porimon.showdown.calculator.model import (
    CombatantSpec,
    DamageQuery,
    FieldSpec,
    query_document,
)

SNORLAX = CombatantSpec("snorlax", 82)
GENGAR = CombatantSpec("gengar", 79, item="lifeorb")
RAIN = FieldSpec(weather="raindance")
QUERIES = [
    DamageQuery(SNORLAX, GENGAR, "crunch"),
    DamageQuery(GENGAR, SNORLAX, "shadowball", RAIN, detail=False, rolls=False),
    DamageQuery(replace(SNORLAX), GENGAR, "crunch", critical=True),
    DamageQuery(GENGAR, SNORLAX, "shadowball", replace(RAIN), hits=2),
]


def expanded(request: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            **query,
            "attacker": request["combatants"][query["attacker"]],
            "defender": request["combatants"][query["defender"]],
            "field": request["fields"][query["field"]],
        }
        for query in request["queries"]
    ]


def test_a_request_says_what_its_queries_say() -> None:
    batch = QueryBatch()
    request = batch.request([batch.key(query) for query in QUERIES])
    assert expanded(json.loads(json.dumps(request))) == [query_document(one) for one in QUERIES]
    assert [len(request[key]) for key in ("combatants", "fields", "queries")] == [2, 2, 4]


def test_equal_queries_have_equal_keys_and_others_do_not() -> None:
    batch = QueryBatch()
    keys = [batch.key(query) for query in QUERIES]
    assert len(set(keys)) == 4
    assert batch.key(DamageQuery(replace(SNORLAX), replace(GENGAR), "crunch")) == keys[0]
    assert batch.key(QUERIES[0]._replace(attacker=replace(SNORLAX, level=83))) not in keys


def test_an_object_that_is_gone_leaves_no_place_to_the_next() -> None:
    batch = QueryBatch()
    places = {
        batch.key(DamageQuery(CombatantSpec("snorlax", level), GENGAR, "crunch"))[0]
        for level in range(1, 60)
    }
    assert len(places) == 59
