"""What the statistics start from: battle rows, and the counts per matchup made of them.

``BattleRow`` is one finished battle, whatever game it was. ``Comparisons`` holds the same battles
as arrays, in a canonical order: names sorted, the alphabetically first player of a matchup as
``a``. Nothing that is computed from it can depend on the order of rows or on who was named first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from porimon.errors import UserInputError

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BattleRow:
    """One finished battle, as the statistics need it.

    ``winner`` is ``None`` for a tie. ``pair`` numbers the pair of battles inside ``matchup_id``
    that shared one seed with sides swapped; ``None`` for a battle of its own. Rows of one matchup
    come in the order in which the battles were planned where ``index`` is given. ``fallbacks`` and
    ``decisions`` count per seat; ``None`` where they are not known. With ``forfeit`` the loser gave
    up or was disconnected. ``stopped_early`` marks every row of a matchup that a sequential rule
    ended before its planned number of battles.
    """

    matchup_id: str
    stage: str
    player_a: str
    player_b: str
    winner: Literal["a", "b"] | None
    pair: int | None = None
    index: int | None = None
    fallbacks_a: int | None = None
    fallbacks_b: int | None = None
    decisions_a: int | None = None
    decisions_b: int | None = None
    forfeit: bool = False
    stopped_early: bool = False


@dataclass(frozen=True, slots=True)
class MatchupCounts:
    """The results of one matchup as counts. Raises ``UserInputError`` for impossible counts."""

    player_a: str
    player_b: str
    wins_a: int
    wins_b: int
    ties: int = 0

    def __post_init__(self) -> None:
        for value, label in (
            (self.wins_a, "wins_a"),
            (self.wins_b, "wins_b"),
            (self.ties, "ties"),
        ):
            if value != value or value in (float("inf"), float("-inf")) or value != int(value):
                raise UserInputError(
                    f"{label} is {value!r}",
                    where=f"{self.player_a} against {self.player_b}",
                    remedy="counts are whole numbers; a tie counts one in ties",
                )
            if value < 0:
                raise UserInputError(
                    f"{label} is negative ({value})",
                    where=f"{self.player_a} against {self.player_b}",
                    remedy="counts are 0 or more",
                )
        if self.player_a == self.player_b:
            raise UserInputError(
                f"{self.player_a!r} plays against itself",
                where=f"{self.player_a} against {self.player_b}",
                remedy="a matchup has two different players",
            )


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Pairs of battles that share a seed (or battles of their own), each of shape ``(g,)``.

    Attributes
    ----------
    matchup:
        Position of the pair's matchup in ``Comparisons``.
    battles:
        How many battles the pair has.
    score, squares:
        Sum of the points of the matchup's ``a`` in them (win 1, tie ½), and of their squares.
    """

    matchup: IntArray
    battles: FloatArray
    score: FloatArray
    squares: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Battles between ``k`` players in ``m`` matchups, as arrays in canonical order.

    Attributes
    ----------
    players:
        The ``k`` names, sorted.
    a, b:
        Shape ``(m,)``: indices into ``players`` with ``a < b``; matchups are sorted and unique.
    wins_a, wins_b, ties:
        Shape ``(m,)``: battle counts.
    clusters:
        The pairs of battles; ``None`` where nothing but counts is known.
    """

    players: tuple[str, ...]
    a: IntArray
    b: IntArray
    wins_a: IntArray
    wins_b: IntArray
    ties: IntArray
    clusters: Clusters | None = None

    @property
    def battles(self) -> FloatArray:
        """Shape ``(m,)``: battles per matchup."""
        return (self.wins_a + self.wins_b + self.ties).astype(np.float64)

    @property
    def score_a(self) -> FloatArray:
        """Shape ``(m,)``: points of ``a``, a tie being half a point."""
        return self.wins_a + self.ties / 2.0

    @property
    def paired(self) -> bool:
        """Whether at least one pair of battles shares its teams and dice."""
        return self.clusters is not None and bool((self.clusters.battles > 1).any())

    def index(self, player: str) -> int:
        """Position of a player in ``players``; ``ValueError`` if it is not there."""
        return self.players.index(player)

    def design(self) -> FloatArray:
        """The ``(m, k)`` matrix with +1 at a matchup's ``a`` and −1 at its ``b``."""
        matrix = np.zeros((len(self.a), len(self.players)))
        rows = np.arange(len(self.a))
        matrix[rows, self.a] = 1.0
        matrix[rows, self.b] = -1.0
        return matrix

    def restrict(self, members: Sequence[int]) -> Comparisons:
        """Only the battles among ``members`` (positions in ``players``)."""
        chosen = np.array(sorted(members), dtype=np.int64)
        keep = np.isin(self.a, chosen) & np.isin(self.b, chosen)
        position = np.full(len(self.players), -1, dtype=np.int64)
        position[chosen] = np.arange(len(chosen))
        clusters = self.clusters
        if clusters is not None:
            kept = keep[clusters.matchup]
            clusters = Clusters(
                matchup=(np.cumsum(keep) - 1)[clusters.matchup[kept]],
                battles=clusters.battles[kept],
                score=clusters.score[kept],
                squares=clusters.squares[kept],
            )
        return Comparisons(
            players=tuple(self.players[i] for i in chosen),
            a=position[self.a[keep]],
            b=position[self.b[keep]],
            wins_a=self.wins_a[keep],
            wins_b=self.wins_b[keep],
            ties=self.ties[keep],
            clusters=clusters,
        )


