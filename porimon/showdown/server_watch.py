"""Tells a frozen Showdown server from a slow one, and from our own slowness.

An unanswered ping proves little: the server may be busy, the machine overloaded, or our own event
loop held up, so that the answer lay unread. Only several in a row count, each only if our loop was
on time meanwhile, and only if the operating system does not say that the server is at work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Self

from porimon.showdown.server_process import any_stopped, at_work, children, processor_ticks

LOOK_SECONDS = 1.0
"""Pause between two looks at the server."""

PING_DEADLINE_SECONDS = 2.0
"""How long an answer to a ping may take."""

SILENT_LOOKS = 3
"""Unanswered pings in a row that make an idle server a frozen one: 9 s with the pauses."""

STOPPED_LOOKS = 4
"""Looks in a row at a stopped process (SIGSTOP) that make a frozen server."""

BUSY_LOOKS = 40
"""Unanswered pings in a row after which even a server at work counts as frozen: two minutes."""

LATEST_SECONDS = 0.5
"""How late our own event loop may be for a look to count."""

_BEAT_SECONDS = 0.1


class LoopLag:
    """How late our own event loop has been. Used as an asynchronous context manager."""

    def __init__(self) -> None:
        self._worst = 0.0
        self._last_beat = 0.0
        self._beating: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._last_beat = asyncio.get_running_loop().time()
        self._beating = asyncio.create_task(self._beat(), name="event loop lag")
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)

    def take(self) -> float:
        """The worst delay since the last call, in seconds; one that still lasts included."""
        self._note()
        worst, self._worst = self._worst, 0.0
        return worst

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(_BEAT_SECONDS)
            self._note()
            self._last_beat = asyncio.get_running_loop().time()

    def _note(self) -> None:
        late = asyncio.get_running_loop().time() - self._last_beat - _BEAT_SECONDS
        self._worst = max(self._worst, late)


async def until_broken(process_id: int, answers: Callable[[float], Awaitable[bool]]) -> str:
    """What is wrong with the server, once something is; runs until it is cancelled otherwise.

    ``answers`` pings the server with a deadline in seconds. What is wrong is said as the end of a
    sentence: "… is frozen".
    """
    silent = busy = stopped = 0
    simulators = set(children(process_id))
    async with LoopLag() as lag:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if not simulators <= set(children(process_id)):
                return "has lost a simulator"  # its battles would wait for ever
            on_time = lag.take() <= LATEST_SECONDS
            if any_stopped(process_id):
                # Only seen here where it is a simulator: the server itself still answers. When the
                # whole machine was asleep, others may wake up a little later than we do.
                stopped += on_time
                if stopped >= STOPPED_LOOKS:
                    return "is frozen"
                continue
            stopped = 0
            ticks = processor_ticks(process_id)
            if await answers(PING_DEADLINE_SECONDS):
                silent = busy = 0
                continue
            if lag.take() > LATEST_SECONDS:
                continue
            busy += 1
            working = at_work(process_id) or processor_ticks(process_id) != ticks
            silent = 0 if working else silent + 1
            if silent >= SILENT_LOOKS or busy >= BUSY_LOOKS:
                return "does not answer"
