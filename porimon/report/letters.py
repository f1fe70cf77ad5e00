"""Compact letter display: players that share a letter cannot be told apart by the tests.

The insert-and-absorb algorithm of Piepho (2004), "An Algorithm for a Letter-Based Representation
of All-Pairwise Comparisons", J. Comput. Graph. Stat. 13(2).
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence

from porimon.stats.results import PairwiseResult

LEVEL = 0.05


def different_pairs(
    pairwise: Iterable[PairwiseResult], level: float = LEVEL
) -> set[frozenset[str]]:
    """The pairs whose difference of strength is significant after Holm's correction.

    A difference that does not exist (no p-value) is no difference that was shown.
    """
    return {
        frozenset((result.a, result.b))
        for result in pairwise
        if result.p_holm is not None and result.p_holm < level
    }


def compact_letters(order: Sequence[str], different: Iterable[frozenset[str]]) -> dict[str, str]:
    """The letters of each player.

    Two players share at least one letter exactly if their pair is not in ``different``. ``order``
    is best first; the first letters go to the best. Pairs with other names are passed over.
    """
    position = {name: place for place, name in enumerate(order)}
    different = [pair for pair in different if pair <= position.keys()]
    groups: list[frozenset[str]] = [frozenset(order)] if order else []
    for pair in sorted(different, key=lambda pair: sorted(position[name] for name in pair)):
        split: list[frozenset[str]] = []
        for group in groups:
            split += [group - {name} for name in pair] if pair <= group else [group]
        groups = _absorbed(split)
    groups.sort(key=lambda group: sorted(position[name] for name in group))
    letters = dict.fromkeys(order, "")
    for number, group in enumerate(groups):
        for name in group:
            letters[name] += _letter(number)
    return letters


def _absorbed(groups: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """The groups that are not part of another one."""
    kept: list[frozenset[str]] = []
    for group in sorted(set(groups), key=len, reverse=True):
        if not any(group <= other for other in kept):
            kept.append(group)
    return kept


def _letter(number: int) -> str:
    """a … z, A … Z, then numbers in brackets, which no real tournament reaches."""
    return string.ascii_letters[number] if number < 52 else f"[{number}]"
