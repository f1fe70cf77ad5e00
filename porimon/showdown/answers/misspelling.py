"""How far two words are apart: for misspelt names with exactly one near legal order."""

from __future__ import annotations


def allowed_errors(word: str) -> int:
    """How many errors a word of this length may hold and still be recognised.

    None below 4 letters (``surf``/``turf`` are as near as two words get), one up to 7, then two.
    """
    if len(word) < 4:
        return 0
    return 1 if len(word) < 8 else 2


def distance(first: str, second: str, limit: int) -> int:
    """Insertions, deletions, exchanges and swaps of neighbours that part two words.

    The optimal string alignment distance; any value above ``limit`` means "more than ``limit``".
    """
    if abs(len(first) - len(second)) > limit:
        return limit + 1
    before: list[int] = []
    previous = list(range(len(second) + 1))
    for row, letter in enumerate(first, start=1):
        current = [row]
        for column, other in enumerate(second, start=1):
            cost = min(
                previous[column] + 1,
                current[column - 1] + 1,
                previous[column - 1] + (letter != other),
            )
            swapped = row > 1 and column > 1 and letter == second[column - 2]
            if swapped and first[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return limit + 1
        before, previous = previous, current
    return previous[-1]
