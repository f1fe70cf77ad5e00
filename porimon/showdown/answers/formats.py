"""The format that the endpoint is asked to keep to, for each setting and step of a decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from porimon.config.player import PlayerConfig
from porimon.llm.model import AnswerFormat
from porimon.showdown.prompts.context import Step
from porimon.showdown.view.model import LegalOrder


def answer_format(config: PlayerConfig, legal: Sequence[LegalOrder], step: Step) -> AnswerFormat:
    """Plain text, a JSON object, or a JSON schema that lists the legal orders."""
    if config.answer_format != "json_schema":
        return AnswerFormat(config.answer_format)
    order = {"type": "string", "enum": [one.label for one in legal]}
    if step == "propose":
        entry = _object({"why": {"type": "string"}, "order": order})
        return AnswerFormat("json_schema", _object({"options": {"type": "array", "items": entry}}))
    if config.mode == "cot":
        return AnswerFormat("json_schema", _object({"thought": {"type": "string"}, "order": order}))
    return AnswerFormat("json_schema", _object({"order": order}))


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    # Endpoints with strict schemas want every property required and no others.
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
