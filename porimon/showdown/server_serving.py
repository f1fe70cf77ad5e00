"""Keeps a Showdown server up until a signal asks it to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path

from porimon.errors import MachineSetupError
from porimon.showdown.server import ShowdownServer

_LOOK_SECONDS = 1.0


def serve_until_stopped(
    announce: Callable[[str], None], *, port: int, simulators: int, folder: Path | None = None
) -> None:
    """Run a server on loopback until SIGINT or SIGTERM.

    ``announce`` gets its address once it takes connections. Raises ``MachineSetupError`` when it
    cannot start, or dies while it should be up.
    """
    asyncio.run(_serve(announce, port=port, simulators=simulators, folder=folder))


async def _serve(
    announce: Callable[[str], None], *, port: int, simulators: int, folder: Path | None
) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with ShowdownServer(folder, port=port, simulators=simulators) as server:
        announce(server.url)
        while not stop.is_set():
            if server.pid is None:
                raise MachineSetupError(
                    "the Showdown server died",
                    where=str(server.log_file),
                    remedy="start it again; if it keeps dying, run: porimon doctor",
                )
            try:
                await asyncio.wait_for(stop.wait(), _LOOK_SECONDS)
            except TimeoutError:
                continue
