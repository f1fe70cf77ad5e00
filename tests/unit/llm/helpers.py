"""Settings and requests that the tests of language models share."""

from __future__ import annotations

from typing import Any

from porimon.llm.model import CompletionRequest, Message
from porimon.llm.settings import ModelSettings


def settings_for(*base_urls: str, **changes: Any) -> ModelSettings:
    """A model at some endpoints, with short pauses and time limits."""
    given = {
        "name": "tested",
        "model": "some-model",
        "base_urls": base_urls,
        "timeout_seconds": 5.0,
        "backoff_seconds": 0.01,
        **changes,
    }
    return ModelSettings(**given)


def question(text: str = "Which move?") -> CompletionRequest:
    """A request with one user message."""
    return CompletionRequest((Message("user", text),))
