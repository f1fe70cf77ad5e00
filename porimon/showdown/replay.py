"""Simulates recorded battles again from seed, teams and choices, and compares the logs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from types import TracebackType
from typing import Any, Self

from porimon.errors import MachineSetupError, RecordError
from porimon.showdown.arena_log import clean_log
from porimon.showdown.arena_model import Role
from porimon.showdown.child_environment import child_environment
from porimon.showdown.node import NodeParts, prepare_node_parts
from porimon.showdown.server_process import kill_group

SIMULATION_DEADLINE_SECONDS = 120.0
"""How long one battle may take; the longest (1,000 turns) take a few seconds."""

_LONGEST_LINE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SimulatedBattle:
    """What came out of a simulation; ``log`` is as in ``PlayedBattle``."""

    log: str
    winner: Role | None
    turns: int
    ended: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """The first line in which two logs differ. ``line`` counts from 1; ``None``: no such line."""

    line: int
    left: str | None
    right: str | None

    def __str__(self) -> str:
        return f"line {self.line}: {self.left!r} became {self.right!r}"


class Simulator:
    """The pinned simulator as a process that takes one battle after the other.

    Used as an asynchronous context manager; calls of ``run`` at once wait for each other.
    """

    def __init__(self, parts: NodeParts | None = None) -> None:
        self._parts = parts
        self._process: asyncio.subprocess.Process | None = None
        self._one_at_a_time = asyncio.Lock()

    async def __aenter__(self) -> Self:
        parts = self._parts
        if parts is None:
            parts = await asyncio.to_thread(prepare_node_parts)
        self._process = await asyncio.create_subprocess_exec(
            parts.node,
            str(parts.showdown_server / "simulate.js"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE_BYTES,
            env=child_environment(),
            start_new_session=True,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._process is not None:
            kill_group(self._process.pid)
            # Also takes in what is left in the pipes, so that they are closed.
            await self._process.communicate()
            self._process = None

    async def run(self, choices: Sequence[str]) -> SimulatedBattle:
        """Simulate one battle from its ``choices``.

        Raises ``RecordError`` when the simulator cannot follow them.
        """
        async with self._one_at_a_time:
            answer = await self._ask({"id": 0, "choices": list(choices)})
        if "error" in answer:
            raise RecordError(f"the battle cannot be simulated again: {answer['error']}")
        return SimulatedBattle(
            log=clean_log(answer["log"], {}),
            winner=answer["winner"],
            turns=int(answer["turns"]),
            ended=bool(answer["ended"]),
        )

    async def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise RuntimeError("the simulator is used outside `async with`")
        try:
            async with asyncio.timeout(SIMULATION_DEADLINE_SECONDS):
                process.stdin.write(json.dumps(request).encode() + b"\n")
                await process.stdin.drain()
                line = await process.stdout.readline()
        except (TimeoutError, ConnectionError) as error:
            raise MachineSetupError(
                "the simulator does not answer", remedy="run: porimon doctor"
            ) from error
        if not line:
            raise MachineSetupError("the simulator died", remedy="run: porimon doctor")
        return dict(json.loads(line))


async def resimulate(choices: Sequence[str], parts: NodeParts | None = None) -> str:
    """The log of one battle, simulated again. For many battles use one ``Simulator``."""
    async with Simulator(parts) as simulator:
        return (await simulator.run(choices)).log


def first_difference(left: str, right: str) -> Difference | None:
    """The first line in which two logs differ, ``None`` when they are the same."""
    pairs = zip_longest(left.split("\n"), right.split("\n"))
    for number, (left_line, right_line) in enumerate(pairs, start=1):
        if left_line != right_line:
            return Difference(number, left_line, right_line)
    return None
