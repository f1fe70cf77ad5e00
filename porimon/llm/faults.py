"""What a failed HTTP attempt means: stop the run, wait and ask again, or ask again.

Classification only looks at the status, the headers and the body that the endpoint sent.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from porimon.llm.settings import ModelSettings

FaultKind = Literal["access", "refused_request", "filtered", "rate_limit", "passing"]

LONGEST_MESSAGE = 400
"""Characters of an endpoint's own message that an error quotes."""
LONGEST_BACKOFF_SECONDS = 60.0

_PASSING_STATUS = frozenset({408, 409, 423, 425})
_QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached", "quota_exceeded"})
_SETTING_OF_PARAMETER = {
    "response_format": "the player's answer_format",
    "reasoning_effort": "reasoning_effort",
    "max_completion_tokens": "max_output_tokens and max_tokens_field",
    "max_tokens": "max_output_tokens and max_tokens_field",
    "model": "model",
    "temperature": "sampling.temperature",
    "top_p": "sampling.top_p",
    "frequency_penalty": "sampling.frequency_penalty",
    "presence_penalty": "sampling.presence_penalty",
    "seed": "sampling.seed",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One failed attempt. ``setting`` is what the operator should look at, where one is known.

    ``retry_after_seconds`` is what the endpoint asked for, ``None`` if it asked for nothing.
    """

    kind: FaultKind
    what: str
    setting: str | None = None
    retry_after_seconds: float | None = None


def classify_status(
    status: int, headers: Mapping[str, str], body: object, settings: ModelSettings
) -> Fault:
    """The fault behind an HTTP status of 300 or more.

    ``headers`` have lower-case names; ``body`` is the decoded JSON, or text, or ``None``.
    """
    code, parameter, message = _error_fields(body)
    said = f"HTTP {status}" + (f" ({message[:LONGEST_MESSAGE]})" if message else "")
    retry_after = parse_retry_after(headers)
    key = (
        f"environment variable {settings.key_env}" if settings.key_env else "key_env (none is set)"
    )
    if status == 401:
        return Fault("access", f"the endpoint refuses the key: {said}", key)
    if status == 403:
        return Fault("access", f"the endpoint denies access: {said}", f"{key}, or model")
    if status == 404:
        return Fault("access", f"the endpoint doesn't know this: {said}", "model and base_url")
    if status == 402 or code in _QUOTA_CODES:
        return Fault("access", f"the quota is used up: {said}", f"the account behind {key}")
    if status == 429:
        return Fault("rate_limit", f"rate limit: {said}", None, retry_after)
    if status in _PASSING_STATUS or status >= 500:
        return Fault("passing", said, None, retry_after)
    if code == "content_filter":
        return Fault("filtered", f"the endpoint's filter refused the prompt: {said}")
    if code == "context_length_exceeded" or status == 413:
        return Fault(
            "refused_request",
            f"the prompt is longer than the model takes: {said}",
            "model, or the player's window T",
        )
    setting = _SETTING_OF_PARAMETER.get(parameter or "", "extra_body, sampling, reasoning_effort")
    return Fault("refused_request", f"the endpoint refuses the request: {said}", setting)


def parse_retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds to wait, from ``retry-after-ms`` or ``retry-after`` (seconds or an HTTP date).

    ``None`` for an absent or unreadable value; never negative. ``headers`` have lower-case names.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None or value is None:
        return seconds
    try:
        moment = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())


def backoff(attempt: int, first_seconds: float, chance: random.Random) -> float:
    """Seconds before attempt ``attempt + 1``: full jitter, uniform below a doubling bound.

    ``attempt`` counts from 1. The bound starts at ``first_seconds`` and ends at a minute.
    """
    bound = min(first_seconds * 2.0 ** min(attempt - 1, 30), LONGEST_BACKOFF_SECONDS)
    return chance.uniform(0.0, bound)


def _number(value: str | None) -> float | None:
    try:
        number = float(value) if value is not None else None
    except ValueError:
        return None
    # NaN and infinities are no time to wait; a negative one has passed.
    if number is None or number != number or abs(number) == float("inf"):
        return None
    return max(0.0, number)


def _error_fields(body: object) -> tuple[str | None, str | None, str]:
    """Code, parameter and message of an OpenAI-style error body, as far as they are there."""
    if isinstance(body, dict):
        error: Any = body.get("error", body)
        if isinstance(error, dict):
            code = error.get("code") or error.get("type")
            parameter = error.get("param")
            message = error.get("message")
            return (
                str(code) if code is not None else None,
                str(parameter) if parameter is not None else None,
                str(message) if message is not None else "",
            )
        return None, None, str(error)
    return None, None, str(body) if body is not None else ""
