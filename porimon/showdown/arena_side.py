"""One side of one battle: takes the server's messages in, asks the chooser, sends its answers.

The loop is proof against errors of choosers: an answer that is no choice at all is turned back at
once, one that the server refuses is put again with its reason, and after a number of refusals an
order is drawn at random.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from porimon.errors import BattleAborted, MachineSetupError
from porimon.showdown.arena_log import Names, clean_line
from porimon.showdown.arena_model import (
    FORFEIT,
    BattleEnding,
    Chooser,
    DecisionMoment,
    Role,
)
from porimon.showdown.arena_picture import BattlePicture

MAXIMUM_REFUSALS = 10
"""How often one question is put to a chooser again before an order is drawn at random."""

DYNAMAX_CLAUSE = "Dynamax Clause: You cannot dynamax"

_CHOICE = re.compile(r"(?:move|switch|team) [^|,/\x00-\x1f]{1,60}|pass|default")


class RoomConnection(Protocol):
    """What a side needs of its connection."""

    async def receive(self, room: str) -> str:
        """The next message of the room."""
        ...

    async def send(self, message: str, room: str) -> None:
        """Send a choice or a command to the room."""
        ...


@dataclass(slots=True)
class Pace:
    """How a battle gets on: who is thinking, and whether anything has come from the server."""

    thinking: int = 0
    messages: int = 0
    """Messages of this battle so far."""
    count_message: Callable[[], None] = lambda: None
    """Told of each message, to count those of all battles."""


@dataclass(slots=True)
class Question:
    """The server's open question to this side, and how answering it went so far."""

    request: dict[str, Any]
    rejected: str | None = None
    refusals: int = 0
    drawn: list[str] = field(default_factory=list)


class BattleSide:
    """Plays one side from the battle's first message to its last.

    Parameters
    ----------
    connection, room:
        The player's connection and the battle's room.
    names:
        Both players' login names and the roles that replace them.
    role:
        The role that this player must have.
    chooser:
        Who decides.
    battle_tag:
        What poke-env's battle is called: nothing that differs when the battle is played again.
    require_clause:
        Whether the battle must have the Dynamax Clause among its rules.
    dice:
        Draws orders when the chooser's are refused too often.
    """

    def __init__(
        self,
        connection: RoomConnection,
        room: str,
        *,
        names: Names,
        role: Role,
        chooser: Chooser,
        battle_tag: str,
        generation: int,
        require_clause: bool,
        dice: random.Random,
        pace: Pace,
    ) -> None:
        self._connection = connection
        self._room = room
        self._names = names
        self._role = role
        self._chooser = chooser
        self._require_clause = require_clause
        self._dice = dice
        self._pace = pace
        self._picture = BattlePicture(battle_tag, role, generation)
        self._has_clause = False
        self._lines: list[list[str]] = []
        self._question: Question | None = None
        self._last_request_id: int | None = None
        self._finished = False
        self.winner: Role | None = None
        self.turns = 0
        """The turn that the battle is in."""
        self.log: list[str] = []
        """Every line this player received, cleaned."""

    async def play(self) -> None:
        """Play to the battle's end, then tell the chooser."""
        while not self._finished:
            message = await self._connection.receive(self._room)
            self._pace.messages += 1
            self._pace.count_message()
            for line in message.split("\n"):
                if self._take(line) and self._question is not None:
                    await self._answer(self._question)
        ending = BattleEnding(
            picture=self._picture, role=self._role, lines=self._take_lines(), winner=self.winner
        )
        await self._chooser.finished(ending)

    def _take(self, line: str) -> bool:
        """Take one line in; whether the open question must be answered now."""
        if line.startswith("|request|"):
            return self._take_request(line.removeprefix("|request|"))
        if line.startswith("|error|"):
            return self._take_refusal(line.removeprefix("|error|"))
        if line.startswith(("|deinit", "|noinit")):
            raise BattleAborted("the server closed the battle's room")
        cleaned = clean_line(line, self._names)
        if cleaned is not None:
            self.log.append(cleaned)
            self._picture.take_line(cleaned)
            parts = cleaned.split("|")
            self._lines.append(parts)
            self._note(parts)
        return False

    def _note(self, parts: list[str]) -> None:
        """What a side must know itself."""
        tag = parts[1]
        if tag == "turn":
            self.turns = int(parts[2])
        elif tag == "rule":
            self._has_clause = self._has_clause or parts[2] == DYNAMAX_CLAUSE
        elif tag == "win" or tag == "tie":
            if tag == "win":
                self.winner = "p1" if parts[2] == "p1" else "p2"
            self._picture.end(self.winner)
            self._finished = True
        elif tag == "bigerror" and "simulator process crashed" in parts[2]:
            raise BattleAborted("the simulator crashed")

    def _take_request(self, text: str) -> bool:
        request = json.loads(text) if text else None
        if not request:
            return False
        request_id = request.get("rqid")
        if request_id is not None and request_id == self._last_request_id:
            return False  # sent again because we joined the room while it was on its way
        self._last_request_id = request_id
        request["side"]["name"] = self._role
        if request["side"]["id"] != self._role:
            raise BattleAborted(f"the server made us {request['side']['id']}, not {self._role}")
        self._picture.take_request(request)
        if request.get("wait"):
            self._question = None
            return False
        if request.get("update") and self._question is not None:
            self._question.request = request
        else:
            self._question = Question(request)
        return True

    def _take_refusal(self, reason: str) -> bool:
        question = self._question
        if question is None or not reason.startswith(("[Invalid", "[Unavailable")):
            return False
        question.rejected = reason
        question.refusals += 1
        # After [Unavailable choice] the server sends the request again, as it is now.
        return reason.startswith("[Invalid")

    async def _answer(self, question: Question) -> None:
        self._check_clause()
        while True:
            if question.refusals > MAXIMUM_REFUSALS:
                choice = self._draw(question)
            else:
                choice = await self._ask(question)
            if choice == FORFEIT:
                await self._connection.send("/forfeit", self._room)
                return
            if _CHOICE.fullmatch(choice):
                break
            question.rejected = f"[Invalid choice] {choice[:60]!r} is not a move or a switch"
            question.refusals += 1
        request_id = question.request.get("rqid")
        suffix = f"|{request_id}" if request_id is not None else ""
        await self._connection.send(f"/choose {choice}{suffix}", self._room)

    async def _ask(self, question: Question) -> str:
        moment = DecisionMoment(
            picture=self._picture,
            role=self._role,
            turn=self.turns,
            lines=self._take_lines(),
            request=question.request,
            rejected=question.rejected,
        )
        self._pace.thinking += 1
        try:
            answer = await self._chooser.choose(moment)
        finally:
            self._pace.thinking -= 1
        return str(answer).strip().removeprefix("/choose ").removeprefix("/").strip()

    def _draw(self, question: Question) -> str:
        """A legal order that was not drawn before; the server's own choice when none is left."""
        orders = [
            order.message.removeprefix("/choose ") for order in self._picture.battle.valid_orders
        ]
        left = [order for order in orders if order not in question.drawn]
        if not left:
            if question.refusals > MAXIMUM_REFUSALS + len(orders) + 2:
                raise BattleAborted(f"the server refuses every choice: {question.rejected}")
            return "default"
        choice = self._dice.choice(left)
        question.drawn.append(choice)
        return choice

    def _take_lines(self) -> list[list[str]]:
        lines, self._lines = self._lines, []
        return lines

    def _check_clause(self) -> None:
        if self._require_clause and not self._has_clause:
            raise MachineSetupError(
                "the server started a battle without the Dynamax Clause",
                remedy="use our own server (leave --server out)",
            )
