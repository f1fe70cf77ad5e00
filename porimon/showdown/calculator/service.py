"""The damage-calculator service as a child process: started, watched, restarted, ended.

The service listens on a free loopback port, prints it when it is ready, and ends by itself when
this process does (its standard input closes then). This process asks it over its standard input and
output (``exchange``), which costs a fraction of what HTTP does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING

from porimon.errors import MachineSetupError
from porimon.showdown.calculator.exchange import LONGEST_LINE, LineExchange
from porimon.showdown.child_environment import child_environment

if TYPE_CHECKING:
    from porimon.showdown.node import NodeParts

READY_DEADLINE_SECONDS = 30.0
"""How long the service may take until it listens (a second, on an idle machine)."""

_END_DEADLINE_SECONDS = 3.0
_KEPT_ERROR_LINES = 20


class CalculatorService:
    """One running service. Use as an asynchronous context manager.

    ``parts`` are the set-up Node parts, ``None``: set them up (in a thread) when the service
    starts. ``base_url`` changes with every restart, ``starts`` counts them. Raises
    ``MachineSetupError`` where the service does not come up.
    """

    def __init__(
        self, parts: NodeParts | None = None, *, ready_deadline: float = READY_DEADLINE_SECONDS
    ) -> None:
        self._parts = parts
        self._ready_deadline = ready_deadline
        self._process: asyncio.subprocess.Process | None = None
        self._drains: list[asyncio.Task[None]] = []
        self._errors: deque[str] = deque(maxlen=_KEPT_ERROR_LINES)
        self._lock = asyncio.Lock()
        self._port: int | None = None
        self._exchange: LineExchange | None = None
        self.starts = 0
        """How often the service came up: tells one life of it from the next."""

    async def __aenter__(self) -> CalculatorService:
        async with self._lock:
            await self._start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        async with self._lock:
            await self._end()

    @property
    def base_url(self) -> str:
        """Where the service listens now (``http://127.0.0.1:PORT``)."""
        if self._port is None:
            raise MachineSetupError("the damage calculator is not running")
        return f"http://127.0.0.1:{self._port}"

    @property
    def exchange(self) -> LineExchange:
        """Asks the service that runs now: a line is the body of a ``POST /calculate``."""
        if self._exchange is None:
            raise MachineSetupError("the damage calculator is not running")
        return self._exchange

    @property
    def process_id(self) -> int | None:
        """The process that runs the service, ``None`` when there is none."""
        return None if self._process is None else self._process.pid

    async def replace(self, life: int) -> None:
        """End the service of that ``life`` (a value of ``starts``) and start a new one.

        Does nothing if it was replaced already: of many callers that saw it fail, one restarts it.
        """
        async with self._lock:
            if self.starts == life:
                await self._end(patiently=False)
                await self._start()

    async def _start(self) -> None:
        if self._parts is None:
            from porimon.showdown.node import prepare_node_parts

            self._parts = await asyncio.to_thread(prepare_node_parts)
        self._errors.clear()
        self._process = await asyncio.create_subprocess_exec(
            self._parts.node,
            str(self._parts.calc_api / "server.mjs"),
            "0",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
            env=child_environment(),
            start_new_session=True,  # Ctrl-C is for us alone: decisions in flight are finished
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._drains = [asyncio.create_task(self._keep_lines(self._process.stderr))]
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), self._ready_deadline)
            self._port = int(json.loads(line)["port"])
        except (TimeoutError, ValueError, KeyError, TypeError) as error:
            await self._end()
            raise MachineSetupError(
                f"the damage calculator did not start: {' '.join(self._errors) or 'no message'}",
                where=str(self._parts.calc_api),
                remedy="porimon doctor",
            ) from error
        except asyncio.CancelledError:
            await self._end()
            raise
        self._exchange = LineExchange(self._process.stdout, self._process.stdin)
        # Counted when it is up, so that who calls meanwhile waits for this start, not for another.
        self.starts += 1

    async def _keep_lines(self, stream: asyncio.StreamReader) -> None:
        # A pipe that nobody reads would stop the service once it is full.
        while line := await stream.readline():
            self._errors.append(line.decode(errors="replace").strip())

    async def _end(self, patiently: bool = True) -> None:
        process, self._process, self._port = self._process, None, None
        exchange, self._exchange = self._exchange, None
        if process is not None:
            signals = [process.terminate, process.kill] if patiently else [process.kill]
            for signal in signals:
                if process.returncode is None:
                    with contextlib.suppress(ProcessLookupError):
                        signal()
                    # A stopped process does not see SIGTERM; SIGKILL it cannot miss.
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(process.wait(), _END_DEADLINE_SECONDS)
            if process.stdin is not None:
                process.stdin.close()
        if exchange is not None:
            await exchange.close()
        drains, self._drains = self._drains, []
        for drain in drains:
            drain.cancel()
        await asyncio.gather(*drains, return_exceptions=True)
