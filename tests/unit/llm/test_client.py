"""The real client against real HTTP faults: every row that an endpoint can do to a run."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import time
from collections.abc import Callable

import pytest

from porimon.errors import ModelAccessError, ModelUnavailable
from porimon.llm.client import OpenAIModel
from porimon.llm.endpoint.faults import EndpointFault, FaultPlan
from porimon.llm.endpoint.policy import ScriptedPolicy
from porimon.llm.endpoint.server import FakeEndpoint
from porimon.llm.secrets import Secret
from porimon.llm.settings import Prices
from tests.unit.llm.helpers import question, settings_for

GOOD = '{"move": "Surf"}'
KEY = "sk-planted-0123456789"


def endpoint(*script: str | None, rates: dict[str, float] | None = None) -> FakeEndpoint:
    """An endpoint whose first responses are these faults (``None``: a good answer)."""
    faults = [_fault(kind) if kind else None for kind in script]
    shares = {_fault(kind): rate for kind, rate in (rates or {}).items()}
    return FakeEndpoint(ScriptedPolicy(GOOD), FaultPlan(shares, script=faults))


def _fault(text: str) -> EndpointFault:
    kind, _, seconds = text.partition("@")
    return EndpointFault(kind, float(seconds) if seconds else None)


async def test_an_answer_with_usage_cost_and_latency() -> None:
    async with endpoint() as served:
        model = OpenAIModel(settings_for(served.base_url, prices=Prices(input=1e6, output=0)))
        completion = await model.complete(question("one two"))
        await model.close()
    assert completion.text == GOOD
    assert completion.model == "some-model"
    assert completion.input_tokens == 2
    assert completion.cost == 2.0
    assert completion.cached_input_tokens is None, "what the endpoint does not say is unknown"
    assert completion.latency_seconds is not None
    assert completion.attempts == 1


@pytest.mark.parametrize(
    "kind",
    [
        *("500", "502", "503", "408", "429", "429@0", "cut-before", "cut-middle"),
        *("body-empty", "body-not-json", "body-null", "body-nested"),
    ],
)
async def test_a_passing_fault_is_followed_by_another_attempt(kind: str) -> None:
    async with endpoint(kind) as served:
        model = OpenAIModel(settings_for(served.base_url))
        completion = await model.complete(question())
        await model.close()
    assert (completion.text, completion.attempts) == (GOOD, 2)


@pytest.mark.parametrize("kind", ["500", "cut-before", "cut-middle", "body-not-json"])
async def test_attempts_are_bounded(kind: str) -> None:
    async with endpoint(rates={kind: 1.0}) as served:
        model = OpenAIModel(settings_for(served.base_url, max_attempts=3))
        with pytest.raises(ModelUnavailable, match="3 failed attempts"):
            await model.complete(question())
        await model.close()
        assert served.counts[kind] == 3


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("401", "environment variable SOME_KEY"),
        ("403", "environment variable SOME_KEY"),
        ("404", "model and base_url"),
        ("quota", "account"),
        ("context-length", "window T"),
        ("400", "extra_body"),
    ],
)
async def test_a_final_fault_stops_at_once_and_names_the_setting(kind: str, named: str) -> None:
    async with endpoint(rates={kind: 1.0}) as served:
        settings = settings_for(served.base_url, key_env="SOME_KEY")
        model = OpenAIModel(settings, key=Secret(KEY))
        with pytest.raises(ModelAccessError, match=named) as caught:
            await model.complete(question())
        await model.close()
        assert served.counts[kind] == 1, "asked once only"
    assert caught.value.exit_code == 4


async def test_a_missing_key_names_the_environment_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ABSENT_KEY", raising=False)
    with pytest.raises(ModelAccessError, match="ABSENT_KEY"):
        OpenAIModel(settings_for("http://127.0.0.1:9/v1", key_env="ABSENT_KEY"))


async def test_the_key_is_sent_and_a_wrong_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", KEY)
    async with FakeEndpoint(ScriptedPolicy(GOOD), required_key=KEY) as served:
        model = OpenAIModel(settings_for(served.base_url, key_env="SOME_KEY"))
        assert (await model.complete(question())).text == GOOD
        await model.close()
        wrong = OpenAIModel(settings_for(served.base_url), key=Secret("another"))
        with pytest.raises(ModelAccessError):
            await wrong.complete(question())
        await wrong.close()


async def test_the_key_never_appears(caplog: pytest.LogCaptureFixture) -> None:
    """An endpoint that echoes the key in its error, all log levels on: the key is nowhere."""
    from aiohttp import web

    async def echo(request: web.Request) -> web.Response:
        said = f"Bad key {request.headers['Authorization']}"
        return web.json_response({"error": {"message": said, "code": "x"}}, status=401)

    application = web.Application()
    application.router.add_post("/v1/chat/completions", echo)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    caplog.set_level(logging.DEBUG)
    settings = settings_for(f"http://127.0.0.1:{runner.addresses[0][1]}/v1")
    model = OpenAIModel(settings, key=Secret(KEY))
    with pytest.raises(ModelAccessError) as caught:
        await model.complete(question())
    await model.close()
    await runner.cleanup()
    chain, error = [], caught.value
    while error is not None:
        chain.append(f"{error!s} {error!r} {vars(error)}")
        error = None if error.__suppress_context__ else (error.__cause__ or error.__context__)
    seen = "\n".join([*chain, caplog.text, repr(model), repr(model._key), str(vars(model))])
    assert "Bad key" in seen
    assert KEY not in seen


async def test_silence_ends_at_the_time_limit_and_the_call_is_really_cancelled() -> None:
    async with endpoint("never") as served:
        model = OpenAIModel(settings_for(served.base_url, timeout_seconds=0.3))
        started = time.monotonic()
        completion = await model.complete(question())
        assert time.monotonic() - started < 5
        assert completion.attempts == 2
        await _until(lambda: served.counts["abandoned"] == 1)
        await model.close()


async def test_cancelling_a_call_closes_its_connection() -> None:
    async with endpoint("never") as served:
        model = OpenAIModel(settings_for(served.base_url))
        call = asyncio.create_task(model.complete(question()))
        await _until(lambda: served.in_progress == 1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await _until(lambda: served.in_progress == 0 and served.counts["abandoned"] == 1)
        assert (await model.complete(question())).text == GOOD, "and the model can be asked on"
        await model.close()


@pytest.mark.parametrize("kind", ["429@0.4", "503@0.4"])
async def test_retry_after_is_waited_for(kind: str) -> None:
    async with endpoint(kind) as served:
        model = OpenAIModel(settings_for(served.base_url))
        started = time.monotonic()
        assert (await model.complete(question())).attempts == 2
        assert time.monotonic() - started >= 0.4
        await model.close()


async def test_rate_limits_do_not_use_up_attempts_but_patience_ends() -> None:
    async with endpoint(*["429"] * 6) as served:
        model = OpenAIModel(settings_for(served.base_url, max_attempts=1))
        assert (await model.complete(question())).attempts == 7
        await model.close()
    async with endpoint("429@3600") as served:
        model = OpenAIModel(settings_for(served.base_url, patience_seconds=1))
        with pytest.raises(ModelUnavailable, match="rate limited"):
            await model.complete(question())
        await model.close()


async def test_concurrency_falls_on_rate_limits_and_recovers_by_itself() -> None:
    script = [None] * 4 + ["429"] * 8
    served = FakeEndpoint(
        ScriptedPolicy(GOOD),
        FaultPlan(script=[_fault(kind) if kind else None for kind in script]),
        latency_ms=20,
    )
    async with served:
        model = OpenAIModel(settings_for(served.base_url, concurrency=8))
        limits = []

        async def ask(number: int) -> str:
            completion = await model.complete(question(f"{number}"))
            limits.append(model.concurrency_limit)
            return completion.text

        answers = await asyncio.gather(*(ask(number) for number in range(80)))
        await model.close()
    assert answers == [GOOD] * 80, "no call is lost"
    assert min(limits) < 5, "halved, at most one success later"
    assert limits[-1] == 8
    assert served.most_in_progress <= 8


async def test_several_endpoints_are_used_evenly_and_avoided_while_they_fail() -> None:
    async with endpoint() as one, endpoint() as two, endpoint(rates={"503": 1.0}) as broken:
        urls = (one.base_url, two.base_url, broken.base_url)
        model = OpenAIModel(settings_for(*urls, concurrency=4))
        answers = await asyncio.gather(*(model.complete(question(f"{n}")) for n in range(40)))
        await model.close()
        assert {answer.text for answer in answers} == {GOOD}
        assert sum(model.served.values()) == 40
        assert abs(model.served[one.base_url] - model.served[two.base_url]) <= 6
        assert broken.counts["503"] <= 8


async def test_nothing_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    model = OpenAIModel(settings_for(f"http://127.0.0.1:{port}/v1", max_attempts=2))
    with pytest.raises(ModelUnavailable, match="connection failed"):
        await model.complete(question())
    await model.close()


async def test_a_tls_error_is_a_passing_fault() -> None:
    """An endpoint that speaks no TLS where TLS is expected."""
    async with endpoint() as served:
        url = served.base_url.replace("http://", "https://")
        model = OpenAIModel(settings_for(url, max_attempts=2))
        with pytest.raises(ModelUnavailable, match=r"(?i)ssl|tls|connect"):
            await model.complete(question())
        await model.close()


async def test_odd_answers_come_back_as_text() -> None:
    kinds = ["empty", "not-json", "long", "wrong-language", "null", "nested", "invalid-utf8"]
    async with endpoint(*kinds) as served:
        model = OpenAIModel(settings_for(served.base_url))
        texts = [(await model.complete(question())).text for _ in kinds]
        await model.close()
    assert texts[0] == ""
    assert len(texts[2]) > 900_000
    assert texts[4] == "null"
    assert texts[5].count("{") == 10_000
    assert "\ufffd" in texts[6]


async def test_no_task_and_no_connection_is_left_over() -> None:
    before = asyncio.all_tasks()
    async with endpoint("429@0.01", "500", "cut-middle") as served:
        model = OpenAIModel(settings_for(served.base_url))
        await asyncio.gather(*(model.complete(question(f"{n}")) for n in range(5)))
        await model.close()
    await asyncio.sleep(0.05)
    gc.collect()
    assert asyncio.all_tasks() == before


async def _until(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait for something that happens in the endpoint, which has nothing to wait on."""
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    assert condition()
