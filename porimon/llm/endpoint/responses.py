"""The bodies that the endpoint sends: completions, errors, and the odd ones of the faults."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from porimon.llm.endpoint.faults import EndpointFault
from porimon.llm.endpoint.policy import count_pieces
from porimon.llm.model import Message

NESTED_DEPTH = 10_000
LONG_CHARACTERS = 1_000_000
BAD_BYTES = b"\xff\xfe\x80"
_MARK = "porimon-bad-bytes"

ODD_ANSWERS = {
    "empty": "",
    "not-json": "I would rather think about this one a little longer before I decide.",
    "long": '{"thought": "' + "so many words " * (LONG_CHARACTERS // 14) + '"}',
    "wrong-language": "その質問には日本語でお答えします。交代するのが最善の手です。",
    "illegal-order": '{"move": "Utterly Unknown Attack"}',
    "null": "null",
    "nested": '{"move":' * NESTED_DEPTH + "null" + "}" * NESTED_DEPTH,
    "invalid-utf8": '{"move": "' + _MARK + '"}',
}
"""Answers of the answer faults, except ``last-answer``."""

ODD_BODIES = {
    "body-empty": b"",
    "body-not-json": b"<html><body><h1>It works!</h1></body></html>",
    "body-null": b"null",
    "body-nested": b"[" * NESTED_DEPTH + b"]" * NESTED_DEPTH,
}


def completion_body(model: str, messages: tuple[Message, ...], text: str, asked: bytes) -> bytes:
    """A chat completion as JSON. Its id follows from what was ``asked``."""
    prompt_tokens = sum(count_pieces(message.content) for message in messages)
    completion_tokens = count_pieces(text)
    document: dict[str, Any] = {
        "id": "chatcmpl-" + hashlib.blake2b(asked, digest_size=12).hexdigest(),
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
            }
        ],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
    }
    return json.dumps(document).encode().replace(_MARK.encode(), BAD_BYTES)


def models_body(model: str) -> bytes:
    """The list of models, with one entry."""
    entry = {"id": model, "object": "model", "created": 0, "owned_by": "porimon"}
    return json.dumps({"object": "list", "data": [entry]}).encode()


def error_body(message: str, kind: str, code: str | None = None, param: str | None = None) -> bytes:
    """An error in the form of the OpenAI interface."""
    error = {"message": message, "type": kind, "param": param, "code": code}
    return json.dumps({"error": error}).encode()


def fault_body(fault: EndpointFault) -> bytes:
    """The error body that goes with a fault's status."""
    if fault.kind == "quota":
        message = "You exceeded your current quota."
        return error_body(message, "insufficient_quota", "insufficient_quota")
    if fault.kind == "context-length":
        message = "The prompt is longer than this model's context."
        return error_body(message, "invalid_request_error", "context_length_exceeded", "messages")
    return error_body(f"A planned fault with status {fault.kind}.", "planned_fault", fault.kind)
