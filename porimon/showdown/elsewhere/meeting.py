"""How a battle comes about: by challenging a user, by accepting challenges, on the ladder."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from porimon.errors import BattleAborted, UserInputError
from porimon.showdown.connection import Connection
from porimon.showdown.elsewhere.account import user_id

FORMAT = "gen8randombattle"
"""The format that everything of ours is made for; battle rules may follow behind ``@@@``."""


_START_SECONDS = 20.0
"""How long a server may take to start a battle that both want."""


class _WithdrawnError(Exception):
    """A challenge that we accept does not stand any more."""


class Meeting(Protocol):
    """One way to get a battle. The caller sets the deadline."""

    @property
    def way(self) -> str:
        """What it is called in records: ``challenge``, ``accept``, ``ladder``."""
        ...

    async def room(self, connection: Connection) -> str:
        """The room of the next battle. Raises ``UserInputError`` if the server refuses the format
        and ``BattleAborted`` if the other does not want to play."""
        ...

    async def give_up(self, connection: Connection) -> None:
        """Take back what still stands: a challenge, a search."""
        ...


def check_format(battle_format: str) -> str:
    """The format, if it is one that our players can play. Raises ``UserInputError``."""
    if re.fullmatch(r"gen8randombattle(@@@[^|\r\n]+)?", battle_format) is None:
        raise UserInputError(
            f"our players do not play {battle_format!r}",
            where="--format",
            remedy=f"use {FORMAT}, or {FORMAT}@@@Dynamax Clause",
        )
    return battle_format


@dataclass(frozen=True, slots=True)
class Challenge:
    """Challenges one user."""

    user: str
    battle_format: str
    way: str = "challenge"

    async def room(self, connection: Connection) -> str:
        """Challenge, and wait until the other accepts."""
        await connection.send("/utm null")
        await connection.send(f"/challenge {self.user}, {self.battle_format}")
        return await _battle_room(connection, self._refusal)

    async def give_up(self, connection: Connection) -> None:
        """Take the challenge back."""
        await connection.send(f"/cancelchallenge {self.user}")

    def _refusal(self, message: str) -> None:
        if message.startswith("|popup|"):
            raise UserInputError(
                f"the server refuses the challenge: {_told(message, '|popup|')}",
                where=f"{self.user}, {self.battle_format}",
                remedy="is the user online under this name? does the server know the format?",
            )
        parts = message.split("|", 4)
        if parts[1:2] == ["pm"] and len(parts) > 4:
            if parts[4].startswith("/error "):
                raise UserInputError(
                    f"the server refuses the challenge: {_told(parts[4], '/error ')}",
                    where=f"{self.user}, {self.battle_format}",
                )
            if "rejected the challenge" in parts[4]:
                raise BattleAborted(f"{self.user} rejects the challenge")


@dataclass(frozen=True, slots=True)
class Accept:
    """Accepts challenges to Gen 8 Random Battles: of one user, or of anybody."""

    user: str | None = None
    way: str = "accept"

    async def room(self, connection: Connection) -> str:
        """Wait for a challenge, accept it; others are left standing or, in other formats, refused.

        A format is ours whatever battle rules the challenger has put behind it.
        """
        await connection.send("/utm null")
        unread: deque[str] = deque()
        while True:
            message = unread.popleft() if unread else await connection.receive_global()
            challenge = challenge_of(message, connection.name)
            if challenge is None:
                continue
            challenger, battle_format = challenge
            if self.user is not None and user_id(challenger) != user_id(self.user):
                continue
            if battle_format.partition("@@@")[0] != FORMAT:
                await connection.send(f"/reject {challenger}")
                continue
            await connection.send(f"/accept {challenger}")

            def seen(later: str) -> None:
                unread.append(later)
                if later.startswith("|popup|"):
                    raise _WithdrawnError

            # A challenge may be gone by the time that we have read of it: then listen on, to what
            # has come meanwhile first.
            with contextlib.suppress(_WithdrawnError, TimeoutError):
                async with asyncio.timeout(_START_SECONDS):
                    return await _battle_room(connection, seen)

    async def give_up(self, connection: Connection) -> None:
        """Nothing of ours stands."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """Searches for an opponent of the server's choice."""

    battle_format: str
    way: str = "ladder"

    async def room(self, connection: Connection) -> str:
        """Search until the server has found somebody."""
        await connection.send("/utm null")
        await connection.send(f"/search {self.battle_format}")
        return await _battle_room(connection, self._refusal)

    async def give_up(self, connection: Connection) -> None:
        """Stop searching."""
        await connection.send("/cancelsearch")

    def _refusal(self, message: str) -> None:
        if message.startswith("|popup|"):
            raise UserInputError(
                f"the server refuses the search: {_told(message, '|popup|')}",
                where=self.battle_format,
                remedy="ladders have no battle rules of one's own: leave --format out",
            )


def challenge_of(message: str, own_name: str) -> tuple[str, str] | None:
    """Who challenges us and in which format, if a message says so.

    ``|pm| CHALLENGER| CHALLENGED|/challenge FORMAT|…``; without a format the challenge is gone.
    """
    parts = message.split("|")
    if parts[1:2] != ["pm"] or len(parts) < 5 or not parts[4].startswith("/challenge "):
        return None
    challenger, challenged = parts[2][1:], parts[3][1:]
    battle_format = parts[4].removeprefix("/challenge ").strip()
    if user_id(challenged.partition("@")[0]) != user_id(own_name) or not battle_format:
        return None
    return challenger.partition("@")[0], battle_format


async def _battle_room(connection: Connection, refusal: Callable[[str], None]) -> str:
    """The next battle's room; meanwhile ``refusal`` sees what the server says to us."""

    async def refused() -> None:
        while True:
            refusal(await connection.receive_global())

    async def found() -> str:
        while True:
            room = await connection.next_new_room()
            if room.startswith("battle-"):
                return room

    tasks: tuple[asyncio.Task[str], asyncio.Task[None]]
    tasks = (asyncio.create_task(found()), asyncio.create_task(refused()))
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if tasks[0].done():
            return tasks[0].result()
        tasks[1].result()
        raise AssertionError("unreachable")
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _told(message: str, beginning: str) -> str:
    return message.removeprefix(beginning).replace("||", " ")[:300]
