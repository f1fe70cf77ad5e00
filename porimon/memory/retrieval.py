"""Long-Term KAG's retrieval: the experiences that resemble the current battle most (Porimon §II-C).

A ``Memory`` grows as battles finish, in any order. A ``MemorySnapshot`` is what one battle may
read: the experiences of battles up to an index. It never changes, whatever is added later, and it
is the same whenever the battles up to that index have been added.
"""

from __future__ import annotations

import hashlib
import heapq
import random
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from porimon.config.player import MemoryConfig
from porimon.memory.columns import GrowingColumns, TeamColumns, compare_current
from porimon.memory.credit import Credit
from porimon.memory.experience import Document, Experience
from porimon.memory.resemblance import Compared, Side
from porimon.memory.similarity import FloatArray, MemberTable, Similarity
from porimon.memory.store import IMPORTED, StoredExperience
from porimon.tournament.game import RetrievedExperience

RANKING_DECIMALS = 12
"""Scores that agree to so many decimals are ties: rounding errors must not decide."""

_FORGOTTEN = -1.0
"""Ranks below every score."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """An experience given to a decision.

    ``reason`` makes ``why``, which a prompt does not need: it is told when the decision is
    recorded. ``episode`` is the battle's log where the player is given raw episodes; it then stands
    in place of summary and lessons.
    """

    experience: Experience
    score: float
    reason: Callable[[], dict[str, Any]] = field(compare=False, repr=False)
    episode: str | None = None

    @property
    def why(self) -> dict[str, Any]:
        """Both teams' similarities, and for each member which one it resembles most, and how much.

        A plain JSON document.
        """
        return self.reason()

    def record(self) -> RetrievedExperience:
        """What a decision's record keeps of it."""
        return RetrievedExperience(self.experience.id, self.score, self.why)


