"""What decides an endpoint's answers, and the validated form of what it is asked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, cast

from porimon.llm.model import AnswerFormat, Message, Role

_ROLES = ("system", "user", "assistant", "developer")
_PIECE = re.compile(r"[^\W\d_]{1,5}|\d{1,3}|[^\w\s]|_")
_BREAK = re.compile(r"\n+")


class Policy(Protocol):
    """Answers a conversation. Must be quick: it runs inside the event loop."""

    @property
    def name(self) -> str: ...

    def answer(self, messages: Sequence[Message], answer_format: AnswerFormat) -> str: ...


class ScriptedPolicy:
    """Gives the answers of a list in turn, the last one for ever: for tests."""

    name = "scripted"

    def __init__(self, *answers: str) -> None:
        self._answers = answers
        self._given = 0

    def answer(self, messages: Sequence[Message], answer_format: AnswerFormat) -> str:
        """The next answer of the list."""
        chosen = self._answers[min(self._given, len(self._answers) - 1)]
        self._given += 1
        return chosen


class RequestRefused(ValueError):
    """A request that the endpoint answers with status 400; ``parameter`` is what was wrong."""

    def __init__(self, message: str, parameter: str | None = None) -> None:
        super().__init__(message)
        self.parameter = parameter


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """The fields of a chat-completions request that the endpoint heeds."""

    model: str
    messages: tuple[Message, ...]
    answer_format: AnswerFormat


def read_request(body: bytes) -> ChatRequest:
    """Validate a request's body. Raises ``RequestRefused``."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        raise RequestRefused("the body is not JSON") from None
    if not isinstance(document, dict):
        raise RequestRefused("the body is no JSON object")
    if document.get("stream"):
        raise RequestRefused("streaming is not supported; leave out stream", "stream")
    if document.get("n", 1) not in (1, None):
        raise RequestRefused("only one choice is supported; leave out n", "n")
    model = document.get("model")
    if not isinstance(model, str) or not model:
        raise RequestRefused("model is missing", "model")
    return ChatRequest(
        model, _messages(document.get("messages")), _answer_format(document.get("response_format"))
    )


def _messages(value: object) -> tuple[Message, ...]:
    if not isinstance(value, list) or not value:
        raise RequestRefused("messages is missing or empty", "messages")
    messages = []
    for message in value:
        role = message.get("role") if isinstance(message, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, list):
            parts = [part.get("text", "") for part in content if isinstance(part, dict)]
            content = "".join(part for part in parts if isinstance(part, str))
        if role not in _ROLES or not isinstance(content, str):
            raise RequestRefused("a message needs a role and a content", "messages")
        messages.append(Message("system" if role == "developer" else cast(Role, role), content))
    return tuple(messages)


def _answer_format(value: Any) -> AnswerFormat:
    kind = value.get("type") if isinstance(value, dict) else "text" if value is None else None
    if kind == "text":
        return AnswerFormat("text")
    if kind == "json_object":
        return AnswerFormat("json_object")
    if kind == "json_schema":
        described = value.get("json_schema")
        schema = described.get("schema") if isinstance(described, dict) else None
        if isinstance(schema, dict):
            return AnswerFormat("json_schema", schema)
        raise RequestRefused("json_schema has no schema", "response_format")
    raise RequestRefused("response_format is unknown", "response_format")


def count_pieces(text: str) -> int:
    """How many tokens the endpoint reports for a text.

    It has no tokenizer of a real model: it counts pieces of words of at most five letters, numbers
    of at most three digits, marks and breaks between lines, which comes near the counts of real
    tokenizers on prompts.
    """
    return sum(map(_pieces_of_line, text.split("\n"))) + len(_BREAK.findall(text))


@lru_cache(maxsize=8192)  # most lines of a prompt stood in an earlier one
def _pieces_of_line(line: str) -> int:
    return len(_PIECE.findall(line))
