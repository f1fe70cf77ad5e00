"""Serve an endpoint in the foreground until the user or the system stops it."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Callable

from porimon.errors import UserInputError
from porimon.llm.endpoint.faults import FaultPlan
from porimon.llm.endpoint.server import FakeEndpoint

_LATENCY = re.compile(r"(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?")


def parse_latency(text: str) -> tuple[float, float]:
    """Both ends of ``500`` or ``200-800``, in milliseconds. Raises ``UserInputError``."""
    match = _LATENCY.fullmatch(text.strip())
    low = float(match[1]) if match else 1.0
    high = float(match[2]) if match and match[2] else low
    if match is None or high < low:
        raise UserInputError(f"{text!r} is no latency", remedy="write 500 or 200-800")
    return low, high


def serve_until_stopped(
    faults: FaultPlan,
    latency_ms: tuple[float, float],
    *,
    seed: int,
    port: int,
    required_key: str | None,
    announce: Callable[[str], None],
) -> None:
    """Serve until SIGINT or SIGTERM; ``announce`` is given the base URL once it is ready."""

    async def serve() -> None:
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        endpoint = FakeEndpoint(
            faults=faults, latency_ms=latency_ms, seed=seed, port=port, required_key=required_key
        )
        async with endpoint:
            announce(endpoint.base_url)
            # The user decides when this ends: there is no deadline to set.
            await stopped.wait()

    asyncio.run(serve())
