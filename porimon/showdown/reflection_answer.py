"""Reading a reflection: the model's text to summary, lessons and importance, or why it can't be.

As strict as reading a move: nothing is guessed, nothing is filled in. Whatever the text is, the
only exception is ``ModelAnswerError``, and its reason is a stable word.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from porimon.errors import ModelAnswerError
from porimon.showdown.dex.identifier import to_id

MOST_CHARACTERS = 100_000
"""A longer answer is no reflection; it isn't even parsed."""
MOST_SUMMARY_CHARACTERS = 1_500
MOST_LESSONS = 8
MOST_LESSON_CHARACTERS = 500
"""Summary and lessons go into later prompts, so they are limited (about twice what is asked)."""
HIGHEST_IMPORTANCE = 10


@dataclass(frozen=True, slots=True)
class ReflectionAnswer:
    """A usable reflection. Importance, 0 to 10, runs parallel to the teams' names."""

    summary: str
    lessons: tuple[str, ...]
    own_importance: tuple[float, ...]
    foe_importance: tuple[float, ...]


def parse_reflection(
    text: str, own_names: Sequence[str], foe_names: Sequence[str]
) -> ReflectionAnswer:
    """The reflection in a model's answer.

    Code fences and prose around the JSON object are tolerated, so are names in other case or
    without accents and punctuation. Raises ``ModelAnswerError`` with one of the reasons ``empty``,
    ``too_long``, ``not_json``, ``not_an_object``, ``no_summary``, ``no_lessons``,
    ``no_importance``, ``missing_pokemon``, ``unknown_pokemon``, ``repeated_pokemon``,
    ``importance_not_a_number``, ``importance_out_of_range``.
    """
    answer = _object_in(text)
    summary = _text(answer.get("summary"), "no_summary", "summary", MOST_SUMMARY_CHARACTERS)
    lessons = _lessons(answer.get("lessons"))
    importance = answer.get("importance")
    if not isinstance(importance, dict):
        raise ModelAnswerError("no_importance", '"importance" is missing or no JSON object')
    return ReflectionAnswer(
        summary,
        lessons,
        _importance(importance.get("own"), own_names, "own"),
        _importance(importance.get("opponent"), foe_names, "opponent"),
    )


def reflection_schema(own_names: Sequence[str], foe_names: Sequence[str]) -> dict[str, Any]:
    """The JSON schema of a reflection, for endpoints that keep to one."""
    number = {"type": "number", "minimum": 0, "maximum": HIGHEST_IMPORTANCE}
    return _object_schema(
        {
            "summary": {"type": "string"},
            "lessons": {"type": "array", "items": {"type": "string"}},
            "importance": _object_schema(
                {
                    "own": _object_schema(dict.fromkeys(own_names, number)),
                    "opponent": _object_schema(dict.fromkeys(foe_names, number)),
                }
            ),
        }
    )


def _object_schema(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _object_in(text: str) -> dict[str, Any]:
    if not text.strip():
        raise ModelAnswerError("empty", "the answer is empty")
    if len(text) > MOST_CHARACTERS:
        raise ModelAnswerError("too_long", f"the answer has {len(text)} characters")
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise ModelAnswerError("not_json", "the answer holds no JSON object")
    try:
        # Not strict: models write line breaks into strings as they are.
        found = json.loads(text[start : end + 1], strict=False)
    except (ValueError, RecursionError) as error:
        raise ModelAnswerError("not_json", f"the answer is not valid JSON: {error}") from error
    if not isinstance(found, dict):
        raise ModelAnswerError("not_an_object", "the answer is not a JSON object")
    return found


def _text(value: Any, reason: str, field: str, most: int) -> str:
    if not isinstance(value, str):
        raise ModelAnswerError(reason, f'"{field}" is missing or no text')
    # Half a surrogate pair can be written in JSON, but never be stored or sent again; a control
    # character would be obeyed by the terminal that shows it.
    kept = (" " if unicodedata.category(each) in ("Cc", "Cs") else each for each in value)
    clean = " ".join("".join(kept).split())
    if not clean:
        raise ModelAnswerError(reason, f'"{field}" is empty')
    if len(clean) > most:
        raise ModelAnswerError(
            "too_long", f'"{field}" has {len(clean)} characters, at most {most} are allowed'
        )
    return clean


def _lessons(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise ModelAnswerError("no_lessons", '"lessons" is missing or no list of texts')
    if len(value) > MOST_LESSONS:
        raise ModelAnswerError(
            "too_long", f'"lessons" has {len(value)} entries, at most {MOST_LESSONS} are allowed'
        )
    return tuple(
        _text(lesson, "no_lessons", f"lessons[{place}]", MOST_LESSON_CHARACTERS)
        for place, lesson in enumerate(value)
    )


def _importance(value: Any, names: Sequence[str], side: str) -> tuple[float, ...]:
    if not isinstance(value, dict):
        raise ModelAnswerError("no_importance", f'"importance" has no JSON object under "{side}"')
    given = _by_name(value, names, side)
    missing = [name for name in names if name not in given]
    if missing:
        raise ModelAnswerError(
            "missing_pokemon", f'"importance" lacks, under "{side}": {", ".join(missing)}'
        )
    return tuple(_score(given[name], name) for name in names)


def _by_name(value: Mapping[str, Any], names: Sequence[str], side: str) -> dict[str, Any]:
    """The given values by listed name: an exact name, or the only one with the same id."""
    by_id: dict[str, list[str]] = {}
    for name in names:
        by_id.setdefault(to_id(name), []).append(name)
    given: dict[str, Any] = {}
    for key, importance in value.items():
        candidates = [key] if key in names else by_id.get(to_id(key), [])
        if len(candidates) != 1:
            raise ModelAnswerError(
                "unknown_pokemon", f'"importance" names {key[:60]!r} under "{side}": not listed'
            )
        if candidates[0] in given:
            raise ModelAnswerError(
                "repeated_pokemon", f'"importance" names {candidates[0]} twice under "{side}"'
            )
        given[candidates[0]] = importance
    return given


def _score(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ModelAnswerError(
            "importance_not_a_number", f"the importance of {name} is not a number"
        )
    if not 0 <= value <= HIGHEST_IMPORTANCE:
        raise ModelAnswerError(
            "importance_out_of_range",
            f"the importance of {name} is not between 0 and {HIGHEST_IMPORTANCE}",
        )
    return float(value)
