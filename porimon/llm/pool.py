"""Endpoints of one model: used evenly, avoided while they fail, each with an adaptive concurrency.

The limit of calls in flight follows additive increase, multiplicative decrease: a rate limit (429)
halves it, each success raises it by about one per round of calls, up to the configured number.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

DECREASE = 0.5
"""Factor of the limit at a rate limit."""
FIRST_COOL_DOWN_SECONDS = 1.0
LONGEST_COOL_DOWN_SECONDS = 60.0


@dataclass(slots=True, eq=False)
class Endpoint:
    """One base URL and what is known of its health. Times are of the event loop's clock."""

    base_url: str
    maximum: int
    limit: float
    in_flight: int = 0
    served: int = 0
    failures_in_row: int = 0
    avoided_until: float = 0.0
    """After failures: others are preferred until then."""
    closed_until: float = 0.0
    """After a Retry-After: nobody calls it before."""
    round: int = 0
    """Counts the decreases: calls begun before the last one don't decrease the limit again."""

    @property
    def has_room(self) -> bool:
        """Whether one more call may start now, as far as concurrency goes."""
        return self.in_flight < max(1, int(self.limit))


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to make one call at an endpoint; given back through ``EndpointPool.release``."""

    endpoint: Endpoint
    round: int


class EndpointPool:
    """Hands out leases, first come first served.

    Parameters
    ----------
    base_urls:
        The endpoints.
    concurrency:
        Highest number of calls in flight per endpoint.
    clock:
        Seconds of a monotonic clock; the event loop's by default.
    """

    def __init__(
        self,
        base_urls: Sequence[str],
        concurrency: int,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.endpoints = tuple(Endpoint(url, concurrency, float(concurrency)) for url in base_urls)
        self._clock = clock
        self._waiting: deque[asyncio.Future[Lease]] = deque()
        self._alarm: asyncio.TimerHandle | None = None

    async def acquire(self, timeout_seconds: float) -> Lease:
        """Wait for a turn. Raises ``TimeoutError`` after ``timeout_seconds``."""
        turn: asyncio.Future[Lease] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._serve()
        try:
            async with asyncio.timeout(timeout_seconds):
                return await turn
        except BaseException:
            # Cancelled or too late. A lease that was granted in the same moment goes back.
            if turn.done() and not turn.cancelled():
                self.release(turn.result())
            elif turn in self._waiting:
                self._waiting.remove(turn)
            raise

    def release(self, lease: Lease) -> None:
        """Give a lease back, whatever became of the call."""
        lease.endpoint.in_flight -= 1
        self._serve()

    def succeeded(self, lease: Lease) -> None:
        """An answer came: the endpoint is healthy, and its limit rises."""
        endpoint = lease.endpoint
        endpoint.served += 1
        endpoint.failures_in_row = 0
        endpoint.avoided_until = 0.0
        endpoint.limit = min(float(endpoint.maximum), endpoint.limit + 1 / max(1.0, endpoint.limit))

    def rate_limited(self, lease: Lease, retry_after_seconds: float | None) -> None:
        """The endpoint asked for fewer calls: halve the limit, wait as told."""
        endpoint = lease.endpoint
        if lease.round == endpoint.round:
            endpoint.round += 1
            endpoint.limit = max(1.0, min(endpoint.limit, endpoint.in_flight) * DECREASE)
        if retry_after_seconds is not None:
            until = self._now() + retry_after_seconds
            endpoint.closed_until = max(endpoint.closed_until, until)

    def failed(self, lease: Lease) -> None:
        """The call failed in a passing way: prefer other endpoints for a while."""
        endpoint = lease.endpoint
        pause = min(
            FIRST_COOL_DOWN_SECONDS * 2**endpoint.failures_in_row, LONGEST_COOL_DOWN_SECONDS
        )
        endpoint.failures_in_row = min(endpoint.failures_in_row + 1, 16)
        endpoint.avoided_until = self._now() + pause

    def close(self) -> None:
        """Wake nobody any more: those who wait are cancelled."""
        if self._alarm is not None:
            self._alarm.cancel()
        while self._waiting:
            self._waiting.popleft().cancel()

    def _now(self) -> float:
        return self._clock() if self._clock else asyncio.get_running_loop().time()

    def _choose(self, now: float) -> Endpoint | None:
        open_ones = [end for end in self.endpoints if end.closed_until <= now]
        # A failing endpoint is better than none: it is used when no healthy one exists, but not
        # merely because the healthy ones are busy.
        healthy = [end for end in open_ones if end.avoided_until <= now]
        candidates = healthy or open_ones
        with_room = [end for end in candidates if end.has_room and not self._is_being_tried(end)]
        return min(with_room, key=lambda end: (end.in_flight, end.served), default=None)

    def _is_being_tried(self, endpoint: Endpoint) -> bool:
        """Whether one call already finds out if a failed endpoint is back: others wait for it."""
        return len(self.endpoints) > 1 and endpoint.failures_in_row > 0 and endpoint.in_flight > 0

    def _serve(self) -> None:
        now = self._now()
        while self._waiting:
            if self._waiting[0].done():
                self._waiting.popleft()
                continue
            endpoint = self._choose(now)
            if endpoint is None:
                self._set_alarm(now)
                return
            endpoint.in_flight += 1
            self._waiting.popleft().set_result(Lease(endpoint, endpoint.round))

    def _set_alarm(self, now: float) -> None:
        """Look again when the next closed or avoided endpoint may be used."""
        moments = [
            moment
            for end in self.endpoints
            for moment in (end.closed_until, end.avoided_until)
            if moment > now
        ]
        if not moments:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        delay = min(moments) - now
        self._alarm = asyncio.get_running_loop().call_later(delay, self._serve)
