"""From a request to the fields of a chat-completions call: only what is set is sent."""

from __future__ import annotations

from typing import Any

from porimon.llm.model import AnswerFormat, CompletionRequest
from porimon.llm.settings import ModelSettings


def request_fields(request: CompletionRequest, settings: ModelSettings) -> dict[str, Any]:
    """The JSON object that is posted for one request; ``extra_body`` has the last word."""
    fields: dict[str, Any] = {
        "model": settings.model,
        "messages": [
            {"role": message.role, "content": _encodable(message.content)}
            for message in request.messages
        ],
        **settings.sampling.model_dump(exclude_none=True),
    }
    response_format = _response_format(request.answer_format)
    if response_format is not None:
        fields["response_format"] = response_format
    if settings.reasoning_effort is not None:
        fields["reasoning_effort"] = settings.reasoning_effort
    if settings.max_output_tokens is not None:
        fields[settings.max_tokens_field] = settings.max_output_tokens
    return fields | settings.extra_body


def _response_format(answer_format: AnswerFormat) -> dict[str, Any] | None:
    match answer_format.kind:
        case "text":
            return None
        case "json_object":
            return {"type": "json_object"}
        case "json_schema":
            schema = {"name": "answer", "strict": True, "schema": answer_format.schema or {}}
            return {"type": "json_schema", "json_schema": schema}


def _encodable(text: str) -> str:
    # Lone surrogates (from a player's chat, say) cannot be sent as UTF-8.
    return text.encode("utf-8", errors="replace").decode("utf-8")
