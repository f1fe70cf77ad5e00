"""The calculator's memory of answers: always what reckoning anew would give, and bounded."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porimon.bench.decisions import met_decisions
from porimon.showdown.calculator.model import CombatantSpec, DamageQuery, query_document
from porimon.showdown.calculator.table import plan_damage
from porimon.showdown.dex import dex
from porimon.showdown.facts.damage import candidates_of
from porimon.showdown.node import NodeParts

SCRIPT = Path(__file__).parent / "answers.mjs"
DEADLINE_SECONDS = 60.0

Query = dict[str, Any]


class TwoAnswers:
    """A running ``answers.mjs``: its memory lasts over all that it is asked."""

    def __init__(self, parts: NodeParts) -> None:
        self._process = subprocess.Popen(
            [parts.node, str(SCRIPT), str(parts.calc_api)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def expect_equal(self, queries: list[Query]) -> list[Query]:
        """Ask all queries in their order; the answers, after a check that both ways agree."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(queries) + "\n")
        self._process.stdin.flush()
        pairs = json.loads(self._process.stdout.readline())
        assert len(pairs) == len(queries)
        for query, (kept, right) in zip(queries, pairs, strict=True):
            assert kept == right, query
        return [json.loads(kept) for kept, _ in pairs]

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(DEADLINE_SECONDS) == 0


@pytest.fixture(scope="module")
def asked(node_parts: NodeParts) -> Iterator[TwoAnswers]:
    running = TwoAnswers(node_parts)
    yield running
    running.end()


@pytest.fixture(scope="module")
def real_queries() -> list[Query]:
    """Every query of thirty decisions of simulated battles."""
    found = []
    for decision in met_decisions(30, "kept answers"):
        opponent = decision.view.foe.active
        if opponent is not None:
            plan = plan_damage(decision.view, candidates_of(opponent))
            found += [query_document(query) for query in plan.queries]
    assert len(found) > 300
    return found


FRACTIONS = st.sampled_from([1.0, 0.99, 0.75, 0.51, 0.5, 0.34, 0.33, 0.3, 0.1, 0.01])
ABILITIES = st.sampled_from(
    [
        None, "overgrow", "blaze", "torrent", "swarm", "defeatist", "galewings", "multiscale",
        "neutralizinggas", "moldbreaker", "guts", "technician", "intimidate", "wonderguard",
    ]
)  # fmt: skip
ITEMS = st.sampled_from(
    [None, "lifeorb", "leftovers", "choiceband", "sitrusberry", "occaberry", "airballoon"]
)
STATUSES = st.sampled_from([None, "brn", "par", "psn", "slp", "tox"])
BOOSTS = st.dictionaries(st.sampled_from(["atk", "def", "spa", "spd", "spe"]), st.integers(-6, 6))
SIDES = st.fixed_dictionaries(
    {}, optional={"reflect": st.booleans(), "stealth_rock": st.booleans(), "spikes": st.just(2)}
)
OF_COMBATANT = {
    "hp_fraction": FRACTIONS,
    "ability": ABILITIES,
    "item": ITEMS,
    "status": STATUSES,
    "boosts": BOOSTS,
    "level": st.integers(70, 100),
    "gender": st.sampled_from(["M", "F", "N"]),
    "types": st.sampled_from([None, ["water"], ["ghost", "steel"]]),
    "toxic_counter": st.integers(0, 3),
    "ability_on": st.booleans(),
    "evs": st.sampled_from([{}, {"atk": 0}, {"hp": 84, "spa": 252}]),
    "ivs": st.sampled_from([{}, {"atk": 0}]),
}
OF_FIELD = {
    "weather": st.sampled_from([None, "raindance", "sunnyday", "hail"]),
    "terrain": st.sampled_from([None, "psychicterrain", "grassyterrain"]),
    "gravity": st.booleans(),
    "magic_room": st.booleans(),
    "wonder_room": st.booleans(),
    "attacker_side": SIDES,
    "defender_side": SIDES,
}
MOVES = (
    "eruption", "flail", "brine", "superfang", "endeavor", "bulletseed", "earthquake", "gyroball",
    "naturesmadness", "finalgambit", "knockoff", "tripleaxel", "bravebird",
)  # fmt: skip
OF_QUERY = {
    "critical": st.booleans(),
    "detail": st.booleans(),
    "description": st.booleans(),
    "rolls": st.booleans(),
    "hits": st.sampled_from([None, 1, 3]),
    "move": st.sampled_from(MOVES),
}
Change = tuple[str | None, str, Any]


