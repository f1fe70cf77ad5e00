"""Starts workers as processes of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
from pathlib import Path

from porimon.errors import MachineSetupError
from porimon.tournament.crew.messages import Job

_SECONDS_TO_END = 10.0


class LocalWorkers:
    """A ``Starter`` of processes. What they have to say goes to ``worker-N.log`` in ``folder``."""

    host = "127.0.0.1"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def start(self, job: Job) -> LocalWorker:
        """Start one process and hand it its job."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / f"worker-{job.number}.log").open("ab") as log:
            try:
                process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "porimon.tournament.crew.process",
                    stdin=asyncio.subprocess.PIPE,
                    stdout=log,
                    stderr=log,
                    # Ctrl-C is for the coordinator, which lets answers in flight come in.
                    start_new_session=True,
                )
            except OSError as error:
                raise MachineSetupError(f"no worker process could be started: {error}") from error
        assert process.stdin is not None
        with contextlib.suppress(ConnectionError):  # it has ended already: ``ended`` tells
            process.stdin.write(pickle.dumps(job))
            process.stdin.write_eof()
        return LocalWorker(process)


class LocalWorker:
    """A worker process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @property
    def process_id(self) -> int:
        """The process."""
        return self._process.pid

    async def ended(self) -> str:
        """Come back when the process is gone; how it ended."""
        # No deadline: a worker stays as long as the run.
        code = await self._process.wait()
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    async def end(self) -> None:
        """Wait a moment for it to end (its connection is closed), then end it."""
        for signal in (None, self._process.terminate, self._process.kill):
            if self._process.returncode is None:
                if signal is not None:
                    with contextlib.suppress(ProcessLookupError):
                        signal()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._process.wait(), _SECONDS_TO_END)
