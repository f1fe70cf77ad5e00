"""From the bytes of a chat-completions response to the answer's text and what it took.

Only a body without a usable answer is a fault of the endpoint. What the answer says, however odd
(empty, a foreign language, a megabyte long), is the model's, and the caller's to judge.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

_LONGEST_NAME = 200


class BodyFault(ValueError):
    """The body is no chat completion; the message says why."""


@dataclass(frozen=True, slots=True)
class AnswerBody:
    """The parts of a chat completion that Porimon keeps; what was not sent is ``None``."""

    text: str
    model: str | None
    finish_reason: str | None
    input_tokens: int | None
    cached_input_tokens: int | None
    output_tokens: int | None


def read_body(body: bytes) -> AnswerBody:
    """Read a chat completion.

    Bytes that are not UTF-8 and lone surrogates become U+FFFD: such an answer can still be judged,
    and stored. Raises ``BodyFault`` where there is no answer in it.
    """
    if not body.strip():
        raise BodyFault("the body is empty")
    try:
        document = json.loads(body.decode("utf-8", errors="replace"))
    except RecursionError:
        raise BodyFault("the body is nested too deep") from None
    except ValueError:
        raise BodyFault("the body is not JSON") from None
    if not isinstance(document, dict):
        raise BodyFault("the body is JSON, but no object")
    choices = document.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise BodyFault("the body has no choices")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise BodyFault("the body's first choice has no message")
    usage = document.get("usage")
    return AnswerBody(
        text=_text(message),
        model=_name(document.get("model")),
        finish_reason=_name(choices[0].get("finish_reason")),
        input_tokens=_count(usage, "prompt_tokens"),
        cached_input_tokens=_count(usage, "prompt_tokens_details", "cached_tokens"),
        output_tokens=_count(usage, "completion_tokens"),
    )


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        # Some endpoints send a list of typed parts.
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str):
        # A refusal, a tool call or nothing at all: an empty answer.
        return ""
    return content.encode("utf-8", errors="replace").decode("utf-8")


def _name(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    return value.encode("utf-8", errors="replace").decode("utf-8")[:_LONGEST_NAME]


def _count(usage: object, *path: str) -> int | None:
    value = usage
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return value
