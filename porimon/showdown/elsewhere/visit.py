"""A stay on a Showdown server: one logged-in connection, made again whenever it is lost."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import aiohttp

from porimon.errors import MachineSetupError, UserInputError
from porimon.showdown.connection import Connection, ConnectionLost, LoginRefused
from porimon.showdown.elsewhere.account import (
    NAME_VARIABLE,
    PASSWORD_VARIABLE,
    Account,
    is_local,
    prove,
)

THROTTLE_SECONDS = 0.6
"""Showdown takes one message in 600 ms of an ordinary user, and drops those of the impatient."""

_HEARTBEAT_SECONDS = 20.0
_LOGIN_DEADLINE_SECONDS = 45.0
_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 30.0


@dataclass(slots=True)
class Visit:
    """Used as an asynchronous context manager; ``connection`` is the present connection.

    ``attempts`` is how often a lost connection is tried again before ``ConnectionLost`` comes out.
    ``say`` gets one line for each loss.
    """

    url: str
    account: Account
    login_server: str | None
    throttle_seconds: float = THROTTLE_SECONDS
    attempts: int = 8
    say: Callable[[str], None] = lambda text: None
    _session: aiohttp.ClientSession | None = field(default=None, init=False)
    _connection: Connection | None = field(default=None, init=False)

    async def __aenter__(self) -> Self:
        """Connect and log in.

        Raises ``MachineSetupError`` where no server answers, ``UserInputError`` for a refused name.
        """
        self._session = aiohttp.ClientSession()
        try:
            self._connection = await self._connect()
        except ConnectionLost as error:
            await self._session.close()
            raise MachineSetupError(
                f"no Showdown server answers at {self.url}",
                where="--server",
                remedy="start one with `porimon serve`, or name another",
            ) from error
        except LoginRefused as error:
            await self._session.close()
            raise UserInputError(
                error.what,
                where=f"environment variables {NAME_VARIABLE} and {PASSWORD_VARIABLE}",
                remedy="take another name, or give the password of this one",
            ) from error
        except BaseException:
            await self._session.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._connection is not None:
            await self._connection.close()
        if self._session is not None:
            await self._session.close()

    @property
    def connection(self) -> Connection:
        """The present connection; it may have been lost."""
        if self._connection is None:
            raise RuntimeError("the visit is used outside `async with`")
        return self._connection

    async def renewed(self) -> Connection:
        """The connection, made again if it was lost. Raises ``ConnectionLost`` after all tries."""
        if not self.connection.lost:
            return self.connection
        await self.connection.close()
        pause = _FIRST_PAUSE_SECONDS
        for attempt in range(1, self.attempts + 1):
            try:
                self._connection = await self._connect()
            except ConnectionLost as error:
                if attempt == self.attempts:
                    raise
                self.say(f"the connection is lost ({error.what}); again in {pause:.0f} s")
                # Everybody who was thrown out comes back: not all at the same moment.
                await asyncio.sleep(pause * (0.5 + random.random()))
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
            else:
                break
        return self.connection

    async def _connect(self) -> Connection:
        session = self._session
        assert session is not None
        login_server = self.login_server

        async def proof(challenge: str) -> str:
            if login_server is None:
                return ""
            return await prove(session, login_server, self.account, challenge)

        return await Connection.open(
            session,
            self.url.replace("http", "ws", 1) + "/showdown/websocket",
            self.account.name,
            heartbeat_seconds=_HEARTBEAT_SECONDS,
            deadline_seconds=_LOGIN_DEADLINE_SECONDS,
            throttle_seconds=self.throttle_seconds,
            proof=proof,
        )


def login_server_for(url: str, chosen: str | None, default: str) -> str | None:
    """The login server to ask: the chosen one; none for a server on this machine."""
    return chosen or (None if is_local(url) else default)
