"""The calculator as a service: what it refuses, how it ends, and that a run survives its death."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from typing import Any

import aiohttp
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porimon.errors import MachineSetupError
from porimon.showdown.calculator import CombatantSpec, DamageQuery, DamageRange, QueryProblem
from porimon.showdown.calculator.client import Calculator
from porimon.showdown.calculator.model import query_document
from porimon.showdown.calculator.service import CalculatorService
from porimon.showdown.node import NodeParts

GOOD = DamageQuery(CombatantSpec("garchomp", 79), CombatantSpec("heatran", 79), "earthquake")
DEADLINE = 3.0


def changed(*path: str, value: Any) -> dict[str, Any]:
    """A good query's document with one field replaced."""
    document = json.loads(json.dumps(query_document(GOOD)))
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return document


async def post(service: CalculatorService, body: bytes) -> tuple[int, Any]:
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{service.base_url}/calculate", data=body) as response,
    ):
        return response.status, await response.json()


BAD_ENTRIES = [
    (changed("move", value="erthquake"), "move", "earthquake"),
    (changed("attacker", "species", value="Garchmp"), "attacker.species", "garchomp"),
    (changed("defender", "ability", value="levitat"), "defender.ability", "levitate"),
    (changed("defender", "item", value="lefovers"), "defender.item", "leftovers"),
    (changed("field", "weather", value="sunyday"), "field.weather", "sunnyday"),
    (changed("field", "terrain", value="grasyterrain"), "field.terrain", "grassyterrain"),
    (changed("attacker", "types", value=["fir"]), "attacker.types.0", "fire"),
    (changed("attacker", "boots", value={}), "attacker.boots", "boosts"),
    (changed("attacker", "level", value=101), "attacker.level", None),
    (changed("attacker", "level", value=None), "attacker.level", None),
    (changed("attacker", "boosts", value={"atk": 7}), "attacker.boosts.atk", None),
    (changed("attacker", "boosts", value={"attack": 1}), "attacker.boosts.attack", None),
    (changed("attacker", "status", value="sleep"), "attacker.status", None),
    (changed("defender", "hp_fraction", value=0), "defender.hp_fraction", None),
    (changed("critical", value="yes"), "critical", None),
    (changed("hits", value=2.5), "hits", None),
    (changed("move", value=None), "move", None),
    (changed("field", "attacker_side", value=[]), "field.attacker_side", None),
    ({}, "move", None),
    (None, "query", None),
    (17, "query", None),
]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("entry", "field", "nearest"), BAD_ENTRIES)
async def test_a_bad_entry_gets_its_own_error_and_the_others_are_answered(
    entry: Any, field: str, nearest: str | None, service: CalculatorService
) -> None:
    good = query_document(GOOD)
    body = json.dumps({"queries": [good, entry, good]}).encode()
    status, document = await post(service, body)
    assert status == 200
    first, bad, last = document["answers"]
    assert first == last
    assert first["minimum"] == 400
    assert bad["error"]["field"] == field
    assert bad["error"]["message"]
    if nearest is not None:
        assert bad["error"]["nearest"] == nearest


async def test_lines_are_answered_as_bodies_are(node_parts: NodeParts) -> None:
    good = json.dumps({"queries": [query_document(GOOD)]}).encode()
    async with CalculatorService(node_parts) as service, asyncio.timeout(60):
        requests = [good, b"{", b"[]", b'{"queries": 3}', b" " * (9 * 1024 * 1024), good]
        asked = [service.exchange.ask(request) for request in requests]
        first, *bad, last = [json.loads(each) for each in await asyncio.gather(*asked)]
        assert (await post(service, good))[1] == first == last
        assert "not JSON" in bad[0]["error"]
        assert ["queries" in each["error"] for each in bad[1:3]] == [True, True]
        assert "8388608 bytes" in bad[3]["error"]
        assert service.starts == 1


async def test_a_refused_request_costs_the_ranges_and_is_told(
    node_parts: NodeParts, caplog: pytest.LogCaptureFixture
) -> None:
    async with CalculatorService(node_parts) as service, Calculator(service) as client:
        assert await client.answers({"queries": [0] * 5000}) is None
        assert await client.calculate([GOOD])
    assert "4096 queries" in caplog.text


