"""The server process: loopback only, beside others, and gone when it should be."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import aiohttp
import psutil
import pytest

from porimon.errors import BattleAborted, MachineSetupError
from porimon.showdown.arena import BATTLE_FORMAT, Arena
from porimon.showdown.connection import Connection, LoginRefused
from porimon.showdown.node import NodeParts
from porimon.showdown.server import ExternalServer, ShowdownServer, websocket_url
from tests.integration.choosers import RandomChooser
from tests.integration.conftest import SharedServer

pytestmark = pytest.mark.server


def family(process_id: int) -> list[psutil.Process]:
    process = psutil.Process(process_id)
    return [process, *process.children(recursive=True)]


def wait_gone(processes: list[psutil.Process], seconds: float = 15.0) -> list[psutil.Process]:
    """Those of the processes that are still there after ``seconds``."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        left = [p for p in processes if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]
        if not left:
            return []
        time.sleep(0.05)
    return left


def files_below(folder: Path) -> set[tuple[str, int]]:
    return {(str(p), p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file()}


async def test_only_loopback_and_no_other_socket(showdown_server: SharedServer) -> None:
    """Nothing listens but one port on 127.0.0.1; nobody outside is connected to."""
    async with Arena(showdown_server) as arena:
        await arena.play(1, BATTLE_FORMAT, RandomChooser(), RandomChooser())
        listening = []
        for process in family(showdown_server.pid):
            for found in process.net_connections(kind="inet"):
                assert found.laddr.ip == "127.0.0.1"
                if found.status == psutil.CONN_LISTEN:
                    listening.append(found.laddr.port)
                elif found.raddr:
                    assert found.raddr.ip == "127.0.0.1"
            # A REPL over a named socket would let anyone on this machine run code in the server.
            named = [found.laddr for found in process.net_connections(kind="unix") if found.laddr]
            assert named == []
        assert listening == [int(showdown_server.url.rsplit(":", 1)[1])]


async def test_two_side_by_side_do_not_disturb_each_other(
    tmp_path: Path, node_parts: NodeParts
) -> None:
    package = node_parts.showdown_server / "node_modules" / "pokemon-showdown"
    outside = [package / name for name in ("config", "logs", "databases")]
    before = [files_below(folder) for folder in outside]
    async with ShowdownServer(tmp_path / "one", parts=node_parts) as one, Arena(one) as first:
        async with ShowdownServer(tmp_path / "two", parts=node_parts) as two, Arena(two) as second:
            assert one.url != two.url
            battles = await asyncio.gather(
                *(
                    arena.play(3, BATTLE_FORMAT, RandomChooser(1), RandomChooser(2))
                    for arena in (first, second)
                )
            )
            assert battles[0].log == battles[1].log
        assert not await two.alive()
        assert await one.alive()
        await first.play(4, BATTLE_FORMAT, RandomChooser(1), RandomChooser(2))
    assert [files_below(folder) for folder in outside] == before
    assert (tmp_path / "one" / "server.log").stat().st_size > 0
    # No chat and no battle is logged: nothing but the number of the last battle, say.
    for path in (tmp_path / "one").rglob("*"):
        if path.is_file() and "root" in path.parts and not path.is_symlink():
            assert "|switch|" not in path.read_text(errors="replace"), path
            assert path.parent.name != "chat", path


async def test_stopping_leaves_no_process(tmp_path: Path, node_parts: NodeParts) -> None:
    async with ShowdownServer(tmp_path, simulators=2, parts=node_parts) as server:
        assert server.pid is not None
        processes = family(server.pid)
        assert len(processes) == 3
    assert wait_gone(processes) == []
    assert server.pid is None


@pytest.mark.long
async def test_sigterm_ends_the_server_and_its_simulators(
    tmp_path: Path, node_parts: NodeParts
) -> None:
    async with ShowdownServer(tmp_path, parts=node_parts) as server:
        assert server.pid is not None
        processes = family(server.pid)
        os.kill(server.pid, signal.SIGTERM)
        assert await asyncio.to_thread(wait_gone, processes) == []


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGKILL,
        pytest.param(signal.SIGTERM, marks=pytest.mark.long),
        pytest.param(signal.SIGINT, marks=pytest.mark.long),
    ],
)
def test_server_is_gone_after_its_parents_death(tmp_path: Path, number: signal.Signals) -> None:
    """However the parent dies; it is `porimon serve` here."""
    entry = "from porimon.cli.main import entry; import sys; sys.argv[0] = 'porimon'; entry()"
    command = [sys.executable, "-c", entry, "serve", "--port", "0", "--folder", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        url = parent.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")
        processes = psutil.Process(parent.pid).children(recursive=True)
        assert len(processes) == 2
        parent.send_signal(number)
        parent.wait(15)
        assert wait_gone(processes) == []
        assert parent.returncode == (-signal.SIGKILL if number == signal.SIGKILL else 0)


async def test_a_port_in_use_is_said(tmp_path: Path, node_parts: NodeParts) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(MachineSetupError, match="the port is in use") as caught:
            async with ShowdownServer(tmp_path, port=port, parts=node_parts):
                pass
    assert "choose another port" in str(caught.value)


async def test_nothing_listens() -> None:
    """A wrong address is an error at once, not an endless wait."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        async with asyncio.timeout(5):
            with pytest.raises(MachineSetupError, match="no Showdown server answers"):
                async with ExternalServer(f"127.0.0.1:{port}"):
                    pass


async def test_something_else_listens_and_never_answers() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(-1)
        writer.close()

    listener = await asyncio.start_server(silent, "127.0.0.1", 0)
    async with listener, asyncio.timeout(10):
        port = listener.sockets[0].getsockname()[1]
        with pytest.raises(MachineSetupError, match="no Showdown server answers"):
            async with ExternalServer(f"127.0.0.1:{port}"):
                pass


async def test_login_names(showdown_server: SharedServer) -> None:
    """Too long: refused before it is sent. Taken: refused, never another name without a word."""
    async with aiohttp.ClientSession() as session:
        url = websocket_url(showdown_server)
        with pytest.raises(ValueError, match="not a user name"):
            await Connection.open(session, url, "x" * 19)
        with pytest.raises(ValueError, match="not a user name"):
            await Connection.open(session, url, "a,b")
        longest = await Connection.open(session, url, "x" * 18)
        try:
            async with asyncio.timeout(15):
                with pytest.raises(BattleAborted) as caught:
                    await Connection.open(session, url, "x" * 18)
            assert isinstance(caught.value, LoginRefused)
            assert not longest.lost
        finally:
            await longest.close()


@pytest.mark.parametrize("command", ["/eval 1+1", "/hotpatch all", "/kill", "/bash ls"])
async def test_no_back_way_in(showdown_server: SharedServer, command: str) -> None:
    """A user of the server, whatever the name, can run none of its administrators' commands."""
    async with aiohttp.ClientSession() as session:
        user = await Connection.open(session, websocket_url(showdown_server), "zarel")
        try:
            await user.send(command)
            async with asyncio.timeout(10):
                while True:
                    reply = await user.receive_global()
                    if "ccess denied" in reply or "equires console" in reply:
                        break
        finally:
            await user.close()
    assert await showdown_server.alive()


@pytest.mark.parametrize("path", ["/", "/../../../etc/passwd", "/%2e%2e/config/config.js", "/x"])
async def test_no_file_is_served(showdown_server: SharedServer, path: str) -> None:
    port = int(showdown_server.url.rsplit(":", 1)[1])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
    async with asyncio.timeout(10):
        reply = await reader.read(-1)
    writer.close()
    assert b" 200 " not in reply.split(b"\r\n", 1)[0]
    assert b"root:" not in reply
    assert b"makeConfig" not in reply
    assert await showdown_server.alive()
