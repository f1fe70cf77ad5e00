"""Whole runs as a user starts them, and an endpoint beside them that fails on request."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from porimon.llm.endpoint.faults import EndpointFault, FaultPlan
from porimon.llm.endpoint.policy import Policy
from porimon.llm.endpoint.server import FakeEndpoint

KEY_VARIABLE = "PORIMON_ENDURE_KEY"
KEY = "sk-endure-0123456789abcdef-planted"
STOPPED = 4
"""Exit code of a run that stopped early and can go on."""

TOURNAMENT = """
name = "endure"
battles = {battles}
seed = 11
llm = "beside"
round_robin = ["p", "lt1-uniform"]
failures_before_pause = 2
{more}
[concurrency]
battles = 2
per_matchup = 2
[defaults.memory]
minimum = 1
"""

MODELS = """
[beside]
base_url = "http://127.0.0.1:{port}/v1"
model = "offline-reader"
key_env = "{key}"
timeout_seconds = {timeout}
max_attempts = 2
backoff_seconds = 0.2
concurrency = 8
{more}
"""


class SwitchedFaults(FaultPlan):
    """Requests meet what is switched on now."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: itertools.cycle[EndpointFault] | None = None
        self._good = 0

    def switch(self, kind: str | None, *, after: int = 0) -> None:
        """From now on every request meets this fault, the first ``after`` ones left out."""
        self._good = after
        self._kinds = None if kind is None else itertools.cycle([EndpointFault(kind)])

    def rotate(self, kinds: Sequence[str]) -> None:
        """From now on requests meet these faults in turn."""
        self._good = 0
        self._kinds = itertools.cycle([EndpointFault(kind) for kind in kinds])

    def next_fault(self, content: bytes) -> EndpointFault | None:
        if self._kinds is None or self._good > 0:
            self._good -= 1
            return None
        return next(self._kinds)


@dataclass
class Beside:
    """The endpoint that runs in another thread of the test's process."""

    fake: FakeEndpoint
    faults: SwitchedFaults
    port: int

    @property
    def answered(self) -> int:
        return self.fake.counts["answered"]


@contextlib.contextmanager
def endpoint_beside(latency_ms: float = 0.0, policy: Policy | None = None) -> Iterator[Beside]:
    """The offline reader (or another policy) over HTTP; it wants the planted key."""
    faults = SwitchedFaults()
    started: list[Beside] = []
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def serve() -> None:
        async with FakeEndpoint(policy, faults, latency_ms, required_key=KEY) as fake:
            started.append(Beside(fake, faults, fake.port))
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), name="endpoint")
    thread.start()
    assert ready.wait(30)
    try:
        yield started[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(30)
        loop.close()


@dataclass
class Workplace:
    """A folder with a tournament's files, and the runs that are started in it."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    started: int = 0

    @classmethod
    def make(
        cls,
        folder: Path,
        port: int,
        *,
        battles: int = 2,
        tournament: str = "",
        models: str = "",
        timeout: float = 30,
    ) -> Workplace:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "endure.toml").write_text(TOURNAMENT.format(battles=battles, more=tournament))
        (folder / "models.toml").write_text(
            MODELS.format(port=port, key=KEY_VARIABLE, timeout=timeout, more=models)
        )
        return cls(folder, {**os.environ, KEY_VARIABLE: KEY})

    @property
    def run(self) -> Path:
        return self.folder / "runs" / "endure"

    def arguments(self, *more: str) -> list[str]:
        return ["run", "endure.toml", "--llm-file", "models.toml", "--json", *more]

    def start(self, *arguments: str, **options: Any) -> Started:
        """Start a command; by default the run itself. Its output goes to files."""
        self.started += 1
        out = self.folder / f"out-{self.started}.txt"
        err = self.folder / f"err-{self.started}.txt"
        with out.open("wb") as stdout, err.open("wb") as stderr:
            process = subprocess.Popen(
                [sys.executable, "-m", "porimon", *(arguments or self.arguments())],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                **options,
            )
        return Started(process, out, err)

    def finish(self, *arguments: str, seconds: float = 150, **options: Any) -> Ended:
        """Start a command and wait for its end."""
        with self.start(*arguments, **options) as started:
            return started.wait(seconds)

    def rows(self, table: str) -> int:
        """How many rows a table of the record has; 0 while there is no record."""
        with contextlib.suppress(sqlite3.Error):
            uri = f"{(self.run / 'run.sqlite').as_uri()}?mode=ro"
            with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
                return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
        return 0


@dataclass
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def resume(self) -> list[str]:
        """The arguments of the command that it says goes on."""
        # The message may be wrapped for a terminal; this one goes to a file and is not.
        (line,) = [line for line in self.err.splitlines() if "porimon run" in line][-1:]
        return shlex.split(line[line.index("porimon run") :])[1:]


@dataclass
class Started:
    """A command that runs."""

    process: subprocess.Popen[bytes]
    out: Path
    err: Path

    def __enter__(self) -> Started:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.kill()

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait(30)

    def wait(self, seconds: float) -> Ended:
        code = self.process.wait(seconds)
        return Ended(code, self.out.read_text(), self.err.read_text())

    def until(self, condition: Callable[[], bool], seconds: float = 90) -> None:
        """Wait until the condition holds or the command has ended."""
        deadline = time.monotonic() + seconds
        while not condition() and self.process.poll() is None:
            assert time.monotonic() < deadline, self.err.read_text()
            time.sleep(0.005)

    def until_answered(self, beside: Beside, calls: int) -> None:
        """Wait until the endpoint has given so many answers or the command has ended."""
        self.until(lambda: beside.answered >= calls)