async def test_http_faults_are_named(node_parts: NodeParts) -> None:
    async with CalculatorService(node_parts) as service:
        assert (await post(service, b"{"))[0] == 400
        assert (await post(service, b"[]"))[0] == 400
        assert (await post(service, b'{"queries": 3}'))[0] == 400
        status, document = await post(service, b'{"queries": [' + b"0," * 5000 + b"0]}")
        assert status == 413
        assert "4096" in document["error"]
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{service.base_url}/health") as response:
                assert (await response.json())["status"] == "ok"
            async with session.get(f"{service.base_url}/nothing") as response:
                assert response.status == 404
        assert (await post(service, b'{"queries": []}')) == (200, {"answers": []})


async def test_a_body_that_is_too_large_is_refused_and_the_service_goes_on(
    node_parts: NodeParts,
) -> None:
    async with CalculatorService(node_parts) as service, Calculator(service) as client:
        try:
            status, _ = await post(service, b" " * (9 * 1024 * 1024))
            assert status == 413
        except aiohttp.ClientError:
            pass  # it may close the connection before the whole body is sent
        assert await client.calculate([GOOD])
        assert service.starts == 1


async def test_the_service_listens_on_loopback_only(node_parts: NodeParts) -> None:
    async with CalculatorService(node_parts) as service:
        assert service.process_id is not None
        connections = psutil.Process(service.process_id).net_connections()
        addresses = {one.laddr.ip for one in connections if one.status == psutil.CONN_LISTEN}
    assert addresses == {"127.0.0.1"}


async def test_it_ends_when_its_parent_goes(node_parts: NodeParts) -> None:
    """Whoever starts it holds its standard input; when that closes, it ends by itself."""
    process = await asyncio.create_subprocess_exec(
        node_parts.node,
        str(node_parts.calc_api / "server.mjs"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    ready = json.loads(await asyncio.wait_for(process.stdout.readline(), 30))
    assert ready["port"] > 0
    process.stdin.close()
    assert await asyncio.wait_for(process.wait(), 10) == 0


async def test_leaving_the_context_ends_the_process(node_parts: NodeParts) -> None:
    async with CalculatorService(node_parts) as service:
        process = psutil.Process(service.process_id)
    assert not process.is_running()


async def test_a_killed_service_is_replaced_within_the_same_call(node_parts: NodeParts) -> None:
    async with CalculatorService(node_parts) as service, Calculator(service) as client:
        before = await client.calculate([GOOD])
        assert service.process_id is not None
        os.kill(service.process_id, signal.SIGKILL)
        assert await client.calculate([GOOD]) == before
        assert service.starts == 2


async def test_a_frozen_service_costs_one_decision_its_ranges(node_parts: NodeParts) -> None:
    async with (
        CalculatorService(node_parts) as service,
        Calculator(service, deadline=DEADLINE) as client,
    ):
        before = await client.calculate([GOOD])
        assert service.process_id is not None
        os.kill(service.process_id, signal.SIGSTOP)
        start = time.monotonic()
        assert await client.calculate([GOOD]) is None
        assert time.monotonic() - start < DEADLINE + 2
        for _ in range(100):  # it is replaced in the background
            if service.starts == 2 and service.process_id is not None:
                break
            await asyncio.sleep(0.1)
        assert await client.calculate([GOOD]) == before
        assert service.starts == 2


async def test_many_callers_of_a_dead_service_start_one_new_one(node_parts: NodeParts) -> None:
    async with CalculatorService(node_parts) as service, Calculator(service) as client:
        assert service.process_id is not None
        os.kill(service.process_id, signal.SIGKILL)
        answers = await asyncio.gather(*(client.calculate([GOOD]) for _ in range(20)))
        assert all(answers)
        assert service.starts == 2


async def test_a_service_that_cannot_start_says_so(node_parts: NodeParts, tmp_path: Any) -> None:
    (tmp_path / "server.mjs").write_text("console.error('no calculator here'); process.exit(1)")
    parts = NodeParts(node_parts.showdown_server, tmp_path, node_parts.node)
    with pytest.raises(MachineSetupError, match="did not start"):
        await CalculatorService(parts).__aenter__()


class Counting:
    """A calculator that counts what is asked of it."""

    def __init__(self, inner: Calculator) -> None:
        self.inner = inner
        self.asked: list[int] = []

    async def answers(self, request: Any) -> Any:
        self.asked.append(len(request["queries"]))
        return await self.inner.answers(request)


async def test_a_decision_asks_each_query_once(node_parts: NodeParts) -> None:
    from porimon.showdown.calculator.client import DecisionCalculator

    other = DamageQuery(GOOD.defender, GOOD.attacker, "flamethrower")
    async with CalculatorService(node_parts) as service, Calculator(service) as client:
        counting = Counting(client)
        decision = DecisionCalculator(counting)  # type: ignore[arg-type]
        first = await decision.calculate([GOOD, other, GOOD])
        assert first is not None
        assert first[0] == first[2] != first[1]
        assert await decision.calculate([other, GOOD]) == [first[1], first[0]]
        assert counting.asked == [2, 0]


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner),
    max_leaves=12,
)
PLACES = [
    ("move",), ("critical",), ("hits",), ("detail",), ("attacker",), ("defender",), ("field",),
    ("attacker", "species"), ("attacker", "level"), ("attacker", "ability"), ("attacker", "item"),
    ("attacker", "types"), ("attacker", "boosts"), ("attacker", "evs"), ("attacker", "ivs"),
    ("attacker", "stats"), ("attacker", "status"), ("defender", "hp_fraction"),
    ("defender", "gender"), ("defender", "toxic_counter"), ("field", "weather"),
    ("field", "terrain"), ("field", "gravity"), ("field", "attacker_side"),
    ("field", "defender_side"), ("__proto__",), ("attacker", "constructor"),
]  # fmt: skip
ENTRIES = st.lists(
    JSON_VALUES
    | st.builds(
        lambda path, value: changed(*path, value=value), st.sampled_from(PLACES), JSON_VALUES
    ),
    max_size=6,
)


