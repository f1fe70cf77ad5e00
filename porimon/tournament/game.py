"""What a game is to a tournament: something that plays one specified battle between two players.

The tournament knows nothing of the game's rules. ``porimon.showdown.game`` implements ``Game``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from porimon.config.player import PlayerConfig
from porimon.llm.model import Completion, CompletionRequest
from porimon.memory.similarity import Similarity

Seat = Literal["a", "b"]
"""The two players of a matchup, whichever side they play in a battle."""

EndReason = Literal["normal", "forfeit", "tie", "turn_limit"]


@dataclass(frozen=True, slots=True)
class BattleSpec:
    """One planned battle: everything that fixes it but the players' decisions.

    ``seed`` fixes both teams and all dice; both battles of a pair share it. ``first`` is the seat
    that plays p1 (and so the first team): the second battle of a pair swaps it.
    """

    battle_id: str
    matchup_id: str
    index: int
    pair: int
    seed: int
    first: Seat
    players: dict[Seat, PlayerConfig]


@dataclass(frozen=True, slots=True)
class RetrievedExperience:
    """One experience given to a decision: its id, its score, and why (a game-specific document)."""

    experience_id: str
    score: float
    why: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One answered call: what was asked (sections by name), what came, and what it took."""

    purpose: str
    attempt: int
    sections: tuple[tuple[str, str], ...]
    """The prompt as (section name, text) pairs, in the order sent; ``system…`` sections come first
    and form the system message."""
    completion: Completion
    refused: str | None = None
    """Why the answer could not be used (a stable word), ``None`` if it was used."""


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """One decision of one seat, as it is recorded.

    ``view`` is the game's own JSON document (UTF-8) of what the player saw, ``facts`` that of the
    knowledge computed for it (damage table and the like); both are recorded as they are. ``legal``
    holds the labels of the legal orders; ``order`` the label of the one played. ``fallback`` is the
    reason why the fallback rule decided, ``None`` if the player's own answer was played. ``notes``
    are marks such as ``no_damage_ranges``.
    """

    seat: Seat
    number: int
    turn: int
    view: bytes | None
    legal: tuple[str, ...]
    order: str
    choice: str
    fallback: str | None = None
    notes: tuple[str, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    retrieved: tuple[RetrievedExperience, ...] = ()
    facts: bytes | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class BattleOutcome:
    """A finished battle. ``winner`` is ``None`` for a tie. ``log`` is the full protocol log as a
    spectator with full knowledge gets it; ``choices`` are the lines that replay it, in order."""

    winner: Seat | None
    turns: int
    end_reason: EndReason
    log: str
    choices: tuple[str, ...]
    decisions: tuple[DecisionRecord, ...]
    reflections: dict[Seat, Reflection] = field(default_factory=dict)
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    first: Seat | None = None
    """Who played p1, where that was not for the plan to decide; ``None``: the plan's ``first``."""


@dataclass(frozen=True, slots=True)
class Reflection:
    """What a seat with Long-Term KAG takes from a battle: the experience to store, and its calls.

    ``experience`` is the document that ``porimon.memory`` stores.
    """

    experience: dict[str, Any]
    calls: tuple[CallRecord, ...] = ()


class Asker(Protocol):
    """How a player asks its model inside one battle: journalled, budgeted, replayed on a resume.

    The same question asked again after an interrupted run gives the stored answer, unpaid.
    """

    async def ask(self, request: CompletionRequest) -> Completion: ...


class Game(Protocol):
    """A game that can play specified battles. Used as an asynchronous context manager."""

    async def __aenter__(self) -> Game: ...

    async def __aexit__(self, *exc_info: object) -> None: ...

    @property
    def similarity(self) -> Similarity:
        """How alike two members of a team are, for Long-Term KAG's retrieval."""
        ...

    def card(self, player: PlayerConfig) -> Mapping[str, Any]:
        """What of the game shapes this player's results: versions of data, hash of prompts."""
        ...

    async def play(
        self,
        spec: BattleSpec,
        askers: Mapping[Seat, Asker],
        memories: Mapping[Seat, Any],
    ) -> BattleOutcome:
        """Play one battle to its end.

        ``askers`` has an entry for each seat whose player asks a model, ``memories`` (snapshots
        that ``porimon.memory`` retrieves from) for each seat with Long-Term KAG. Raises
        ``BattleAborted`` where the battle must be played again, ``RunStopped`` where the run must
        stop, ``ModelUnavailable`` where the model failed in a passing way.
        """
        ...
