"""How experiences were used: how often each was retrieved, and the win rate with it and without.

The figures describe; they don't prove that an experience helped. Which battles an experience is
retrieved in depends on the teams that met, so the two win rates are of different battles. The
placebo option of a player is the control that can be believed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from porimon.memory.credit import POINTS
from porimon.memory.experience import Experience
from porimon.memory.store import IMPORTED, StoredExperience


@dataclass(frozen=True, slots=True)
class Share:
    """The results of some battles: a tie counts half a win."""

    battles: int
    points: float

    @property
    def win_rate(self) -> float | None:
        """Points per battle, ``None`` without battles."""
        return self.points / self.battles if self.battles else None


@dataclass(frozen=True, slots=True)
class ExperienceUsage:
    """What became of one experience.

    ``decisions`` were given it; ``given`` are the battles with such a decision, ``not_given`` the
    later battles without one.
    """

    stored: StoredExperience
    decisions: int
    given: Share
    not_given: Share


@dataclass(frozen=True, slots=True)
class MemoryUsage:
    """What became of a memory: battles given any experience, those given none, and each one."""

    given: Share
    not_given: Share
    experiences: tuple[ExperienceUsage, ...]


def memory_usage(entries: Sequence[StoredExperience]) -> MemoryUsage:
    """The usage of a memory's experiences, in the order that ``MemoryStore.load`` gives."""
    # Imported experiences were battles of another run: they are counted as given, not as battles.
    battles = [entry.experience for entry in entries if entry.place > IMPORTED]
    imported = len(entries) - len(battles)
    decisions: Counter[str] = Counter()
    given: dict[str, list[Experience]] = defaultdict(list)
    for battle in battles:
        for identity, count in battle.retrieved.items():
            decisions[identity] += count
            given[identity].append(battle)
    later = _later(battles)
    usages = []
    for number, entry in enumerate(entries):
        identity = entry.experience.id
        with_it = _share(given[identity])
        since = later[max(number - imported + 1, 0)]
        without = Share(since.battles - with_it.battles, since.points - with_it.points)
        usages.append(ExperienceUsage(entry, decisions[identity], with_it, without))
    return MemoryUsage(
        given=_share(each for each in battles if each.retrieved),
        not_given=_share(each for each in battles if not each.retrieved),
        experiences=tuple(usages),
    )


def _later(battles: Sequence[Experience]) -> list[Share]:
    """The results from each battle on, and of none at the end."""
    shares = [Share(0, 0.0)]
    for battle in reversed(battles):
        shares.append(Share(shares[-1].battles + 1, shares[-1].points + POINTS[battle.result]))
    return shares[::-1]


def _share(battles: Iterable[Experience]) -> Share:
    points = [POINTS[battle.result] for battle in battles]
    return Share(len(points), sum(points))
