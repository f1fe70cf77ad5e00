"""From the words with which a model names an option to the legal order that it means.

Tried in this order: the number of an option, the exact name (case, accents and punctuation aside),
a nickname of the game, a name inside a longer phrase, a misspelling. Each step must give exactly
one legal order; two are ambiguous and refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from porimon.errors import ModelAnswerError
from porimon.showdown.answers.lexicon import EMPTY_LEXICON, Lexicon
from porimon.showdown.answers.misspelling import allowed_errors, distance
from porimon.showdown.dex.identifier import to_id
from porimon.showdown.view.model import LegalOrder

OrderKind = Literal["move", "switch"]

LONGEST_NAME = 200
"""Longer names are no names: they are refused before any costly comparison."""

_LEAD = re.compile(
    r"^\s*(?:(?:i\s+)?(?:choose|select|pick|use|do|play)\s+)?"
    r"(?:(?:the\s+)?(?:option|number|order|answer|no\.?)\s*)?[#(\[]?\s*(\d{1,2})\s*[)\].:,\-–—|]*\s*",
    re.IGNORECASE,
)
_SWITCHING = re.compile(
    r"^\s*(?:i\s+)?(?:switch(?:\s+(?:in|out|over))?(?:\s*(?:to|into|:))?|send\s+(?:out|in)|"
    r"bring\s+in|change\s+to|go\s+to)\s+",
    re.IGNORECASE,
)
_USING = re.compile(r"^\s*(?:i\s+)?(?:use|using|move\s*:?|attack\s+with|click)\s+", re.IGNORECASE)
_NEGATION = re.compile(r"\b(?:not|never|don'?t|won'?t|avoid|instead\s+of|rather\s+than)\b", re.I)


def resolve(
    text: str,
    legal: Sequence[LegalOrder],
    hint: OrderKind | None = None,
    lexicon: Lexicon = EMPTY_LEXICON,
) -> LegalOrder:
    """The one legal order that ``text`` names.

    ``hint`` is the kind that the answer claims. A name that fits only an order of the other kind
    is taken (``{"move": "Pikachu"}`` can mean only one thing), a bare number is not.

    Raises ``ModelAnswerError`` with the reason ``empty_name``, ``illegal_order`` or ``ambiguous``.
    """
    if not text.strip():
        raise ModelAnswerError("empty_name", "the name of the option is empty")
    if len(text) > LONGEST_NAME:
        raise ModelAnswerError("illegal_order", "the name of the option is far too long")
    numbered = _LEAD.match(text)
    if numbered and not to_id(text[numbered.end() :]):
        return _by_number(int(numbered[1]), legal, hint)
    claimed = hint
    words = text
    if numbered and not _named(to_id(text), legal):
        words = text[numbered.end() :]
    for pattern, kind in ((_SWITCHING, "switch"), (_USING, "move")):
        if (lead := pattern.match(words)) and not _named(to_id(words), legal):
            words = words[lead.end() :]
            claimed = claimed or ("switch" if kind == "switch" else "move")
    found = _by_name(words, legal, claimed, lexicon)
    if numbered and words != text:
        # Number and name are both given: they must mean the same order.
        other = _by_number(int(numbered[1]), legal, hint)
        if other != found:
            raise ModelAnswerError(
                "ambiguous", f"option {numbered[1]} is {other.label!r}, not {found.label!r}"
            )
    return found


def _by_number(number: int, legal: Sequence[LegalOrder], hint: OrderKind | None) -> LegalOrder:
    if not 1 <= number <= len(legal):
        raise ModelAnswerError("illegal_order", f"there is no option {number}")
    order = legal[number - 1]
    if hint is not None and order.kind != hint:
        raise ModelAnswerError(
            "ambiguous", f"option {number} is a {order.kind}, but the answer says {hint}"
        )
    return order


def _by_name(
    text: str, legal: Sequence[LegalOrder], hint: OrderKind | None, lexicon: Lexicon
) -> LegalOrder:
    word = to_id(text)
    found = _named(word, legal)
    if not found and word in lexicon.aliases:
        found = _named(lexicon.aliases[word], legal)
    if not found and word not in lexicon.names:
        found = mentioned(text, legal)
        if found and _NEGATION.search(text):
            raise ModelAnswerError("ambiguous", "the answer says what not to do")
    if not found and word not in lexicon.names and word not in lexicon.aliases:
        found = _misspelt(word, legal, hint)
    if not found:
        raise ModelAnswerError("illegal_order", f"{text.strip()[:80]!r} is not one of the options")
    return _only(found, hint)


def _only(found: Sequence[LegalOrder], hint: OrderKind | None) -> LegalOrder:
    claimed = [order for order in found if order.kind == hint] or list(found)
    if len(claimed) > 1:
        names = ", ".join(repr(order.label) for order in claimed)
        raise ModelAnswerError("ambiguous", f"the answer may mean several options: {names}")
    return claimed[0]


def _named(word: str, legal: Sequence[LegalOrder]) -> list[LegalOrder]:
    """The orders whose label, or failing that whose target, is the word."""
    labelled = [order for order in legal if to_id(order.label) == word]
    return labelled or [order for order in legal if to_id(order.target) == word]


def mentioned(text: str, legal: Sequence[LegalOrder]) -> list[LegalOrder]:
    """The orders whose labels occur in a text as whole words, longer labels first.

    What a longer label has covered no shorter one can claim: "Thunder Wave" is not "Thunder".
    """
    words = [to_id(word) for word in re.findall(r"[^\W_]+", text)]
    free = [True] * len(words)
    found = []
    for order in sorted(legal, key=lambda one: -len(to_id(one.label))):
        wanted = [to_id(word) for word in re.findall(r"[^\W_]+", order.label)]
        span = len(wanted)
        starts = [
            start
            for start in range(len(words) - span + 1)
            if words[start : start + span] == wanted and all(free[start : start + span])
        ]
        for start in starts:
            free[start : start + span] = [False] * span
        if starts:
            found.append(order)
    return found


def _misspelt(word: str, legal: Sequence[LegalOrder], hint: OrderKind | None) -> list[LegalOrder]:
    """All legal orders near the word; those of the claimed kind first, then all."""
    limit = allowed_errors(word)
    if limit == 0:
        return []
    near = [order for order in legal if distance(word, to_id(order.label), limit) <= limit]
    return [order for order in near if order.kind == hint] or near