async def every_entry_is_answered(service: CalculatorService, entries: list[Any]) -> None:
    body = json.dumps({"queries": [*entries, query_document(GOOD)]}).encode()
    status, document = await post(service, body)
    assert status == 200
    assert json.loads(await service.exchange.ask(body)) == document
    assert len(document["answers"]) == len(entries) + 1
    for answer in document["answers"]:
        if "error" in answer:
            assert answer["error"]["field"]
            assert "calculator failed" not in answer["error"]["message"], answer
        else:
            assert 0 <= answer["minimum"] <= answer["maximum"]
    assert document["answers"][-1]["minimum"] == 400


def fuzz(node_parts: NodeParts, examples: int) -> None:
    """Whatever JSON comes, every entry gets an answer or an error, and the service lives on."""
    with asyncio.Runner() as runner:
        service = CalculatorService(node_parts)
        runner.run(service.__aenter__())
        try:

            @given(ENTRIES)
            @settings(
                max_examples=examples,
                deadline=None,
                suppress_health_check=[HealthCheck.too_slow],
            )
            def check(entries: list[Any]) -> None:
                runner.run(every_entry_is_answered(service, entries))

            check()
            assert service.starts == 1
        finally:
            runner.run(service.__aexit__(None, None, None))


def test_any_json_is_answered(node_parts: NodeParts) -> None:
    fuzz(node_parts, 150)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_any_json_is_answered_10_000_times(node_parts: NodeParts) -> None:
    fuzz(node_parts, 10_000)


async def test_problems_reach_the_client_as_such(node_parts: NodeParts) -> None:
    async with CalculatorService(node_parts) as service, Calculator(service) as client:
        unknown = DamageQuery(CombatantSpec("garchmp", 79), GOOD.defender, "earthquake")
        answers = await client.calculate([unknown, GOOD])
    assert answers is not None
    assert isinstance(answers[0], QueryProblem)
    assert (answers[0].field, answers[0].nearest) == ("attacker.species", "garchomp")
    assert isinstance(answers[1], DamageRange)
