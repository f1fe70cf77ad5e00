"""Distinct sets of names, numbered, and their Jaccard index with other sets (Porimon §II-C)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from porimon.memory.columns import enlarged
from porimon.memory.similarity import FloatArray


class NameSets:
    """The distinct sets seen so far, numbered from 0. A set holds at most 127 names.

    Every name met has a row of bytes, 1 where a set holds it: (names, room).
    """

    def __init__(self) -> None:
        self._numbers: dict[frozenset[str], int] = {}
        self._rows: dict[str, int] = {}
        self._holds = np.zeros((16, 64), dtype=np.uint8)
        self._sizes = np.zeros((1, 64), dtype=np.uint8)

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, names: frozenset[str]) -> int:
        """The set's number; a new one gets the next."""
        known = self._numbers.get(names)
        if known is not None:
            return known
        number = self._numbers[names] = len(self._numbers)
        for name in sorted(names):
            self._rows.setdefault(name, len(self._rows))
        rows, room = self._holds.shape
        if number == room or len(self._rows) > rows:
            wider = room * 2 if number == room else room
            more = rows * 2 if len(self._rows) > rows else rows
            self._holds = enlarged(self._holds, (max(more, len(self._rows)), wider))
            self._sizes = enlarged(self._sizes, (1, wider))
        for name in names:
            self._holds[self._rows[name], number] = 1
        self._sizes[0, number] = len(names)
        return number

    def jaccard(self, sets: Sequence[frozenset[str]]) -> FloatArray:
        """Each of ``sets`` with every set seen: (len(sets), len(self)). Two empty sets are alike.

        A set has few names, so their rows are added up; a name that was never met is in no
        intersection.
        """
        count = len(self)
        common = np.zeros((len(sets), count), dtype=np.uint8)
        for line, names in zip(common, sets, strict=True):
            for name in names:
                row = self._rows.get(name)
                if row is not None:
                    np.add(line, self._holds[row, :count], out=line)
        union = np.array([[len(each)] for each in sets], dtype=np.uint8).reshape(-1, 1)
        union = union + self._sizes[:, :count] - common
        empty = union == 0
        if not empty.any():
            ratio: FloatArray = np.divide(common, union, dtype=np.float64)
            return ratio
        return np.where(empty, 1.0, np.divide(common, np.where(empty, 1, union), dtype=np.float64))
