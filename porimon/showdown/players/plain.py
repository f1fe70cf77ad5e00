"""Players that ask no language model: ``h``, ``random`` and ``max-power``.

They keep no views, which would cost more than their decisions: the report builds their boards
again from the battle's log.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence

from porimon.errors import BattleAborted
from porimon.showdown.arena_model import BattleEnding, DecisionMoment
from porimon.showdown.dex.store import Dex
from porimon.showdown.fallback import listed_power
from porimon.showdown.players.base import (
    SERVER_REFUSED,
    PlayerContext,
    RefusedOrders,
    orders_of_request,
)
from porimon.showdown.players.poke_env_dice import poke_env_dice
from porimon.showdown.reflection_prompt import FinishedBattle
from porimon.showdown.view.model import LegalOrder
from porimon.tournament.game import DecisionRecord


class PlainPlayer(ABC):
    """The frame of a player that decides by a rule; sub-classes say which order in ``pick``.

    ``rng`` are its dice in this battle, ``dex`` the game's data, ``context`` all that it is given.
    """

    def __init__(self, context: PlayerContext) -> None:
        self.context = context
        self.rng = context.rng()
        self._refused = RefusedOrders()
        self._decisions: list[DecisionRecord] = []

    @property
    def decisions(self) -> Sequence[DecisionRecord]:
        """What was decided so far, in order."""
        return tuple(self._decisions)

    @property
    def dex(self) -> Dex:
        """Species, moves, abilities and items of the game."""
        return self.context.knowledge.dex

    async def choose(self, moment: DecisionMoment) -> str:
        """The rule's order among those that the server has not refused."""
        started = time.perf_counter()
        orders, forced = orders_of_request(moment.request)
        left = self._refused.left(moment, orders)
        order = left[0] if len(left) == 1 else self.pick(moment, left, forced)
        self._refused.chosen(order)
        self._decisions.append(
            DecisionRecord(
                seat=self.context.seat,
                number=len(self._decisions) + 1,
                turn=moment.turn,
                view=None,
                legal=tuple(one.label for one in left),
                order=order.label,
                choice=order.choice,
                notes=(SERVER_REFUSED,) if moment.rejected is not None else (),
                seconds=time.perf_counter() - started,
            )
        )
        return order.choice

    async def finished(self, ending: BattleEnding) -> None:  # noqa: B027 - may be overridden
        """A rule learns nothing from a battle."""

    def finished_battle(self) -> FinishedBattle | None:
        """There is nothing to reflect on."""
        return None

    @abstractmethod
    def pick(
        self, moment: DecisionMoment, orders: Sequence[LegalOrder], forced: bool
    ) -> LegalOrder:
        """The rule: one of ``orders``, which are at least two.

        ``moment`` holds poke-env's battle and the server's request; ``forced`` says that a Pokémon
        must be sent in. Called on the event loop: it must not block.
        """


class RandomPlayer(PlainPlayer):
    """``random``: each legal order with the same chance."""

    def pick(
        self, moment: DecisionMoment, orders: Sequence[LegalOrder], forced: bool
    ) -> LegalOrder:
        """Any of the orders, by the battle's own dice."""
        return self.rng.choice(orders)


class MaxPowerPlayer(PlainPlayer):
    """``max-power``: the available move with the highest listed base power.

    Of several the first; a random switch where there is no move.
    """

    def pick(
        self, moment: DecisionMoment, orders: Sequence[LegalOrder], forced: bool
    ) -> LegalOrder:
        """The strongest move, or a switch by the battle's own dice."""
        moves = [order for order in orders if order.kind == "move"]
        if not moves:
            return self.rng.choice(orders)
        return max(moves, key=lambda order: listed_power(order.target, self.dex))


class HeuristicPlayer(PlainPlayer):
    """``h``: the choice of poke-env's ``SimpleHeuristicsPlayer`` on poke-env's own battle.

    poke-env draws at random in a few positions. It gets dice of its own for each choice, so that a
    battle can be repeated and nobody else's dice are touched. Where poke-env's choice is not legal
    (a switch that the server has just refused), a legal order is drawn.
    """

    def pick(
        self, moment: DecisionMoment, orders: Sequence[LegalOrder], forced: bool
    ) -> LegalOrder:
        """poke-env's order as one of the legal orders."""
        # Imported here: poke-env takes a second to import, and `--help` does not need it.
        from poke_env.battle import Move, Pokemon
        from poke_env.player import SimpleHeuristicsPlayer

        with poke_env_dice(self.rng.random()):
            chosen, _ = SimpleHeuristicsPlayer.choose_singles_move(moment.battle)
        target = getattr(chosen, "order", None)
        wanted: list[LegalOrder] = []
        if isinstance(target, Move):
            wanted = [one for one in orders if one.kind == "move" and one.target == target.id]
        elif isinstance(target, Pokemon):
            slot = _team_slot(moment, target)
            wanted = [one for one in orders if one.kind == "switch" and one.slot == slot]
        return wanted[0] if wanted else self.rng.choice(orders)


def _team_slot(moment: DecisionMoment, pokemon: object) -> int:
    """The position in the server's last request of a Pokémon of poke-env's battle."""
    identifier = next(
        (name for name, member in moment.battle.team.items() if member is pokemon), None
    )
    if identifier is None:
        raise BattleAborted("poke-env switches to a Pokémon that is not in its team")
    members = moment.request["side"]["pokemon"]
    return 1 + next(
        (place for place, member in enumerate(members) if member["ident"] == identifier), -1
    )