def from_counts(counts: Iterable[MatchupCounts]) -> Comparisons:
    """Comparisons from counts; several entries for the same two players are added up."""
    rows = [row for row in counts if row.wins_a + row.wins_b + row.ties > 0]
    players = tuple(sorted({name for row in rows for name in (row.player_a, row.player_b)}))
    position = {name: i for i, name in enumerate(players)}
    totals: dict[tuple[int, int], list[int]] = {}
    for row in rows:
        i, j = position[row.player_a], position[row.player_b]
        wins = (row.wins_a, row.wins_b) if i < j else (row.wins_b, row.wins_a)
        entry = totals.setdefault((min(i, j), max(i, j)), [0, 0, 0])
        entry[0] += int(wins[0])
        entry[1] += int(wins[1])
        entry[2] += int(row.ties)
    return _comparisons(players, totals)


def from_battles(rows: Iterable[BattleRow]) -> Comparisons:
    """Comparisons from battle rows, with their pairs as clusters.

    Battles of a player against itself say nothing about a difference and are left out.
    """
    rows = [row for row in rows if row.player_a != row.player_b]
    players = tuple(sorted({name for row in rows for name in (row.player_a, row.player_b)}))
    position = {name: i for i, name in enumerate(players)}
    totals: dict[tuple[int, int], list[int]] = {}
    clusters: dict[tuple[int, int, str, int], list[float]] = {}
    for number, row in enumerate(rows):
        i, j = position[row.player_a], position[row.player_b]
        key = (i, j) if i < j else (j, i)
        entry = totals.setdefault(key, [0, 0, 0])
        if row.winner is None:
            entry[2] += 1
            points = 0.5
        elif (row.winner == "a") == (i < j):
            entry[0] += 1
            points = 1.0
        else:
            entry[1] += 1
            points = 0.0
        # A battle of its own gets a number below 0, which no pair has.
        pair = row.pair if row.pair is not None else -1 - number
        cluster = clusters.setdefault((*key, row.matchup_id, pair), [0.0, 0.0, 0.0])
        cluster[0] += 1.0
        cluster[1] += points
        cluster[2] += points * points
    number_of = {key: number for number, key in enumerate(sorted(totals))}
    sums = np.array(
        sorted((number_of[key[:2]], *entry) for key, entry in clusters.items()), dtype=np.float64
    ).reshape(-1, 4)
    return _comparisons(
        players,
        totals,
        Clusters(sums[:, 0].astype(np.int64), sums[:, 1], sums[:, 2], sums[:, 3]),
    )


def _comparisons(
    players: tuple[str, ...],
    totals: Mapping[tuple[int, int], Sequence[int]],
    clusters: Clusters | None = None,
) -> Comparisons:
    table = np.array([(*key, *totals[key]) for key in sorted(totals)], dtype=np.int64)
    a, b, wins_a, wins_b, ties = table.reshape(-1, 5).T
    return Comparisons(players, a, b, wins_a, wins_b, ties, clusters)
