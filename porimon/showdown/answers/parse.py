"""Read a model's answer: text in, a legal order or a typed reason why not out. Never anything else.

What models really send is taken: code fences, prose around the JSON, other keys for the same
thing, numbers of options, nicknames, one misspelling. What may mean two orders is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from porimon.errors import ModelAnswerError
from porimon.showdown.answers.lexicon import EMPTY_LEXICON, Lexicon
from porimon.showdown.answers.naming import OrderKind, mentioned, resolve
from porimon.showdown.answers.objects import (
    NO_JSON,
    find_objects,
    find_pairs,
    find_value,
    shortened,
)
from porimon.showdown.view.model import LegalOrder

KINDS: dict[str, OrderKind | None] = {
    "move": "move",
    "attack": "move",
    "switch": "switch",
    "order": None,
    "option": None,
    "choice": None,
    "action": None,
    "answer": None,
    "decision": None,
    "number": None,
}
"""Keys under which an answer may name its order, and the kind that the key claims."""
MOST_PROPOSALS = 3
SHORT_PROSE = 160
"""Plain text up to this length may name its order anywhere; longer text needs a line for it."""

_LINE = re.compile(
    r"^\W*(move|attack|switch(?:\s+to)?|order|option|choice|action|(?:final\s+)?answer|decision)"
    r"\W*[:=]\W*(\S.{0,200}?)\W*$",
    re.IGNORECASE,
)
_FILLERS = frozenset({"", "none", "null", "n/a", "-"})


def parse_order(
    text: str, legal: Sequence[LegalOrder], lexicon: Lexicon = EMPTY_LEXICON
) -> LegalOrder:
    """The legal order that an answer names.

    Raises
    ------
    ModelAnswerError
        With the reason ``empty`` (nothing was sent), ``not_json`` (nothing in it names an order),
        ``no_order`` (an object without a known key), ``empty_name``, ``wrong_type``,
        ``illegal_order`` or ``ambiguous``.
    """
    answer = shortened(text).strip()
    if not answer:
        raise ModelAnswerError("empty", "the answer is empty")
    objects = find_objects(answer)
    if objects:
        return _agreed([_from_object(one, legal, lexicon) for one in objects])
    value = find_value(answer)
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        return _from_value(value, None, legal, lexicon)
    if value is not NO_JSON:
        raise ModelAnswerError("not_json", "the answer is JSON, but not an object")
    if pairs := find_pairs(answer):
        return _agreed([resolve(name, legal, KINDS.get(key), lexicon) for key, name in pairs])
    if "{" in answer:
        raise ModelAnswerError("not_json", "the JSON object of the answer is not complete")
    return _from_prose(answer, legal, lexicon)


def parse_proposals(
    text: str, legal: Sequence[LegalOrder], lexicon: Lexicon = EMPTY_LEXICON
) -> tuple[LegalOrder, ...]:
    """Up to three different orders that a ``tot`` answer proposes, best first.

    Proposals that cannot be used are left out; if none is left, the first one's reason is raised.
    """
    answer = shortened(text).strip()
    if not answer:
        raise ModelAnswerError("empty", "the answer is empty")
    entries: list[Any] = []
    for one in find_objects(answer):
        listed = next((value for value in one.values() if isinstance(value, list)), None)
        entries += listed if listed is not None else [one]
    if not entries:
        lines = (_LINE.match(line) for line in answer.splitlines())
        entries = [match[2].split("|")[0] for match in lines if match]
    if not entries:
        raise ModelAnswerError("not_json", "the answer proposes no option in the required format")
    proposed: list[LegalOrder] = []
    problem: ModelAnswerError | None = None
    for entry in entries:
        try:
            order = (
                _from_object(entry, legal, lexicon)
                if isinstance(entry, dict)
                else _from_value(entry, None, legal, lexicon)
            )
        except ModelAnswerError as error:
            problem = problem or error
            continue
        if order not in proposed:
            proposed.append(order)
    if not proposed:
        raise problem or ModelAnswerError("no_order", "the answer proposes no option")
    return tuple(proposed[:MOST_PROPOSALS])


def _from_object(
    found: dict[str, Any], legal: Sequence[LegalOrder], lexicon: Lexicon
) -> LegalOrder:
    named = [
        (KINDS[key.strip().lower()], value)
        for key, value in found.items()
        if key.strip().lower() in KINDS and not _is_filler(value)
    ]
    if not named:
        raise ModelAnswerError(
            "no_order", 'the object has no "move" or "switch" that names an option'
        )
    # {"action": "switch", "order": "Pikachu"}: the bare word says the kind, not the name.
    words = [value for _, value in named if isinstance(value, str)]
    if len(named) > 1 and (kind := next((w for w in words if w.strip().lower() in KINDS), None)):
        named = [(KINDS[kind.strip().lower()], value) for _, value in named if value != kind]
    return _agreed([_from_value(value, kind, legal, lexicon) for kind, value in named])


def _is_filler(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip().lower() in _FILLERS)


def _from_value(
    value: Any, hint: OrderKind | None, legal: Sequence[LegalOrder], lexicon: Lexicon
) -> LegalOrder:
    if isinstance(value, dict):
        inner = {key: one for key, one in value.items() if not isinstance(one, dict)}
        if "name" in inner:
            return _from_value(inner["name"], hint, legal, lexicon)
        return _from_object(inner, legal, lexicon)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ModelAnswerError("wrong_type", "the option must be given by its name")
    return resolve(str(value), legal, hint, lexicon)


def _from_prose(answer: str, legal: Sequence[LegalOrder], lexicon: Lexicon) -> LegalOrder:
    lines = [line for line in answer.splitlines() if line.strip()]
    marked = [match for line in lines if (match := _LINE.match(line))]
    if marked:
        last = marked[-1]
        return resolve(last[2], legal, KINDS.get(last[1].split()[0].lower()), lexicon)
    if len(answer) <= SHORT_PROSE:
        if len(lines) == 1:
            return resolve(answer, legal, None, lexicon)
        if len(found := mentioned(answer, legal)) > 1:
            names = ", ".join(repr(order.label) for order in found)
            raise ModelAnswerError("ambiguous", f"the answer mentions several options: {names}")
    raise ModelAnswerError("not_json", "the answer is not in the required format")


def _agreed(orders: Sequence[LegalOrder]) -> LegalOrder:
    """The one order that all parts of an answer name."""
    different = list(dict.fromkeys(orders))
    if len(different) > 1:
        names = ", ".join(repr(order.label) for order in different)
        raise ModelAnswerError("ambiguous", f"the answer names several options: {names}")
    return different[0]
