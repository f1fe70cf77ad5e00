"""Find the JSON objects in what a model sent, whatever stands around them."""

from __future__ import annotations

import json
import re
from typing import Any

LONGEST_ANSWER = 20_000
"""Only so many characters from the start and from the end of an answer are read."""
MOST_OBJECTS = 32
"""At most so many opening braces are tried."""

MOST_BRACES = 2
"""Broken JSON with more opening braces is too tangled to guess at."""

_DECODER = json.JSONDecoder()
_PAIR = re.compile(
    r"""["'“”]?\b(move|switch|order|option|choice|action)\b["'“”]?\s*:\s*"""
    r"""(?:["'“]([^"'“”\n{}]{1,200})["'”]|([^"'“”\n{},\s][^"'“”\n{},]{0,200}?)(?=\s*[,}]))""",
    re.IGNORECASE,
)


def shortened(text: str) -> str:
    """The text, without the middle of one that is far too long."""
    if len(text) <= 2 * LONGEST_ANSWER:
        return text
    return text[:LONGEST_ANSWER] + "\n…\n" + text[-LONGEST_ANSWER:]


def find_objects(text: str) -> list[dict[str, Any]]:
    """Every complete JSON object at the outermost level of the text, in order.

    An answer that is broken or nested too deeply gives fewer objects, never an exception.
    """
    found: list[dict[str, Any]] = []
    position = text.find("{")
    for _ in range(MOST_OBJECTS):
        if position < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            end = position + 1
        else:
            found.append(value)
        position = text.find("{", end)
    return found


NO_JSON = object()
"""What ``find_value`` gives for a text that is no JSON; ``None`` stands for ``null``."""


def find_value(text: str) -> Any:
    """The JSON value that the whole text is, else ``NO_JSON``."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return NO_JSON


def find_pairs(text: str) -> list[tuple[str, str]]:
    """Keys and values of what is nearly JSON: other quotes or none, a comma too many."""
    if text.count("{") > MOST_BRACES:
        return []
    return [(key.lower(), quoted or bare) for key, quoted, bare in _PAIR.findall(text)]
