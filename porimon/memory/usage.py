"""How experiences were used: how often each was retrieved, and the win rate with it and without.

The figures describe; they don't prove that an experience helped. Which battles an experience is
retrieved in depends on the teams that met, so the two win rates are of different battles. The
placebo option of a player is the control that can be believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from porimon.memory.credit import POINTS
from porimon.memory.experience import Experience
from porimon.memory.store import StoredExperience


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
    """The usage of a memory's experiences, in the memory's order."""
    # Imported experiences were battles of another run: they are counted as given, not as battles.
    battles = [entry for entry in entries if entry.place >= 0]
    return MemoryUsage(
        given=_share(each.experience for each in battles if each.experience.retrieved),
        not_given=_share(each.experience for each in battles if not each.experience.retrieved),
        experiences=tuple(_usage(entry, battles) for entry in entries),
    )


def _usage(entry: StoredExperience, battles: Iterable[StoredExperience]) -> ExperienceUsage:
    identity = entry.experience.id
    later = [each.experience for each in battles if each.place > entry.place]
    given = [each for each in later if identity in each.retrieved]
    return ExperienceUsage(
        stored=entry,
        decisions=sum(each.retrieved[identity] for each in given),
        given=_share(given),
        not_given=_share(each for each in later if identity not in each.retrieved),
    )


def _share(battles: Iterable[Experience]) -> Share:
    points = [POINTS[battle.result] for battle in battles]
    return Share(len(points), sum(points))
