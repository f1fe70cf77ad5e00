"""One endpoint for all tests of runs, and one run that nothing disturbed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.integration.endure.runs import Beside, Workplace, endpoint_beside
from tests.records import contents


@dataclass(frozen=True)
class Undisturbed:
    """What every disturbed run must come to as well."""

    contents: dict[str, Any]
    calls: int
    output: str
    folder: Path
    sockets: frozenset[tuple[str, str, str]]


@pytest.fixture(scope="session")
def endpoint() -> Iterator[Beside]:
    with endpoint_beside(latency_ms=5) as beside:
        yield beside


@pytest.fixture
def beside(endpoint: Beside) -> Iterator[Beside]:
    """The endpoint without a fault; whatever a test switches on is off after it."""
    endpoint.faults.switch(None)
    yield endpoint
    endpoint.faults.switch(None)


def sockets_of(process: psutil.Process) -> set[tuple[str, str, str]]:
    """Every socket of a process and its children: state, own address, other's address."""
    found: set[tuple[str, str, str]] = set()
    for each in [process, *process.children(recursive=True)]:
        with contextlib.suppress(psutil.NoSuchProcess):
            for socket in each.net_connections(kind="inet"):
                other = socket.raddr.ip if socket.raddr else ""
                found.add((socket.status, socket.laddr.ip, other))
    return found


def play_undisturbed(folder: Path, endpoint: Beside, battles: int) -> Undisturbed:
    """Play a run without a fault, and watch its sockets meanwhile."""
    place = Workplace.make(folder, endpoint.port, battles=battles)
    endpoint.faults.switch(None)
    before = endpoint.answered
    sockets: set[tuple[str, str, str]] = set()
    with place.start() as started:
        process = psutil.Process(started.process.pid)
        while started.process.poll() is None:
            with contextlib.suppress(psutil.NoSuchProcess):
                sockets |= sockets_of(process)
            time.sleep(0.3)
        ended = started.wait(1)
    assert ended.code == 0, ended.err
    whole = contents(place.run)
    assert len(whole["battles"]) == battles
    assert whole["memories"][0]
    calls = endpoint.answered - before
    return Undisturbed(whole, calls, ended.out, place.folder, frozenset(sockets))


@pytest.fixture(scope="session")
def undisturbed(endpoint: Beside, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    return play_undisturbed(tmp_path_factory.mktemp("undisturbed"), endpoint, 2)