def _changes() -> st.SearchStrategy[Change]:
    one_of: list[st.SearchStrategy[Change]] = [
        st.tuples(st.just(part), st.just(key), values)
        for part, table in (
            ("attacker", OF_COMBATANT),
            ("defender", OF_COMBATANT),
            ("field", OF_FIELD),
            (None, OF_QUERY),
        )
        for key, values in table.items()
    ]
    return st.one_of(one_of)


def changed(query: Query, changes: list[Change]) -> Iterator[Query]:
    """The query, and what it becomes by each change in turn."""
    yield query
    for part, key, value in changes:
        if part is None:
            query = {**query, key: value}
        else:
            query = {**query, part: {**query[part], key: value}}
        yield query


def compare(asked: TwoAnswers, real_queries: list[Query], examples: int) -> None:
    @given(
        st.lists(
            st.tuples(st.integers(0, len(real_queries) - 1), st.lists(_changes(), max_size=6)),
            min_size=1,
            max_size=6,
        )
    )
    @settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    def check(chosen: list[tuple[int, list[Change]]]) -> None:
        queries = [one for at, changes in chosen for one in changed(real_queries[at], changes)]
        # Backwards too: each is met with another one's answer in memory.
        asked.expect_equal(queries + queries[::-1])

    check()


def test_real_queries_get_the_same_answers_again_and_again(
    asked: TwoAnswers, real_queries: list[Query]
) -> None:
    first = asked.expect_equal(real_queries)
    assert asked.expect_equal(real_queries) == first


def test_what_is_remembered_is_what_would_be_reckoned(
    asked: TwoAnswers, real_queries: list[Query]
) -> None:
    compare(asked, real_queries, 120)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_what_is_remembered_is_what_would_be_reckoned_10_000_times(
    asked: TwoAnswers, real_queries: list[Query]
) -> None:
    compare(asked, real_queries, 10_000)


MANY_HP = ((1.0, 1.0), (0.5, 1.0), (0.33, 0.5), (0.1, 0.4), (0.01, 0.01))
FEW_HP = MANY_HP[::2]


def sweep(
    move: str, ability: str | None, fractions: tuple[tuple[float, float], ...] = MANY_HP
) -> list[Query]:
    """A hit of one kind at several HP of its user and its target."""
    return [
        query_document(
            DamageQuery(
                CombatantSpec("mew", 82, ability=ability, hp_fraction=own),
                CombatantSpec("snorlax", 80, hp_fraction=other),
                move,
                detail=False,
            )
        )
        for own, other in fractions
    ]


def test_no_move_depends_on_hp_unnoticed(asked: TwoAnswers) -> None:
    data = dex()
    moves = [move for move in data.ids("moves") if data.move(move).deals_damage]
    assert len(moves) > 400
    asked.expect_equal([query for move in moves for query in sweep(move, None)])


def test_no_ability_makes_a_hit_depend_on_hp_unnoticed(asked: TwoAnswers) -> None:
    one_of_each_type = {
        data.type: move
        for move in dex().ids("moves")
        if (data := dex().move(move)).deals_damage and data.base_power >= 60
    }
    assert len(one_of_each_type) == 18
    asked.expect_equal(
        [
            query
            for ability in dex().ids("abilities")
            for move in one_of_each_type.values()
            for query in sweep(move, ability, FEW_HP)
        ]
    )


def test_hp_matter_where_they_should(asked: TwoAnswers) -> None:
    full, low = (asked.expect_equal(sweep("gigadrain", "overgrow"))[at] for at in (0, 3))
    assert low["maximum"] > full["maximum"]
    full, low = (asked.expect_equal(sweep("eruption", None))[at] for at in (0, 3))
    assert low["maximum"] < full["maximum"]


BOUNDED = """
const {Kept} = await import(process.argv[1] + '/kept.mjs');
const kept = new Kept(100);
let largest = 0;
for (let at = 0; at < 10_000; at++) {
  kept.set(`key ${at}`, at);
  kept.get('key 0') ?? kept.set('key 0', 0);
  largest = Math.max(largest, kept.size);
}
const found = [];
for (let at = 0; at < 10_000; at++) if (kept.get(`key ${at}`) === at) found.push(at);
console.log(JSON.stringify({largest, found}));
"""


def test_the_memory_is_bounded_and_keeps_what_is_used(node_parts: NodeParts) -> None:
    done = subprocess.run(
        [node_parts.node, "--input-type=module", "-e", BOUNDED, str(node_parts.calc_api)],
        capture_output=True,
        text=True,
        timeout=DEADLINE_SECONDS,
        check=True,
    )
    result = json.loads(done.stdout)
    assert 100 <= result["largest"] <= 200
    # The one that was asked for all the time, and the latest.
    assert 0 in result["found"]
    assert set(range(9_920, 10_000)) <= set(result["found"])
    assert len(result["found"]) <= 200
