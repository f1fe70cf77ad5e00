"""The Showdown server as a process of ours (``ShowdownServer``) or of somebody else's.

Our own runs on loopback, in its own run folder, and is watched: one that is frozen is killed, so
that everything connected to it notices. Both are used as asynchronous context managers.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import aiohttp

from porimon.errors import BattleAborted, MachineSetupError, UserInputError
from porimon.showdown.child_environment import child_environment
from porimon.showdown.node import NodeParts, prepare_node_parts
from porimon.showdown.server_process import kill_group, states_known
from porimon.showdown.server_watch import until_broken

START_DEADLINE_SECONDS = 90.0
"""How long a server may take until it takes connections (a second or two on an idle machine)."""

STOP_DEADLINE_SECONDS = 3.0
"""How long a server may take to stop by itself before it is killed."""

_EXTERNAL_PING_SECONDS = 5.0

_logger = logging.getLogger(__name__)

_LOG_NAME = "server.log"
_LOG_TAIL_LINES = 12


class Server(Protocol):
    """A Showdown server that an arena can play on."""

    @property
    def url(self) -> str:
        """Its address, as ``http://host:port``."""
        ...

    @property
    def seeded(self) -> bool:
        """Whether it has our plugin: battles with a given seed, and their full record."""
        ...

    @property
    def watched(self) -> bool:
        """Whether a watchdog ends it when it is frozen: silent, it then is only slow."""
        ...

    async def alive(self) -> bool:
        """Whether it is up: if not, only a restart helps."""
        ...

    async def restart(self) -> None:
        """Start it again; ``MachineSetupError`` where that fails, ``BattleAborted`` where it is
        somebody else's to do."""
        ...


def websocket_url(server: Server) -> str:
    """Where a client of ``server`` connects to."""
    return re.sub(r"^http", "ws", server.url) + "/showdown/websocket"


class ShowdownServer:
    """The pinned server as a child process.

    Parameters
    ----------
    folder:
        Its run folder (server log, config, nothing else of value); ``None``: a temporary one.
    port:
        The port on loopback; 0: a free one.
    simulators:
        How many processes simulate battles beside the server's own; 0: it simulates by itself.
    parts:
        The Node parts, where they are set up already.
    """

    seeded = True

    def __init__(
        self,
        folder: Path | None = None,
        *,
        port: int = 0,
        simulators: int = 1,
        parts: NodeParts | None = None,
    ) -> None:
        self._given_folder = folder
        self._given_port = port
        self._simulators = simulators
        self._parts = parts
        self._port: int | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._session: aiohttp.ClientSession | None = None

    @property
    def url(self) -> str:
        """Its address; ``RuntimeError`` before it was started."""
        if self._port is None:
            raise RuntimeError("the server has not been started")
        return f"http://127.0.0.1:{self._port}"

    @property
    def watched(self) -> bool:
        """Whether the watchdog sees everything that can freeze: its simulators as well."""
        return states_known()

    @property
    def pid(self) -> int | None:
        """Process id of the running server, ``None`` if it does not run."""
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if running and self._process is not None else None

    @property
    def log_file(self) -> Path:
        """The file that holds all of the server's output."""
        if self._given_folder is not None:
            return self._given_folder / _LOG_NAME
        if self._temporary is None:
            raise RuntimeError("the server has not been started")
        return Path(self._temporary.name) / _LOG_NAME

    async def __aenter__(self) -> Self:
        try:
            await self._start()
        except BaseException:
            await self.stop()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.stop()

    async def alive(self) -> bool:
        """Whether the process runs. A frozen one does not for long: the watchdog ends it."""
        return self.pid is not None

    async def restart(self) -> None:
        """Kill what is left of the old process and start a new one, on the same port if one was
        asked for. Battles of the old one are gone."""
        await self._stop_process()
        await self._start()

    async def stop(self) -> None:
        """Stop the process and everything it started; harmless when nothing runs."""
        await self._stop_process()
        if self._session is not None:
            await self._session.close()
            self._session = None
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None

    async def _start(self) -> None:
        if self._parts is None:
            self._parts = await asyncio.to_thread(prepare_node_parts)
        if self._given_folder is None and self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(
                prefix="porimon-server-", ignore_cleanup_errors=True
            )
        folder = self.log_file.parent
        folder.mkdir(parents=True, exist_ok=True)
        with self.log_file.open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                self._parts.node,
                "--preserve-symlinks",
                "--preserve-symlinks-main",
                str(self._parts.showdown_server / "start.js"),
                f"--folder={folder}",
                f"--port={self._given_port}",
                f"--simulators={self._simulators}",
                stdin=asyncio.subprocess.PIPE,  # closed by our death, whatever its cause
                stdout=asyncio.subprocess.PIPE,
                stderr=output,
                env=child_environment(),
                start_new_session=True,  # Ctrl-C is for us alone: decisions in flight are finished
            )
        self._port = await self._wait_until_ready(self._process)
        if self._session is None:
            self._session = aiohttp.ClientSession()
        self._tasks = [
            asyncio.create_task(self._drain(self._process), name="showdown server output"),
            asyncio.create_task(self._watch(self._process), name="showdown server watchdog"),
        ]

    async def _wait_until_ready(self, process: asyncio.subprocess.Process) -> int:
        assert process.stdout is not None
        try:
            line = await asyncio.wait_for(process.stdout.readline(), START_DEADLINE_SECONDS)
        except TimeoutError:
            line = b""
            reason = f"did not take connections within {START_DEADLINE_SECONDS:.0f} s"
        else:
            reason = "stopped while starting"
        try:
            return int(json.loads(line)["port"])
        except (ValueError, KeyError, TypeError):
            await self._stop_process()
            raise MachineSetupError(
                f"the Showdown server {reason}:\n    {self._log_tail()}",
                where=str(self.log_file),
                remedy="choose another port if it is in use; else run: porimon doctor",
            ) from None

    def _log_tail(self) -> str:
        try:
            lines = self.log_file.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return "(it wrote nothing)"
        return "\n    ".join(lines[-_LOG_TAIL_LINES:]) or "(it wrote nothing)"

    async def _drain(self, process: asyncio.subprocess.Process) -> None:
        # Nothing more is expected on stdout; unread output would block the server some day.
        assert process.stdout is not None
        while await process.stdout.read(65536):
            pass

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        """End the server when it is broken: its clients then see their connections end."""
        session, url = self._session, self.url
        assert session is not None
        broken = asyncio.create_task(
            until_broken(process.pid, lambda deadline: answers(session, url, deadline))
        )
        ended = asyncio.create_task(process.wait())
        try:
            await asyncio.wait({broken, ended}, return_when=asyncio.FIRST_COMPLETED)
            if process.returncode is None:
                try:
                    _logger.warning("the Showdown server %s: it is ended", broken.result())
                finally:
                    # Even if watching fails: a server that nobody watches must not stay.
                    kill_group(process.pid)
        finally:
            for task in (broken, ended):
                task.cancel()
            await asyncio.gather(broken, ended, return_exceptions=True)

    async def _stop_process(self) -> None:
        process, self._process = self._process, None
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        if process is not None:
            await _end(process)
        await asyncio.gather(*tasks, return_exceptions=True)


