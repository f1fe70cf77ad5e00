"""Servers that die, freeze or cut connections under a battle: noticed within 10 s, never a hang."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import psutil
import pytest

from porimon.errors import BattleAborted, MachineSetupError, PorimonError
from porimon.showdown.arena import BATTLE_FORMAT, Arena
from porimon.showdown.node import NodeParts
from porimon.showdown.server import ShowdownServer
from porimon.showdown.server_process import kill_group
from tests.integration.choosers import RandomChooser, Slow
from tests.integration.conftest import SharedServer

pytestmark = pytest.mark.server

NOTICED_SECONDS = 10.0


class Announces(RandomChooser):
    """Tells when the battle is under way, then plays slowly enough to be caught in it."""

    def __init__(self, under_way: asyncio.Event) -> None:
        super().__init__()
        self.under_way = under_way

    async def choose(self, moment):  # type: ignore[no-untyped-def]
        if moment.battle.turn >= 2:
            self.under_way.set()
        await asyncio.sleep(0.05)
        return await super().choose(moment)


async def abort_seconds(arena: Arena, fault) -> float:  # type: ignore[no-untyped-def]
    """Play a battle, let the fault happen in it; how long the battle took to be aborted."""
    under_way = asyncio.Event()
    playing = asyncio.create_task(
        arena.play(1, BATTLE_FORMAT, Announces(under_way), RandomChooser(), deadline_seconds=120)
    )
    async with asyncio.timeout(30):
        await under_way.wait()
    fault()
    started = time.monotonic()
    async with asyncio.timeout(2 * NOTICED_SECONDS):
        with pytest.raises(BattleAborted):
            await playing
    return time.monotonic() - started


async def goes_on(arena: Arena) -> bool:
    """Whether the next battle is played as if nothing had happened."""
    battle = await arena.play(2, BATTLE_FORMAT, RandomChooser(), RandomChooser(1))
    return battle.end_reason == "normal"


def signal_process(process_id: int, number: signal.Signals) -> None:
    os.kill(process_id, number)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
async def test_server_killed_or_frozen(
    tmp_path: Path, node_parts: NodeParts, number: signal.Signals
) -> None:
    async with ShowdownServer(tmp_path, parts=node_parts) as server, Arena(server) as arena:
        process_id = server.pid
        assert process_id is not None
        seconds = await abort_seconds(arena, lambda: signal_process(process_id, number))
        assert seconds < NOTICED_SECONDS
        assert await goes_on(arena)
        assert server.pid not in (None, process_id)
        assert not psutil.pid_exists(process_id)


def simulator(server: ShowdownServer) -> psutil.Process:
    (process,) = psutil.Process(server.pid).children(recursive=True)
    return process


async def test_simulator_frozen_or_killed(tmp_path: Path, node_parts: NodeParts) -> None:
    """The server answers, but the process that simulates battles doesn't."""
    async with ShowdownServer(tmp_path, parts=node_parts) as server, Arena(server) as arena:
        assert await abort_seconds(arena, lambda: simulator(server).suspend()) < NOTICED_SECONDS
        assert await goes_on(arena)
        assert await abort_seconds(arena, lambda: simulator(server).kill()) < NOTICED_SECONDS
        assert await goes_on(arena)


async def test_websocket_cut(showdown_server: SharedServer) -> None:
    async with Arena(showdown_server) as arena:
        (lane,) = [await arena._lanes._open_lane()]
        arena._lanes._free.append(lane)
        response = lane.second._websocket._response

        def cut() -> None:
            assert response.connection is not None
            assert response.connection.transport is not None
            response.connection.transport.abort()

        assert await abort_seconds(arena, cut) < NOTICED_SECONDS
        assert await goes_on(arena)


async def until_gone(server: ShowdownServer) -> None:
    for _ in range(1000):
        if server.pid is None:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the killed server is still there")


@pytest.mark.long
async def test_a_server_that_keeps_dying_is_given_up(
    tmp_path: Path, node_parts: NodeParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Battles are aborted and put back; after some restarts in vain somebody must look at it."""
    monkeypatch.setattr("porimon.showdown.arena_lanes._MAXIMUM_RESTARTS_IN_A_ROW", 2)
    started: set[int] = set()
    errors: list[PorimonError] = []
    async with ShowdownServer(tmp_path, parts=node_parts) as server, Arena(server) as arena:
        while not any(isinstance(error, MachineSetupError) for error in errors):
            assert len(errors) < 20
            if server.pid is not None:
                started.add(server.pid)
                kill_group(server.pid)
                await until_gone(server)
            try:
                await arena.play(1, BATTLE_FORMAT, Slow(60), Slow(60), deadline_seconds=0.01)
            except PorimonError as error:
                errors.append(error)
    assert len(started) == 3
    assert all(isinstance(error, BattleAborted) for error in errors[:-1])
    assert "times in a row" in str(errors[-1])


@pytest.mark.long
async def test_restart_aborts_what_is_played_and_goes_on(
    tmp_path: Path, node_parts: NodeParts
) -> None:
    async with ShowdownServer(tmp_path, parts=node_parts) as server, Arena(server) as arena:
        restarting: list[asyncio.Task[None]] = []
        seconds = await abort_seconds(
            arena, lambda: restarting.append(asyncio.create_task(arena.restart()))
        )
        assert seconds < NOTICED_SECONDS
        await restarting[0]
        assert await goes_on(arena)
