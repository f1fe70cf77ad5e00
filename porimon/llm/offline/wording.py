"""The form of an answer: whatever the request's format and the prompt's words ask for.

JSON with ``move`` or ``switch``, JSON with ``order``, a filled JSON schema, or plain lines; with a
thought first, or with several options, where that is asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from porimon.llm.model import AnswerFormat
from porimon.llm.offline.judging import Judgement

MOST_OPTIONS = 3


def word_answer(best_first: Sequence[Judgement], asked: str, answer_format: AnswerFormat) -> str:
    """The answer for options in order of preference (at least one).

    ``asked`` is the prompt's text: the reader keeps to the form that it describes.
    """
    several = _wants_options(asked, answer_format)
    chosen = best_first[: MOST_OPTIONS if several else 1]
    if answer_format.kind == "text":
        return _lines(chosen, asked, several)
    if answer_format.kind == "json_schema" and answer_format.schema:
        return _json(_filled(answer_format.schema, list(chosen), answer_format.schema))
    if several:
        options = [{"why": one.why, "order": one.option.label} for one in chosen]
        return _json({"options": options})
    best = chosen[0]
    document: dict[str, Any] = {"thought": _thought(best)} if _wants_thought(asked) else {}
    document[_order_key(best, asked)] = best.option.label
    return _json(document)


def _order_key(best: Judgement, asked: str) -> str:
    if '"order"' in asked and f'"{best.option.kind}"' not in asked:
        return "order"
    return best.option.kind


def _wants_options(asked: str, answer_format: AnswerFormat) -> bool:
    if answer_format.kind == "json_schema" and answer_format.schema:
        return "options" in answer_format.schema.get("properties", {})
    return '"options"' in asked or bool(re.search(r"^option: <", asked, re.MULTILINE))


def _wants_thought(asked: str) -> bool:
    return '"thought"' in asked or "thought: …" in asked


def _thought(best: Judgement) -> str:
    return f"{best.option.label}: {best.why}."


def _lines(chosen: Sequence[Judgement], asked: str, several: bool) -> str:
    if several:
        return "\n".join(f"option: {one.option.label} | {one.why}" for one in chosen)
    best = chosen[0]
    thought = f"thought: {_thought(best)}\n" if _wants_thought(asked) else ""
    return f"{thought}{best.option.kind}: {best.option.label}"


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False)


def _filled(schema: Any, chosen: list[Judgement], root: dict[str, Any]) -> Any:
    """A value that fits a JSON schema: objects, arrays, enumerations and strings.

    Of an enumeration the best option that it lists is taken, of several branches the first.
    """
    if not isinstance(schema, dict):
        return None
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        return _filled(root.get("$defs", {}).get(name), chosen, {**root, "$defs": {}})
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        labels = [one.option.label for one in chosen]
        return next((label for label in labels if label in schema["enum"]), schema["enum"][0])
    for branching in ("anyOf", "oneOf"):
        if schema.get(branching):
            return _filled(_fitting(schema[branching], chosen), chosen, root)
    if "properties" in schema:
        return {
            key: _property(key, inner, chosen, root) for key, inner in schema["properties"].items()
        }
    if schema.get("type") == "array":
        return [_filled(schema.get("items"), [one], root) for one in chosen]
    return _thought(chosen[0])


def _property(key: str, schema: Any, chosen: list[Judgement], root: dict[str, Any]) -> Any:
    is_text = isinstance(schema, dict) and schema.get("type") == "string" and "enum" not in schema
    if is_text and key in ("order", "move", "switch"):
        return chosen[0].option.label
    if is_text and key == "why":
        return chosen[0].why
    return _filled(schema, chosen, root)


def _fitting(branches: Sequence[Any], chosen: list[Judgement]) -> Any:
    """The branch that has a property named like the best option's kind, else the first."""
    for branch in branches:
        if isinstance(branch, dict) and chosen[0].option.kind in branch.get("properties", {}):
            return branch
    return branches[0]