class ExternalServer:
    """A Showdown server that somebody else keeps up (``--server URL``).

    It has no plugin of ours: battles come about by a challenge, with teams and dice of its own.
    """

    seeded = False
    watched = False

    def __init__(self, address: str) -> None:
        self._url = parse_server_address(address)
        self._session: aiohttp.ClientSession | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return self._url

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession()
        if not await self.alive():
            await self._session.close()
            raise MachineSetupError(
                f"no Showdown server answers at {self._url}",
                where=self._url,
                remedy="start one with `porimon serve`, or leave --server out to use our own",
            )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def alive(self) -> bool:
        """Whether it answers now."""
        if self._session is None:
            return False
        return await answers(self._session, self._url, _EXTERNAL_PING_SECONDS)

    async def restart(self) -> None:
        """Not ours to do: raises ``BattleAborted``, for it may come back."""
        raise BattleAborted(
            f"the Showdown server at {self._url} does not answer any more",
            where=self._url,
            remedy="start it again, then go on",
        )


def parse_server_address(address: str) -> str:
    """``http://host:port`` of a server, from that or ``host:port`` or its websocket address.

    Raises ``UserInputError`` for anything else.
    """
    match = re.fullmatch(
        r"(?:(?P<scheme>https?|wss?)://)?(?P<host>[A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])"
        r"(?::(?P<port>\d{1,5}))?(?:/|/showdown(?:/websocket)?/?)?",
        address.strip(),
    )
    if match is None or int(match["port"] or 0) > 65535:
        raise UserInputError(
            f"{address!r} is not the address of a Showdown server",
            where="--server",
            remedy="give it as http://127.0.0.1:8000",
        )
    secure = match["scheme"] in ("https", "wss")
    port = f":{match['port']}" if match["port"] else ""
    return f"{'https' if secure else 'http'}://{match['host']}{port}"


async def answers(session: aiohttp.ClientSession, url: str, deadline_seconds: float) -> bool:
    """Whether a Showdown server at ``url`` answers within the deadline."""
    try:
        async with session.get(
            f"{url}/showdown/info", timeout=aiohttp.ClientTimeout(total=deadline_seconds)
        ) as response:
            return response.status == 200
    except (aiohttp.ClientError, TimeoutError, OSError):
        return False


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a server process and all that it started: politely, then by force."""
    if process.stdin is not None:
        process.stdin.close()
    if process.returncode is None:
        kill_group(process.pid, signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), STOP_DEADLINE_SECONDS)
        except TimeoutError:
            kill_group(process.pid)
            await process.wait()
    kill_group(process.pid)  # simulators that hang survive their server
