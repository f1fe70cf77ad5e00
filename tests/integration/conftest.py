"""Fixtures with the real thing: the Node parts, and one Showdown server for all tests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from porimon.errors import MachineSetupError
from porimon.showdown.arena import Arena
from porimon.showdown.node import NodeParts, prepare_node_parts
from porimon.showdown.server import ShowdownServer, answers


@dataclass(frozen=True)
class SharedServer:
    """A server that runs in another thread: tests of any event loop can play on it.

    Not to be killed or frozen: such tests start a ``ShowdownServer`` of their own.
    """

    url: str
    pid: int
    log_file: Path
    seeded: bool = True
    watched: bool = True

    async def alive(self) -> bool:
        async with aiohttp.ClientSession() as session:
            return await answers(session, self.url, 5.0)

    async def restart(self) -> None:
        raise MachineSetupError("the tests' shared server is gone")


@pytest.fixture(scope="session")
def node_parts() -> NodeParts:
    """The Node parts, set up in the user's cache folder."""
    return prepare_node_parts()


@pytest.fixture(scope="session")
def showdown_server(
    node_parts: NodeParts, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SharedServer]:
    """One seeded server for the whole session (loopback, free port)."""
    folder = tmp_path_factory.mktemp("showdown-server")
    started: list[SharedServer] = []
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def serve() -> None:
        async with ShowdownServer(folder, parts=node_parts) as server:
            assert server.pid is not None
            started.append(SharedServer(server.url, server.pid, server.log_file))
            ready.set()
            await stop.wait()

    def run() -> None:
        try:
            loop.run_until_complete(serve())
        finally:
            ready.set()

    thread = threading.Thread(target=run, name="shared showdown server")
    thread.start()
    ready.wait(120)
    assert started, "the shared server did not start"
    yield started[0]
    loop.call_soon_threadsafe(stop.set)
    thread.join(30)
    loop.close()


@pytest.fixture
async def arena(showdown_server: SharedServer) -> AsyncIterator[Arena]:
    """An arena on the shared server."""
    async with Arena(showdown_server, concurrency=8) as arena:
        yield arena
