"""The messages between the coordinator and its workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from porimon.config.player import MemoryConfig
from porimon.llm.model import Completion, CompletionRequest
from porimon.memory.experience import Experience
from porimon.tournament.crew.wire import Failure
from porimon.tournament.game import BattleOutcome, BattleSpec, Game, Seat


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker is started with: where the coordinator is, and how to make its game."""

    number: int
    host: str
    port: int
    secret: bytes
    make_game: Callable[[], Game]


@dataclass(frozen=True, slots=True)
class Hello:
    """The worker's first message: its game is up. ``failure`` says why it is not."""

    number: int
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class MemoryNews:
    """What a seat's memory of a matchup holds beyond the ``known`` experiences sent before.

    The battle may read the first ``count``.
    """

    config: MemoryConfig
    known: int
    news: tuple[Experience, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Play:
    """Play a battle. ``number`` names it in the messages that follow."""

    number: int
    spec: BattleSpec
    asking: tuple[Seat, ...]
    memories: dict[Seat, MemoryNews]


@dataclass(frozen=True, slots=True)
class Cancel:
    """Give a battle up: nobody waits for it any more."""

    number: int


@dataclass(frozen=True, slots=True)
class Ask:
    """A battle's player asks its model; the coordinator does, and keeps the journal."""

    number: int
    call: int
    seat: Seat
    request: CompletionRequest


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to an ``Ask``, or why there is none."""

    call: int
    answer: Completion | Failure


@dataclass(frozen=True, slots=True)
class Finished:
    """A battle's outcome, or why there is none."""

    number: int
    outcome: BattleOutcome | Failure
