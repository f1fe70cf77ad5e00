"""Contrasts as a user writes them: a chain ``p < lt0 < wb`` or a sum ``0.5*wa + 0.5*wb - p``.

Either may have a name before a colon: ``training: p < lt0 < wb``. Signs stand between spaces,
since names of players contain hyphens.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from porimon.errors import UserInputError
from porimon.stats.wald import trend_weights

EXAMPLE = "write 'p < lt0 < wb' for a trend, or '0.5*wa + 0.5*wb - p' for a sum"

_TERM = re.compile(r"(?:(?P<weight>\d+/\d+|\d+(?:\.\d*)?|\.\d+)\s*\*\s*)?(?P<player>.+)")


@dataclass(frozen=True, slots=True)
class Contrast:
    """A linear contrast: weights by player, which sum to 0."""

    name: str
    weights: Mapping[str, float]


def parse_contrast(text: str, players: Sequence[str]) -> Contrast:
    """A contrast from its text. Raises ``UserInputError`` that names what is wrong in it."""
    name, colon, body = text.partition(":")
    if not colon:
        name, body = text, text
    name, body = name.strip(), body.strip()
    if not name or not body:
        raise UserInputError("a contrast is empty", where=repr(text), remedy=EXAMPLE)
    if "<" in body:
        chain = [known_player(part.strip(), players, repr(text)) for part in body.split("<")]
        if len(set(chain)) != len(chain):
            raise UserInputError(
                "a chain names a player twice", where=repr(text), remedy="name each player once"
            )
        weights = dict(zip(chain, trend_weights(len(chain)).tolist(), strict=True))
    else:
        weights = _sum_of_terms(body, players, text)
    return Contrast(name, weights)


def known_player(name: str, players: Sequence[str], where: str | None = None) -> str:
    """``name`` if it is one of ``players``; else a ``UserInputError`` with the nearest one."""
    if name in players:
        return name
    raise UserInputError(
        f"there is no player {name!r}",
        where=where,
        remedy=nearest(name, players),
    )


def nearest(word: str, known: Sequence[str]) -> str:
    """A remedy for a wrong word: the nearest right one, if any is near, and all right ones."""
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    listed = f"there are: {', '.join(sorted(known))}"
    return f"did you mean {near[0]!r}? {listed}" if near else listed


def _sum_of_terms(body: str, players: Sequence[str], text: str) -> dict[str, float]:
    sign, rest = (-1.0, body[1:].strip()) if body.startswith("- ") else (1.0, body)
    parts = re.split(r"\s([+-])\s", rest)
    signs = [sign, *(1.0 if mark == "+" else -1.0 for mark in parts[1::2])]
    weights: dict[str, float] = {}
    for factor, part in zip(signs, parts[0::2], strict=True):
        match = _TERM.fullmatch(part.strip())
        if match is None:
            raise UserInputError("a term is empty", where=repr(text), remedy=EXAMPLE)
        player = known_player(match["player"].strip(), players, repr(text))
        weights[player] = weights.get(player, 0.0) + factor * _number(match["weight"], text)
    if len(weights) < 2 or not any(weights.values()):
        raise UserInputError("a contrast compares nothing", where=repr(text), remedy=EXAMPLE)
    total = math.fsum(weights.values())
    if abs(total) > 1e-9:
        raise UserInputError(
            f"the weights sum to {total:g}, not to 0",
            where=repr(text),
            remedy=f"only differences of strength exist; {EXAMPLE}",
        )
    return weights


def _number(text: str | None, where: str) -> float:
    if text is None:
        return 1.0
    above, slash, below = text.partition("/")
    if slash and float(below) == 0.0:
        raise UserInputError("a weight is divided by 0", where=repr(where), remedy=EXAMPLE)
    return float(above) / float(below) if slash else float(above)