class Memory:
    """The experiences of one player in one matchup, while battles are played."""

    def __init__(self, similarity: Similarity, config: MemoryConfig) -> None:
        self._similarity = similarity
        self._config = config
        self._table = similarity.table(config.alpha)
        self._own = GrowingColumns(self._table, config.retrieval)
        self._foe = GrowingColumns(self._table, config.retrieval)
        self._credit = Credit(config.capacity, config.forgetting)
        self._waiting: list[tuple[int, int, Experience]] = []
        self._seen: set[str] = set()
        self._places: list[int] = []
        self._ordered: list[Experience] = []
        self._positions: dict[str, int] = {}
        self._hashes = [hashlib.sha256(b"").hexdigest()]
        self._limit = IMPORTED - 1

    def __len__(self) -> int:
        return len(self._seen)

    def add(self, experience: Experience, place: int | None = None) -> None:
        """Add an experience. ``place`` is its battle's index unless it was imported.

        The same experience twice counts once. Raises ``ValueError`` if a snapshot that should
        have held the experience has been taken already: results would then depend on the order in
        which battles happen to finish.
        """
        if experience.id in self._seen:
            return
        at = experience.index if place is None else place
        if at <= self._limit:
            raise ValueError(
                f"the experience of battle {experience.battle_id} (index {at}) comes after a "
                f"snapshot up to index {self._limit}"
            )
        heapq.heappush(self._waiting, (at, len(self._seen), experience))
        self._seen.add(experience.id)

    def extend(self, stored: Iterable[StoredExperience]) -> None:
        """Add what ``MemoryStore.load`` gave."""
        for entry in stored:
            self.add(entry.experience, entry.place)

    def snapshot(self, limit: int) -> MemorySnapshot:
        """What a battle may read that is given the battles with index up to ``limit``.

        A limit below 0 holds imported experiences only. Taking snapshots with rising limits costs
        only what was added in between.
        """
        limit = max(limit, IMPORTED)
        if limit < self._limit:
            return self._earlier(limit)
        self._limit = limit
        while self._waiting and self._waiting[0][0] <= limit:
            place, _, experience = heapq.heappop(self._waiting)
            self._take_in(place, experience)
        return self._first(len(self._ordered))

    def _first(self, count: int) -> MemorySnapshot:
        return MemorySnapshot(
            config=self._config,
            similarity=self._similarity,
            table=self._table,
            own=self._own.first(count),
            foe=self._foe.first(count),
            ordered=self._ordered,
            count=count,
            hash=self._hashes[count],
            factors=1 + self._credit.lift() if self._config.usefulness and count else None,
            kept=self._credit.kept() if self._config.capacity is not None else None,
        )

    def _take_in(self, place: int, experience: Experience) -> None:
        self._own.add(experience.own_team, experience.own_importance)
        self._foe.add(experience.foe_team, experience.foe_importance)
        # Ids that are not in this memory belong to the run from which this one was imported.
        known = [self._positions[each] for each in experience.retrieved if each in self._positions]
        self._credit.add(experience.result, known)
        self._positions[experience.id] = len(self._ordered)
        self._ordered.append(experience)
        self._places.append(place)
        chained = f"{self._hashes[-1]}{experience.id}".encode()
        self._hashes.append(hashlib.sha256(chained).hexdigest())

    def _earlier(self, limit: int) -> MemorySnapshot:
        count = bisect_right(self._places, limit)
        if not self._config.usefulness and self._config.capacity is None:
            return self._first(count)
        # Credit depends on all that came since, so it is counted anew.
        before = Memory(self._similarity, self._config)
        for place, experience in zip(self._places[:count], self._ordered, strict=False):
            before.add(experience, place)
        return before.snapshot(limit)


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """An unchanging part of a memory: its first ``count`` experiences, in battle order.

    ``hash`` tells the contents (ids and order); battles record it.
    """

    config: MemoryConfig
    similarity: Similarity
    table: MemberTable
    own: TeamColumns
    foe: TeamColumns
    ordered: Sequence[Experience]
    count: int
    hash: str
    factors: FloatArray | None = None
    kept: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return self.count

    @property
    def experiences(self) -> tuple[Experience, ...]:
        """The experiences, oldest battle first, forgotten ones included."""
        return tuple(self.ordered[: self.count])

    def scores(self, own_team: Sequence[Document], foe_team: Sequence[Document]) -> FloatArray:
        """Every experience's score against the current teams: (experiences,).

        λ · S(opponent's team) + (1 − λ) · S(own team), Porimon §II-C; times 1 + lift where the
        player's memory learns usefulness.
        """
        return self._compare(own_team, foe_team).scores

    def retrieve(
        self,
        own_team: Sequence[Document],
        foe_team: Sequence[Document],
        *,
        occasion: str = "",
    ) -> tuple[Retrieved, ...]:
        """The best experiences for the current teams, best first; ties: the newer first.

        Nothing comes back before ``config.minimum`` experiences are stored. Of the opponent's team
        give the revealed Pokémon only. ``occasion`` names the battle and decision (``m1-7/12``);
        only the placebo depends on it.
        """
        if self.count < max(self.config.minimum, 1):
            return ()
        compared = self._compare(own_team, foe_team)
        chosen = self._best(compared.scores)
        instead_of: list[int] | None = None
        if self.config.placebo:
            chosen, instead_of = self._exchanged(chosen, compared.scores, occasion), chosen
        return tuple(self._retrieved(position, compared, instead_of) for position in chosen)

    def _compare(self, own_team: Sequence[Document], foe_team: Sequence[Document]) -> Compared:
        both = compare_current(self.table, [*own_team, *foe_team])
        own, foe = both[: len(own_team)], both[len(own_team) :]
        own_similarity, foe_similarity = self.own.similarity(own), self.foe.similarity(foe)
        weight = self.config.opponent_weight
        scores = weight * foe_similarity + (1 - weight) * own_similarity
        if self.factors is not None:
            scores *= self.factors
        return Compared(
            Side(self.own, own_team, own, own_similarity),
            Side(self.foe, foe_team, foe, foe_similarity),
            scores,
        )

    def _ranks(self, scores: FloatArray) -> FloatArray:
        ranks: FloatArray = scores.round(RANKING_DECIMALS)
        if self.kept is not None:
            ranks[~self.kept] = _FORGOTTEN
        return ranks

    def _best(self, scores: FloatArray) -> list[int]:
        """Positions of the best experiences, best first; among ties the newer first."""
        ranks = self._ranks(scores)
        top = min(self.config.top, self.count)
        least = max(np.partition(ranks, self.count - top)[self.count - top], 0.0)
        candidates = np.flatnonzero(ranks >= least)
        order = np.lexsort((-candidates, -ranks[candidates]))
        return [int(position) for position in candidates[order[:top]]]

    def _exchanged(self, chosen: list[int], scores: FloatArray, occasion: str) -> list[int]:
        """As many other experiences, drawn by a seed made of the memory and the occasion.

        Where there are too few others, all of them.
        """
        left_out = set(chosen)
        kept = range(self.count) if self.kept is None else np.flatnonzero(self.kept).tolist()
        others = [position for position in kept if position not in left_out]
        seed = hashlib.sha256(f"placebo {self.hash} {occasion}".encode()).digest()
        drawn = random.Random(seed).sample(others, min(len(chosen), len(others)))
        return sorted(drawn, key=lambda position: (-scores[position], -position))

    def _retrieved(
        self, position: int, compared: Compared, instead_of: list[int] | None
    ) -> Retrieved:
        experience = self.ordered[position]
        return Retrieved(
            experience,
            float(compared.scores[position]),
            partial(self._why, position, compared, instead_of),
            experience.log if self.config.raw_episodes else None,
        )

    def _why(
        self, position: int, compared: Compared, instead_of: list[int] | None
    ) -> dict[str, Any]:
        experience = self.ordered[position]
        why = {
            **compared.resemblance(position, experience, self.similarity.label),
            "opponent_weight": self.config.opponent_weight,
        }
        if self.factors is not None:
            why["usefulness_factor"] = float(self.factors[position])
        if instead_of is not None:
            why["placebo_instead_of"] = [self.ordered[other].id for other in instead_of]
        return why
