"""How a run is asked to stop: once, with a reason, seen by whatever would start something."""

from __future__ import annotations

import asyncio

from porimon.errors import RunStopped

SECONDS_FOR_CALLS_IN_FLIGHT = 180.0
"""How long a stopping run waits for answers that are being paid for."""


class StopSignal:
    """The first request to stop wins; calls in flight are counted so that they can be awaited."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._in_flight = 0
        self.reason: RunStopped | None = None
        self.watched = False
        """Whether somebody waits for the request: before, while a run sets up, nobody does."""

    def request(self, reason: RunStopped) -> None:
        """Ask the run to stop; a second request changes nothing."""
        if self.reason is None:
            self.reason = reason
            self._event.set()

    async def check(self) -> None:
        """Raise the reason if a stop has been requested, once the calls in flight have come in.

        Raising ends the battle, and with it a call that its other player may be waiting for.
        """
        if self.reason is not None:
            await self.idle()
            raise self.reason

    async def wait(self) -> None:
        """Come back when a stop is requested."""
        self.watched = True
        await self._event.wait()

    def __enter__(self) -> None:
        self._in_flight += 1
        self._idle.clear()

    def __exit__(self, *exc_info: object) -> None:
        self._in_flight -= 1
        if self._in_flight == 0:
            self._idle.set()

    async def idle(self, seconds: float = SECONDS_FOR_CALLS_IN_FLIGHT) -> bool:
        """Wait until no call is in flight, at most ``seconds``; whether that came true."""
        try:
            await asyncio.wait_for(self._idle.wait(), seconds)
        except TimeoutError:
            return False
        return True
