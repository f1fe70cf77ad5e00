"""The watchdog of the server: a frozen process is seen in time, a slow machine is not mistaken."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from porimon.errors import BattleAborted
from porimon.showdown import server_watch
from porimon.showdown.arena import BATTLE_FORMAT, Arena
from porimon.showdown.node import NodeParts
from porimon.showdown.server import ShowdownServer
from porimon.showdown.server_process import children, kill_group
from porimon.showdown.server_watch import until_broken
from tests.integration.choosers import RandomChooser

SLEEPS = "import time; time.sleep(60)"
WORKS = "while True: pass"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rules with shorter pauses."""
    monkeypatch.setattr(server_watch, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(server_watch, "PING_DEADLINE_SECONDS", 0.1)


@pytest.fixture(params=[SLEEPS])
def process(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", request.param]) as running:
        time.sleep(0.5)  # past its start, which takes processor time
        yield running
        running.kill()


async def silence(deadline: float) -> bool:
    await asyncio.sleep(deadline)
    return False


@asynccontextmanager
async def watching(process_id: int, ping=silence) -> AsyncIterator[asyncio.Task[str]]:  # type: ignore[no-untyped-def]
    task = asyncio.create_task(until_broken(process_id, ping))
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def seen(task: asyncio.Task[str], seconds: float) -> bool:
    """Whether the watchdog says within ``seconds`` that the server is frozen."""
    done, _ = await asyncio.wait({task}, timeout=seconds)
    return bool(done)


async def test_a_silent_idle_process_is_frozen_after_several_pings(
    quick: None, process: subprocess.Popen[bytes]
) -> None:
    pings = 0

    async def counted(deadline: float) -> bool:
        nonlocal pings
        pings += 1
        return await silence(deadline)

    async with watching(process.pid, counted) as task:
        assert await seen(task, 10)
    assert pings >= server_watch.SILENT_LOOKS


async def test_one_answer_among_the_pings_is_enough(
    quick: None, process: subprocess.Popen[bytes]
) -> None:
    pings = 0

    async def every_third(deadline: float) -> bool:
        nonlocal pings
        pings += 1
        return pings % server_watch.SILENT_LOOKS == 0 or await silence(deadline)

    async with watching(process.pid, every_third) as task:
        assert not await seen(task, 2.5)
    assert pings > 2 * server_watch.SILENT_LOOKS


@pytest.mark.parametrize("process", [WORKS], indirect=True)
async def test_a_process_at_work_gets_more_time(
    quick: None, process: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """But not for ever: an endless loop in the server must not hold up the run."""
    monkeypatch.setattr(server_watch, "BUSY_LOOKS", 12)
    started = time.monotonic()
    async with watching(process.pid) as task:
        assert await seen(task, 30)
    assert time.monotonic() - started > 12 * 0.2


async def test_a_ping_that_fails_while_our_own_loop_is_held_up_proves_nothing(
    quick: None, process: subprocess.Popen[bytes]
) -> None:
    async with watching(process.pid) as task:
        for _ in range(4):
            await asyncio.sleep(0.05)
            time.sleep(0.8)  # noqa: ASYNC251 - the fault itself: nothing else runs meanwhile
        assert not task.done()
        assert await seen(task, 10), "once our loop is on time, the process is found frozen"


async def test_a_stopped_process_is_frozen_even_while_pings_are_answered(
    quick: None, process: subprocess.Popen[bytes]
) -> None:
    """A frozen simulator looks like this: the server itself still answers."""

    async def answered(deadline: float) -> bool:
        return True

    async with watching(process.pid, answered) as task:
        assert not await seen(task, 0.5)
        process.send_signal(signal.SIGSTOP)
        assert await seen(task, 5)


async def test_a_process_stopped_for_a_moment_is_left_alone(
    quick: None, process: subprocess.Popen[bytes]
) -> None:
    async def answered(deadline: float) -> bool:
        return True

    async with watching(process.pid, answered) as task:
        process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(0.1)
        process.send_signal(signal.SIGCONT)
        assert not await seen(task, 1)


PARENT = "import subprocess; subprocess.run(['sleep', '60']); import time; time.sleep(60)"


@pytest.mark.parametrize("process", [PARENT], indirect=True)
async def test_a_simulator_that_is_gone_is_missed(
    quick: None, process: subprocess.Popen[bytes]
) -> None:
    async def answered(deadline: float) -> bool:
        return True

    async with asyncio.timeout(30):
        while not children(process.pid):  # noqa: ASYNC110 - nothing tells of another's children
            await asyncio.sleep(0.05)
    async with watching(process.pid, answered) as task:
        assert not await seen(task, 0.5)
        os.kill(children(process.pid)[0], signal.SIGKILL)
        assert await seen(task, 5)
        assert task.result() == "has lost a simulator"


@pytest.mark.server
async def test_our_own_loop_held_up_for_long_costs_no_battle(
    tmp_path: Path, node_parts: NodeParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server stays the same one, and the battle goes on where it was."""
    monkeypatch.setattr(server_watch, "PING_DEADLINE_SECONDS", 0.5)

    class HoldsUp(RandomChooser):
        async def choose(self, moment):  # type: ignore[no-untyped-def]
            if moment.battle.turn == 3:
                time.sleep(2.5)  # noqa: ASYNC251 - the fault itself
            return await super().choose(moment)

    async with ShowdownServer(tmp_path, parts=node_parts) as server, Arena(server) as arena:
        process_id = server.pid
        played = await asyncio.gather(
            *(arena.play(seed, BATTLE_FORMAT, HoldsUp(), RandomChooser(1)) for seed in range(2))
        )
        assert [battle.end_reason for battle in played] == ["normal"] * 2
        assert server.pid == process_id


class Slowly(RandomChooser):
    """Gives the fault time to come in the middle of a battle."""

    async def choose(self, moment):  # type: ignore[no-untyped-def]
        await asyncio.sleep(0.01)
        return await super().choose(moment)


async def attempts_until_played(arena: Arena, seed: int) -> int:
    for attempt in range(1, 10):
        try:
            await arena.play(seed, BATTLE_FORMAT, Slowly(), RandomChooser(1))
        except BattleAborted:
            continue
        return attempt
    raise AssertionError("the battle broke off every time")


@pytest.mark.server
async def test_battles_in_flight_meet_a_dead_server_once_and_then_find_the_new_one(
    tmp_path: Path, node_parts: NodeParts
) -> None:
    async with ShowdownServer(tmp_path, parts=node_parts) as server, Arena(server) as arena:
        old_address = server.url
        playing = [asyncio.create_task(attempts_until_played(arena, seed)) for seed in range(6)]
        await asyncio.sleep(1)
        assert server.pid is not None
        kill_group(server.pid)
        attempts = await asyncio.gather(*playing)
        assert 1 < max(attempts) <= 2
        assert server.url != old_address
