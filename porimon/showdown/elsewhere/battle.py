"""One battle elsewhere, from its room's first line to its last, through lost connections.

After a reconnection the room's log comes again from the beginning: it goes to a fresh battle object
and a fresh player, for poke-env and the log of turns would count everything twice.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from porimon.errors import BattleAborted
from porimon.showdown.arena_model import EndReason, Role
from porimon.showdown.arena_side import BattleSide, Pace
from porimon.showdown.connection import Connection, ConnectionLost
from porimon.showdown.elsewhere.kept_answers import AnnouncingChooser, KeptAnswers
from porimon.showdown.elsewhere.names import PlayerNames
from porimon.showdown.elsewhere.visit import Visit
from porimon.showdown.players.base import Player
from porimon.tournament.game import DecisionRecord

_ALLOWED = re.compile(r"/(?:choose \S|forfeit$|timer on$|leave$)")
_TURN_LIMIT = 1000


@dataclass(frozen=True, slots=True)
class BattleElsewhere:
    """A battle as we saw it. ``log`` is our own side's: the other's HP is in percent.

    ``winner`` and ``role`` name sides of the battle; ``decisions`` are ours, numbered through.
    """

    role: Role
    winner: Role | None
    opponent: str
    turns: int
    end_reason: EndReason
    log: str
    decisions: tuple[DecisionRecord, ...]
    reconnections: int


class RoomLine:
    """A battle's room: what comes from it without names, and the few things that may be said.

    Nothing but choices and commands can be sent: no thought of a player ever reaches the chat.
    """

    def __init__(self, connection: Connection, room: str) -> None:
        self._connection = connection
        self._room = room
        self._kept: list[str] = []
        self.names = PlayerNames()

    async def own_role(self) -> Role:
        """Which side we play; what came meanwhile is kept for ``receive``."""
        while True:
            message = await self._connection.receive(self._room)
            self._kept.append(message)
            for line in message.split("\n"):
                self.names.learn(line)
                if line.startswith(("|deinit", "|noinit")):
                    raise BattleAborted("the battle's room is gone")
            role = self.names.role_of(self._connection.name)
            if role is not None:
                return role

    async def receive(self, room: str) -> str:
        """The next message, its players called p1 and p2."""
        message = self._kept.pop(0) if self._kept else await self._connection.receive(room)
        lines = message.split("\n")
        if any(line.startswith("|sentchoice|") for line in lines):
            # Sent after we joined again: the question is answered already.
            lines = [line for line in lines if not line.startswith("|request|")]
        for line in lines:
            self.names.learn(line)
        return "\n".join(self.names.without(line) for line in lines)

    async def send(self, message: str, room: str) -> None:
        """Send a choice or a command of the room. Raises ``ValueError`` for anything else."""
        if _ALLOWED.match(message) is None or "\n" in message:
            raise ValueError("only choices and commands are sent to a battle's room")
        await self._connection.send(message, room)


async def play_battle(
    visit: Visit,
    room: str,
    make_player: Callable[[Role], Player],
    *,
    timer: bool,
    seed: int,
    kept: KeptAnswers | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> tuple[BattleElsewhere, Player]:
    """Play the battle of a room to its end; the battle and the player that saw its end.

    Raises ``BattleAborted`` when the room is gone or the server cannot be reached any more, and
    whatever the player raises. The caller sets the deadline. ``seed`` is for orders that have to
    be drawn because the server refused the player's. ``kept`` is what the players ask, if they
    ask a model.
    """
    decisions: tuple[DecisionRecord, ...] = ()
    reconnections = 0
    while True:
        connection = visit.connection
        line = RoomLine(connection, room)
        player: Player | None = None
        try:
            role = await line.own_role()
            opponent = line.names.by_role.get("p2" if role == "p1" else "p1", "unknown")
            player = make_player(role)
            if timer:
                await line.send("/timer on", room)
            side = BattleSide(
                line,
                room,
                names={},
                role=role,
                chooser=player if kept is None else AnnouncingChooser(player, kept),
                battle_tag=room,
                generation=8,
                require_clause=False,
                dice=random.Random(seed),
                pace=Pace(),
            )
            await side.play()
        except ConnectionLost:
            if player is not None:
                decisions = joined(decisions, player.decisions)
            if kept is not None:
                kept.connection_lost()
            reconnections += 1
            say(f"{room}: connection lost, joining again")
            connection = await visit.renewed()
            await connection.send(f"/join {room}")
            continue
        opponent = line.names.by_role.get("p2" if role == "p1" else "p1", opponent)
        decisions = joined(decisions, player.decisions)
        return _as_seen(side, role, opponent, decisions, reconnections), player


def joined(
    earlier: Sequence[DecisionRecord], later: Sequence[DecisionRecord]
) -> tuple[DecisionRecord, ...]:
    """The decisions before a lost connection and those after it, numbered through.

    An order that did not reach the server was decided again: of such two only the later one counts.
    """
    if earlier and later and _question(earlier[-1]) == _question(later[0]):
        earlier = earlier[:-1]
    return tuple(replace(made, number=n) for n, made in enumerate((*earlier, *later), start=1))


def _question(decision: DecisionRecord) -> tuple[int, bytes | None, tuple[str, ...]]:
    return decision.turn, decision.view, decision.legal


async def leave(visit: Visit, room: str, *, forfeit: bool = False) -> None:
    """Leave a battle's room and forget it; harmless on a connection that is lost.

    ``forfeit`` gives a battle up that is not over, so that nobody waits for us in vain.
    """
    connection = visit.connection
    if not connection.lost:
        try:
            if forfeit:
                await connection.send("/forfeit", room)
            await connection.send("/leave", room)
        except ConnectionLost:
            return
    connection.forget(room)


def _as_seen(
    side: BattleSide,
    role: Role,
    opponent: str,
    decisions: tuple[DecisionRecord, ...],
    reconnections: int,
) -> BattleElsewhere:
    log = "\n".join(side.log).strip("\n")
    if " forfeited." in log or " lost due to inactivity." in log:
        reason: EndReason = "forfeit"
    elif side.winner is not None:
        reason = "normal"
    else:
        reason = "turn_limit" if side.turns >= _TURN_LIMIT else "tie"
    return BattleElsewhere(
        role=role,
        winner=side.winner,
        opponent=opponent,
        turns=side.turns,
        end_reason=reason,
        log=log,
        decisions=decisions,
        reconnections=reconnections,
    )
