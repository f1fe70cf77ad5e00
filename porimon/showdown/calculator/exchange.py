"""Requests to a child process and its answers, a line each, over its standard input and output.

The child answers in the order in which it is asked, so an answer belongs to the request that waits
longest.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes that an answer may have."""


class LineExchange:
    """One child's lines. Make it inside a running event loop; ``close`` it when the child ended."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._waiting: deque[asyncio.Future[bytes]] = deque()
        self._ended: str | None = None
        self._reading = asyncio.create_task(self._read())

    async def ask(self, request: bytes) -> bytes:
        """The answer to a request of one line (given without its end).

        Raises ``ConnectionError`` when the child is gone. Bound its time; a request that was given
        up is answered all the same, and the answer dropped.
        """
        if self._ended is not None:
            raise ConnectionResetError(self._ended)
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        self._writer.writelines((request, b"\n"))
        await self._writer.drain()
        return await answer

    async def close(self) -> None:
        """Stop reading; who still waits gets a ``ConnectionError``."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        self._end("it is not asked any more")

    async def _read(self) -> None:
        try:
            why = await self._pass_on()
        except (ValueError, OSError) as error:  # ValueError: the line is too long
            why = f"its answer cannot be read: {error}"
        self._end(why)
        # What else the child says is read until it ends: a full pipe would keep it from ending.
        with contextlib.suppress(OSError):
            while await self._reader.read(2**16):
                pass

    async def _pass_on(self) -> str:
        """Give each answer to who waits for it; why there are no more."""
        while (line := await self._reader.readline()).endswith(b"\n"):
            if not self._waiting:
                return "it said something unasked"
            answer = self._waiting.popleft()
            if not answer.done():
                answer.set_result(line)
        return "it has ended"

    def _end(self, why: str) -> None:
        if self._ended is not None:
            return
        self._ended = why
        self._writer.close()
        for answer in self._waiting:
            if not answer.done():
                answer.set_exception(ConnectionResetError(why))
        self._waiting.clear()
