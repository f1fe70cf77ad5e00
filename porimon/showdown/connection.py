"""One user's connection to a Showdown server: login, and messages sorted by room."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any, Self

import aiohttp

from porimon.errors import BattleAborted

LOGIN_DEADLINE_SECONDS = 9.0
"""How long connecting and logging in may take, unless the caller says otherwise."""

NAME_LIMIT = 18
"""The longest user name that Showdown takes; a longer one is cut without a word."""


Proof = Callable[[str], Awaitable[str]]
"""Gives the login server's word for us, from the game server's challenge."""


class ConnectionLost(BattleAborted):
    """The connection to the server ended, or could not be made."""


class LoginRefused(BattleAborted):
    """The server does not give us this user name (taken, or not allowed)."""


class Connection:
    """A user that is logged in. Made by ``Connection.open``.

    Messages of a battle's room wait in a queue until ``receive`` takes them; those of rooms that
    are not open any more are dropped.
    """

    def __init__(
        self,
        websocket: aiohttp.ClientWebSocketResponse,
        name: str,
        throttle_seconds: float = 0.0,
    ) -> None:
        self._websocket = websocket
        self.name = name
        self._throttle_seconds = throttle_seconds
        self._may_send_at = 0.0
        self._turn_to_send = asyncio.Lock()
        self._rooms: dict[str, asyncio.Queue[str | None]] = {}
        self._closed_rooms: set[str] = set()
        self._global: asyncio.Queue[str | None] = asyncio.Queue()
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._endings: defaultdict[str, asyncio.Future[dict[str, Any]]] = defaultdict(
            asyncio.get_running_loop().create_future
        )
        self._new_rooms: asyncio.Queue[str | None] = asyncio.Queue()
        self._next_id = 0
        self._lost = False
        self._reader: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        session: aiohttp.ClientSession,
        url: str,
        name: str,
        *,
        heartbeat_seconds: float | None = None,
        deadline_seconds: float = LOGIN_DEADLINE_SECONDS,
        throttle_seconds: float = 0.0,
        proof: Proof | None = None,
    ) -> Self:
        """Connect to the websocket at ``url`` and log in as ``name``.

        Without ``proof`` the server takes the name's word; names are then letters and digits. With
        it, ``proof`` answers the server's challenge. ``throttle_seconds`` lie between two messages
        at least.

        ``heartbeat_seconds``: how often the server is pinged; one that does not answer within half
        of that counts as gone. Raises ``LoginRefused`` or ``ConnectionLost``.
        """
        if proof is None and (len(name) > NAME_LIMIT or not name.isalnum()):
            raise ValueError(f"{name!r} is not a user name: 1 to {NAME_LIMIT} letters and digits")
        try:
            async with asyncio.timeout(deadline_seconds):
                websocket = await session.ws_connect(
                    url, heartbeat=heartbeat_seconds, max_msg_size=0, compress=0
                )
                connection = cls(websocket, name, throttle_seconds)
                connection._reader = asyncio.create_task(
                    connection._read(), name=f"connection {name}"
                )
                try:
                    await connection._log_in(proof)
                except BaseException:
                    await connection.close()
                    raise
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise ConnectionLost(
                f"cannot connect to the Showdown server: {error or 'no answer in time'}", where=url
            ) from error
        return connection

    @property
    def lost(self) -> bool:
        """Whether the connection has ended."""
        return self._lost

    async def send(self, message: str, room: str = "") -> None:
        """Send a message or command to a room; ``ConnectionLost`` if the connection has ended."""
        try:
            if not self._throttle_seconds:
                await self._websocket.send_str(f"{room}|{message}")
                return
            async with self._turn_to_send:  # in the order of asking
                clock = asyncio.get_running_loop().time
                await asyncio.sleep(self._may_send_at - clock())
                await self._websocket.send_str(f"{room}|{message}")
                self._may_send_at = clock() + self._throttle_seconds
        except (aiohttp.ClientError, ConnectionError, RuntimeError) as error:
            raise self._loss() from error

    async def ask_plugin(self, command: str, order: dict[str, Any]) -> dict[str, Any]:
        """Send ``/porimon command`` to our plugin; its answer."""
        self._next_id += 1
        order_id = self._next_id
        answer = asyncio.get_running_loop().create_future()
        self._answers[order_id] = answer
        if self._lost:
            raise self._loss()
        try:
            await self.send(f"/porimon {command} {json.dumps({'id': order_id, **order})}")
            return dict(await answer)
        finally:
            self._answers.pop(order_id, None)

    async def receive(self, room: str) -> str:
        """The next message of a room, without the line that names it."""
        if self._lost:
            raise self._loss()
        message = await self._room(room).get()
        if message is None:
            raise self._loss()
        return message

    async def receive_global(self) -> str:
        """The next message that belongs to no room."""
        if self._lost:
            raise self._loss()
        message = await self._global.get()
        if message is None:
            raise self._loss()
        return message

    async def next_new_room(self) -> str:
        """The next room that a message comes from for the first time."""
        while not self._lost:
            room = await self._new_rooms.get()
            if room is not None and room in self._rooms:
                return room
        raise self._loss()

    async def ending(self, room: str) -> dict[str, Any]:
        """The plugin's record of a battle that ended in this room."""
        if self._lost:
            raise self._loss()
        return dict(await self._endings[room])

    def forget(self, room: str) -> None:
        """Drop what has come and what will still come from a room."""
        self._rooms.pop(room, None)
        while not self._new_rooms.empty():
            self._new_rooms.get_nowait()
        self._closed_rooms.add(room)
        ending = self._endings.pop(room, None)
        if ending is not None:
            ending.cancel()

    def rooms(self) -> list[str]:
        """The rooms that messages have come from and that are not forgotten."""
        return list(self._rooms)

    async def close(self) -> None:
        """Close the connection; harmless when it is closed already."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        await self._websocket.close()

    async def _log_in(self, proof: Proof | None) -> None:
        while not (message := await self.receive_global()).startswith("|challstr|"):
            pass
        assertion = "" if proof is None else await proof(message.removeprefix("|challstr|"))
        await self.send(f"/trn {self.name},0,{assertion}")
        while True:
            parts = (await self.receive_global()).split("|")
            if parts[1] == "nametaken":
                raise LoginRefused(f"the name {self.name} is refused: {parts[-1]}")
            # |updateuser| NAME|NAMED|AVATAR…: the name has its rank before and a status behind it.
            if parts[1] == "updateuser" and parts[3] == "1":
                got = parts[2][1:].split("@")[0]
                if _user_id(got) != _user_id(self.name):
                    raise LoginRefused(f"logged in as {got!r} instead of {self.name!r}")
                return

    async def _read(self) -> None:
        try:
            async for message in self._websocket:
                if message.type is aiohttp.WSMsgType.TEXT:
                    self._sort(message.data)
        finally:
            self._end()

    def _sort(self, message: str) -> None:
        if message.startswith(">"):
            room, _, body = message[1:].partition("\n")
            if room not in self._closed_rooms:
                self._room(room).put_nowait(body)
            elif body.startswith("|deinit"):
                self._closed_rooms.discard(room)
        elif message.startswith("|porimon|"):
            self._take_answer(json.loads(message.removeprefix("|porimon|")))
        else:
            self._global.put_nowait(message)
            if self._global.qsize() > 1000:  # nobody reads them after the login
                self._global.get_nowait()

    def _take_answer(self, answer: dict[str, Any]) -> None:
        if "ended" in answer:
            if answer["room"] not in self._closed_rooms:
                self._endings[answer["room"]].set_result(answer["ended"])
        elif (future := self._answers.get(answer["id"])) is not None and not future.done():
            future.set_result(answer)

    def _room(self, room: str) -> asyncio.Queue[str | None]:
        if room not in self._rooms:
            self._rooms[room] = asyncio.Queue()
            self._new_rooms.put_nowait(room)
        return self._rooms[room]

    def _end(self) -> None:
        """Wake everybody who waits for a message that will never come."""
        self._lost = True
        for queue in (*self._rooms.values(), self._global, self._new_rooms):
            queue.put_nowait(None)
        for future in (*self._answers.values(), *self._endings.values()):
            if not future.done():
                future.set_exception(self._loss())
                future.exception()  # marks it as seen: nobody may be waiting

    def _loss(self) -> ConnectionLost:
        return ConnectionLost("the connection to the Showdown server was lost")


def _user_id(name: str) -> str:
    """How Showdown compares names: small letters and digits only."""
    return "".join(letter for letter in name.lower() if letter.isascii() and letter.isalnum())
