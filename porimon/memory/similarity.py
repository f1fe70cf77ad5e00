"""What a game must say about the members of its teams so that experiences can be compared.

``porimon.showdown.similarity`` implements it for Pokémon. Similarities are numbers from 0 (as
different as can be) to 1 (alike), and symmetric.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from porimon.memory.experience import Document

FloatArray = NDArray[np.float64]


class MemberTable(Protocol):
    """The distinct members seen so far, numbered from 0 in the order in which they came.

    Members that the similarity cannot tell apart share a number, so each is compared only once.
    """

    def __len__(self) -> int: ...

    def number(self, member: Document) -> int:
        """The member's number; a member that is new gets the next one."""
        ...

    def compare(self, members: Sequence[Document]) -> FloatArray:
        """Similarities of ``members`` to every member of the table: (len(members), len(self))."""
        ...


class Similarity(Protocol):
    """How alike two members of teams are.

    ``alpha`` (α, 0 to 1) weighs what can be counted against what can only be named.
    """

    def pair(self, one: Document, other: Document, alpha: float) -> float:
        """The similarity of two members, computed plainly."""
        ...

    def table(self, alpha: float) -> MemberTable:
        """An empty table for many comparisons with one α."""
        ...

    def label(self, member: Document) -> str:
        """The member's name, for people."""
        ...
