"""The connections that an arena plays on, in pairs, and the server behind them.

A pair ("lane") is used again, one battle at a time. A server of ours that died is started again
for the next battle.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp

from porimon.errors import MachineSetupError
from porimon.showdown.connection import Connection, ConnectionLost, LoginRefused
from porimon.showdown.server import Server, websocket_url

# How long the server may take to answer. A watched one that is frozen is ended by its watchdog
# within 10 s, and every connection to it then ends: silent for longer, it has only much to do. Of
# any other server silence is all that tells.
_WATCHED_SILENCE_SECONDS = 60
_SILENCE_SECONDS = 8
_HEARTBEAT_SECONDS = 6.0
_MAXIMUM_RESTARTS_IN_A_ROW = 5
_LOGIN_ATTEMPTS = 3
_LOGINS_AT_ONCE = 4
_PAUSE_BETWEEN_ATTEMPTS_SECONDS = 0.5


@dataclass(slots=True)
class Lane:
    """Two users who are logged in and play one battle at a time against each other."""

    first: Connection
    second: Connection

    @property
    def lost(self) -> bool:
        return self.first.lost or self.second.lost

    async def close(self) -> None:
        await asyncio.gather(self.first.close(), self.second.close(), return_exceptions=True)


class Lanes:
    """The lanes to one server: taken for a battle, given back after it. ``open`` them first."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._free: list[Lane] = []
        self._restarting = asyncio.Lock()
        # Many logins at once would only keep each other waiting.
        self._logins = asyncio.Semaphore(_LOGINS_AT_ONCE)
        self._generation = 0
        self._restarts_in_a_row = 0
        # Login names say nothing of the players: theirs may be too long, taken, or telling.
        self._prefix = f"pm{secrets.token_hex(4)}n"
        self._numbers = itertools.count(1)
        self._session: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        """Get ready to connect."""
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))

    async def close(self) -> None:
        """Close the lanes that nobody uses, and what all of them share."""
        await self._close_free()
        if self._session is not None:
            await self._session.close()

    @property
    def patience_seconds(self) -> int:
        """How long the server may take to answer, in seconds."""
        return _WATCHED_SILENCE_SECONDS if self._server.watched else _SILENCE_SECONDS

    def battle_is_over(self) -> None:
        """Note that the server played a battle to its end: it does not only die."""
        self._restarts_in_a_row = 0

    async def restart(self) -> None:
        """Start the server again. What runs on it is lost."""
        await self._restart_after(self._generation)

    @asynccontextmanager
    async def take(self) -> AsyncIterator[Lane]:
        """A lane for one battle; it goes back to the others unless it was lost."""
        lane = None
        while self._free and lane is None:
            candidate = self._free.pop()
            if candidate.lost:
                await candidate.close()
            else:
                lane = candidate
        if lane is None:
            lane = await self._open_lane()
        try:
            yield lane
        finally:
            if lane.lost:
                await lane.close()
            else:
                self._free.append(lane)

    async def _open_lane(self) -> Lane:
        """A new lane, on a server that is started again if need be.

        Raises ``ConnectionLost`` when a server that is up takes nobody in, ``LoginRefused``, or
        what a restart raises.
        """
        for attempt in itertools.count(1):
            async with self._restarting:  # while it is started again, it has no address
                generation = self._generation
            try:
                async with self._logins:
                    return await self._connect_two()
            except LoginRefused:
                raise
            except ConnectionLost:
                if generation != self._generation:
                    continue  # the address was that of a server that is gone
                if not await self._server.alive():
                    await self._restart_after(generation)
                elif attempt >= _LOGIN_ATTEMPTS:
                    raise
                else:
                    await asyncio.sleep(attempt * _PAUSE_BETWEEN_ATTEMPTS_SECONDS)
        raise AssertionError("unreachable")

    async def _connect_two(self) -> Lane:
        first = await self._connect()
        try:
            return Lane(first, await self._connect())
        except BaseException:
            await first.close()
            raise

    async def _connect(self) -> Connection:
        if self._session is None:
            raise RuntimeError("the lanes are not open")
        # Our own server has a watchdog; somebody else's is pinged on each connection.
        heartbeat = None if self._server.seeded else _HEARTBEAT_SECONDS
        for attempt in itertools.count(1):
            name = f"{self._prefix}{next(self._numbers)}e"  # the end: none begins another
            try:
                return await Connection.open(
                    self._session,
                    websocket_url(self._server),
                    name,
                    heartbeat_seconds=heartbeat,
                    deadline_seconds=self.patience_seconds,
                )
            except LoginRefused:
                if attempt == _LOGIN_ATTEMPTS:
                    raise
        raise AssertionError("unreachable")

    async def _restart_after(self, generation: int) -> None:
        """Restart the server unless that was done since it had this generation."""
        async with self._restarting:
            if generation != self._generation:
                return
            if self._restarts_in_a_row >= _MAXIMUM_RESTARTS_IN_A_ROW:
                raise MachineSetupError(
                    f"the Showdown server died {self._restarts_in_a_row + 1} times in a row before "
                    "a single battle was over",
                    where=self._server.url,
                    remedy="look at the server's log (server.log); then run: porimon doctor",
                )
            await self._close_free()
            await self._server.restart()
            self._restarts_in_a_row += 1
            self._generation += 1

    async def _close_free(self) -> None:
        lanes, self._free = self._free, []
        await asyncio.gather(*(lane.close() for lane in lanes), return_exceptions=True)
