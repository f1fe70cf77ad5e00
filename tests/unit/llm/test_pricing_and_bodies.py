"""Costs from prices, bodies to answers, statuses to faults, pauses: the client's pure parts."""

from __future__ import annotations

import contextlib
import json
import random
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.llm.answer_body import AnswerBody, BodyFault, read_body
from porimon.llm.faults import backoff, classify_status, parse_retry_after
from porimon.llm.model import AnswerFormat, CompletionRequest, Message
from porimon.llm.pricing import call_cost
from porimon.llm.request_body import request_fields
from porimon.llm.settings import Prices, Sampling
from tests.unit.llm.helpers import question, settings_for


def test_cost_worked_by_hand() -> None:
    """1,000 input (400 of them cached) and 50 output at 2, 0.5 and 8 dollars per million."""
    prices = Prices(input=2, cached_input=0.5, output=8)
    assert call_cost(prices, 1000, 400, 50) == pytest.approx((600 * 2 + 400 * 0.5 + 50 * 8) / 1e6)


def test_unknown_figures_give_an_unknown_cost_never_zero() -> None:
    assert call_cost(Prices(input=2), 1000, None, 50) is None
    assert call_cost(Prices(input=2, output=8), None, None, 50) is None
    assert call_cost(Prices(input=0, output=0), 1000, None, 50) == 0.0


def test_cached_tokens_of_unknown_price_are_charged_in_full() -> None:
    assert call_cost(Prices(input=2, output=8), 1000, 400, 0) == pytest.approx(0.002)


def body(**changes: Any) -> bytes:
    document = {
        "model": "m-1",
        "choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": 10,
            "completion_tokens": 2,
            "prompt_tokens_details": {"cached_tokens": 8},
        },
        **changes,
    }
    return json.dumps(document).encode()


def test_a_completion_is_read() -> None:
    assert read_body(body()) == AnswerBody("hi", "m-1", "stop", 10, 8, 2)


def test_usage_that_was_not_sent_is_unknown() -> None:
    read = read_body(body(usage=None))
    assert (read.input_tokens, read.cached_input_tokens, read.output_tokens) == (None, None, None)
    assert read_body(body(usage={"prompt_tokens": -3})).input_tokens is None


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ("x\ud800y", "x?y"),
        (7, ""),
    ],
)
def test_odd_content_is_the_answer_as_text(content: object, text: str) -> None:
    choices = [{"message": {"content": content}, "finish_reason": "stop"}]
    read = read_body(body(choices=choices))
    assert read.text == text
    read.text.encode("utf-8")


def test_bytes_that_are_not_utf8_are_replaced() -> None:
    read = read_body(body().replace(b"hi", b"\xff\xfe"))
    assert read.text == "\ufffd\ufffd"


@pytest.mark.parametrize(
    "raw",
    [
        *(b"", b"  ", b"<html>", b"null", b"[]", b"{}", b'{"choices": []}', b'{"choices": [3]}'),
        *(b'{"choices": [{"message": null}]}', b"[" * 100_000, b'{"choices": "x"}'),
    ],
)
def test_a_body_without_an_answer_is_a_fault(raw: bytes) -> None:
    with pytest.raises(BodyFault):
        read_body(raw)


@given(st.binary(max_size=200))
def test_any_bytes_give_an_answer_or_the_typed_fault(raw: bytes) -> None:
    with contextlib.suppress(BodyFault):
        assert isinstance(read_body(raw), AnswerBody)


@pytest.mark.parametrize(
    ("status", "error", "kind", "setting"),
    [
        (401, {"code": "invalid_api_key"}, "access", "KEY_NAME"),
        (403, {}, "access", "KEY_NAME"),
        (404, {"code": "model_not_found"}, "access", "model"),
        (429, {"code": "insufficient_quota"}, "access", "account"),
        (402, {}, "access", "account"),
        (429, {"code": "rate_limit_exceeded"}, "rate_limit", None),
        (400, {"code": "context_length_exceeded"}, "refused_request", "window T"),
        (400, {"param": "reasoning_effort"}, "refused_request", "reasoning_effort"),
        (400, {"param": "response_format"}, "refused_request", "answer_format"),
        (400, {"code": "content_filter"}, "filtered", None),
        (408, {}, "passing", None),
        (500, {}, "passing", None),
        (503, {}, "passing", None),
        (529, {}, "passing", None),
    ],
)
def test_what_a_status_means(
    status: int, error: dict[str, str], kind: str, setting: str | None
) -> None:
    settings = settings_for("http://a/v1", key_env="KEY_NAME")
    document = {"error": {"message": "because", **error}}
    fault = classify_status(status, {}, document, settings)
    assert fault.kind == kind
    assert str(status) in fault.what
    assert "because" in fault.what
    if setting is None:
        assert fault.setting is None
    else:
        assert setting in (fault.setting or "")


NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0.0),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert parse_retry_after(headers, NOW) == seconds


@given(st.integers(1, 10_000), st.floats(0.001, 10), st.integers())
def test_backoff_has_full_jitter_below_a_bound(attempt: int, first: float, seed: int) -> None:
    pause = backoff(attempt, first, random.Random(seed))
    assert 0 <= pause <= min(60.0, first * 2.0 ** min(attempt - 1, 30))


def test_only_what_is_set_is_sent() -> None:
    fields = request_fields(question("hi"), settings_for("http://a/v1"))
    assert fields == {
        "model": "some-model",
        "messages": [{"role": "user", "content": "hi"}],
        "response_format": {"type": "json_object"},
    }


def test_what_is_set_is_sent_under_its_name() -> None:
    settings = settings_for(
        "http://a/v1",
        sampling=Sampling(temperature=0, seed=3),
        reasoning_effort="none",
        max_output_tokens=7,
        max_tokens_field="max_tokens",
        extra_body={"x": 1},
    )
    request = CompletionRequest(
        (Message("system", "s\ud800"),),
        answer_format=AnswerFormat("json_schema", {"type": "object"}),
    )
    fields = request_fields(request, settings)
    assert fields["messages"] == [{"role": "system", "content": "s?"}]
    assert (fields["temperature"], fields["seed"], fields["max_tokens"]) == (0, 3, 7)
    assert fields["reasoning_effort"] == "none"
    assert fields["x"] == 1
    assert fields["response_format"]["json_schema"]["schema"] == {"type": "object"}
    text = CompletionRequest(request.messages, answer_format=AnswerFormat("text"))
    assert "response_format" not in request_fields(text, settings)
