"""What a player is to the game, and what it is given for one battle."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from porimon.config.player import PlayerConfig
from porimon.errors import BattleAborted
from porimon.showdown.arena_model import BattleEnding, DecisionMoment, Role
from porimon.showdown.candidates.clues import Clues
from porimon.showdown.candidates.model import Candidates
from porimon.showdown.dex.store import Dex
from porimon.showdown.facts.gather import DamageSource
from porimon.showdown.reflection_prompt import FinishedBattle
from porimon.showdown.view.model import LegalOrder, PokemonView
from porimon.showdown.view.orders import legal_orders
from porimon.showdown.view.request import read_offer
from porimon.tournament.game import Asker, BattleSpec, DecisionRecord, Seat

if TYPE_CHECKING:
    from porimon.memory.retrieval import MemorySnapshot

SERVER_REFUSED = "server_refused"
"""Note of a decision that the server did not take (a switch of a Pokémon that was trapped)."""


ClueReader = Callable[[PokemonView, Clues], Candidates]
"""The sets that a foe's Pokémon may have, given its view and what the battle has made certain."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The sources of facts, shared by all battles. What is ``None`` is done without."""

    dex: Dex
    candidates: ClueReader | None = None
    damage: DamageSource | None = None


@dataclass(frozen=True, slots=True)
class PlayerContext:
    """Everything that one player gets for one battle.

    ``asker`` is there for players that ask a language model, ``memory`` for those with Long-Term
    KAG.
    """

    spec: BattleSpec
    seat: Seat
    role: Role
    knowledge: Knowledge
    asker: Asker | None = None
    memory: MemorySnapshot | None = None

    @property
    def config(self) -> PlayerConfig:
        """The player's configuration."""
        return self.spec.players[self.seat]

    def rng(self) -> random.Random:
        """The player's own dice: the same in every repetition of the battle, for each seat."""
        return random.Random(f"{self.spec.seed} {self.spec.battle_id} {self.seat}")


class Player(Protocol):
    """One side of one battle: a ``Chooser`` of the arena that keeps a record of its decisions."""

    @property
    def decisions(self) -> Sequence[DecisionRecord]:
        """What was decided so far, in order."""
        ...

    async def choose(self, moment: DecisionMoment) -> str:
        """The answer to the server's question, e.g. ``move 2``."""
        ...

    async def finished(self, ending: BattleEnding) -> None:
        """Called once, when the battle has ended in a regular way."""
        ...

    def finished_battle(self) -> FinishedBattle | None:
        """What the player takes from the battle that has ended, for a reflection on it.

        ``None`` for players without Long-Term KAG.
        """
        ...


class RefusedOrders:
    """The orders that the server refused while its question stayed the same.

    After ``[Unavailable choice]`` the server sends an updated question that leaves the order out;
    after ``[Invalid choice]`` it does not, and the order would be chosen for ever.
    """

    def __init__(self) -> None:
        self._request_id: Any = None
        self._refused: set[str] = set()
        self._last: str | None = None

    def left(self, moment: DecisionMoment, orders: Sequence[LegalOrder]) -> tuple[LegalOrder, ...]:
        """The orders that were not refused for this question.

        Raises ``BattleAborted`` if the server has refused every one of them.
        """
        request_id = moment.request.get("rqid")
        if moment.rejected is None or request_id != self._request_id:
            self._refused.clear()
        if moment.rejected is not None and self._last is not None:
            self._refused.add(self._last)
        self._request_id = request_id
        left = tuple(order for order in orders if order.choice not in self._refused)
        if not left:
            raise BattleAborted(f"the server refuses every order: {moment.rejected}")
        return left

    def chosen(self, order: LegalOrder) -> None:
        """Remember what is being sent to the server."""
        self._last = order.choice


def orders_of_request(request: Mapping[str, Any]) -> tuple[tuple[LegalOrder, ...], bool]:
    """The legal orders of a request, and whether it forces a switch."""
    offered = read_offer(request)
    return legal_orders(offered), offered.forced_switch
