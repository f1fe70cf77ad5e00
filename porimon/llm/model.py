"""What a language model is to the rest of Porimon: one call in, one completion out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant"]
Purpose = Literal["decision", "reflection", "probe"]


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class AnswerFormat:
    """The format that the endpoint is asked to keep to.

    ``schema`` is a JSON schema and is given exactly when ``kind`` is ``json_schema``.
    """

    kind: Literal["text", "json_object", "json_schema"] = "json_object"
    schema: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One call: the messages, the answer's format, and what the call is for."""

    messages: tuple[Message, ...]
    purpose: Purpose = "decision"
    answer_format: AnswerFormat = field(default_factory=AnswerFormat)


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer and what it took. Unknown figures are ``None``, never 0.

    ``cost`` is in US dollars, from the prices in the user's file. ``latency_seconds`` covers the
    successful attempt, ``attempts`` counts the HTTP attempts including it.
    """

    text: str
    model: str
    finish_reason: str | None = None
    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    latency_seconds: float | None = None
    attempts: int = 1


class LanguageModel(Protocol):
    """A model that answers requests. Implementations never block the event loop.

    ``complete`` raises ``ModelAccessError`` (stop the run), ``BudgetExhausted`` (stop the run),
    or ``ModelUnavailable`` (put the battle back); cancelling it cancels the HTTP call.
    """

    @property
    def name(self) -> str: ...

    async def complete(self, request: CompletionRequest) -> Completion: ...

    async def close(self) -> None: ...
