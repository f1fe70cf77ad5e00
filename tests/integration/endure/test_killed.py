"""Runs killed, interrupted and suspended: every planned battle once, no call paid for nothing."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import psutil
import pytest

from tests.integration.endure.conftest import Undisturbed, play_undisturbed
from tests.integration.endure.runs import STOPPED, Beside, Started, Workplace
from tests.records import contents

# Several runs one after another, on a machine that may be busy with others.
pytestmark = [pytest.mark.server, pytest.mark.timeout(600)]


def node_processes(started: Started) -> list[psutil.Process]:
    """The server, its simulators and the calculator of a run."""
    return psutil.Process(started.process.pid).children(recursive=True)


def assert_gone(processes: list[psutil.Process]) -> None:
    _, left = psutil.wait_procs(processes, timeout=15)
    assert not [process for process in left if process.status() != psutil.STATUS_ZOMBIE]


def kill_at_points(place: Workplace, beside: Beside, points: list[int | float]) -> int:
    """Kill the run when it was answered so often (int), or so many seconds after its start.

    How often that hit a run which was still going.
    """
    hits = 0
    beginning = beside.answered
    for point in points:
        with place.start() as started:
            if isinstance(point, int):
                started.until_answered(beside, beginning + point)
            else:
                time.sleep(point)
            if started.process.poll() is None:
                hits += 1
                children = node_processes(started)
                started.process.send_signal(signal.SIGKILL)
                started.process.wait(30)
                assert_gone(children)
    return hits


def test_three_random_kills_leave_no_trace(
    tmp_path: Path, beside: Beside, undisturbed: Undisturbed
) -> None:
    dice = random.Random()
    points = sorted(dice.sample(range(1, undisturbed.calls - 1), 3))
    place = Workplace.make(tmp_path, beside.port)
    before = beside.answered
    assert kill_at_points(place, beside, [*points]) == 3, points
    ended = place.finish()
    assert ended.code == 0, ended.err
    assert contents(place.run) == undisturbed.contents, points
    assert ended.out == undisturbed.output
    paid_twice = beside.answered - before - undisturbed.calls
    assert 0 <= paid_twice <= 3 * 4, f"killed at {points}: two battles of two players each"


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_twenty_random_kills_leave_no_trace(tmp_path: Path, beside: Beside) -> None:
    """Ten at moments of the start, ten at moments of the play; battles read what was learnt."""
    undisturbed = play_undisturbed(tmp_path / "undisturbed", beside, 4)
    assert any(row[4] for row in undisturbed.contents["decisions"]), "something was retrieved"
    dice = random.Random()
    points: list[int | float] = []
    for point in sorted(dice.sample(range(1, undisturbed.calls - 1), 10)):
        points += [round(dice.uniform(0.05, 6.0), 2), point]
    place = Workplace.make(tmp_path / "killed", beside.port, battles=4)
    before = beside.answered
    hits = kill_at_points(place, beside, points)
    ended = place.finish()
    assert ended.code == 0, ended.err
    assert contents(place.run) == undisturbed.contents, points
    assert ended.out == undisturbed.output
    assert hits == 20, points
    assert 0 <= beside.answered - before - undisturbed.calls <= hits * 4, points


def test_interrupts_stop_cleanly_and_tell_how_to_go_on(
    tmp_path: Path, beside: Beside, undisturbed: Undisturbed
) -> None:
    place = Workplace.make(tmp_path, beside.port)
    before = beside.answered
    third = undisturbed.calls // 3

    # Ctrl-C once: the answers in flight come in and are kept.
    with place.start() as started:
        started.until_answered(beside, before + third)
        children = node_processes(started)
        started.process.send_signal(signal.SIGINT)
        ended = started.wait(60)
    assert ended.code == STOPPED, ended.err
    assert "stopped by the operator" in ended.err
    assert "Traceback" not in ended.err
    assert ended.resume == ["run", "endure.toml", "--out", "runs/endure", *ended.resume[4:]]
    assert_gone(children)
    assert place.rows("journal") + place.rows("calls") == beside.answered - before

    # Ctrl-C twice while no answer comes: at once, whatever is in flight.
    with place.start(*ended.resume) as started:
        started.until_answered(beside, before + 2 * third)
        beside.faults.switch("never")
        silent = beside.fake.counts["never"]
        started.until(lambda: beside.fake.counts["never"] > silent)
        started.process.send_signal(signal.SIGINT)
        time.sleep(1)
        assert started.process.poll() is None, "once: it waits for what is being paid for"
        started.process.send_signal(signal.SIGINT)
        now = time.monotonic()
        ended = started.wait(60)
        assert time.monotonic() - now < 15
    assert ended.code == STOPPED, ended.err
    assert "Traceback" not in ended.err
    beside.faults.switch(None)

    # SIGTERM, as a service manager or a cluster's queue sends it.
    with place.start(*ended.resume) as started:
        started.until_answered(beside, before + 2 * third + 5)
        started.process.send_signal(signal.SIGTERM)
        ended = started.wait(60)
    assert ended.code == STOPPED, ended.err

    ended = place.finish(*ended.resume, "--json")
    assert ended.code == 0, ended.err
    assert contents(place.run) == undisturbed.contents
    assert ended.out == undisturbed.output
    assert beside.answered - before - undisturbed.calls <= 2 * 4


@pytest.mark.long
def test_a_run_that_was_suspended_goes_on_where_it_was(
    tmp_path: Path, beside: Beside, undisturbed: Undisturbed
) -> None:
    """All of its processes stand still for longer than any deadline of the watchdogs."""
    place = Workplace.make(tmp_path, beside.port)
    before = beside.answered
    with place.start() as started:
        started.until_answered(beside, before + undisturbed.calls // 2)
        processes = [psutil.Process(started.process.pid), *node_processes(started)]
        # The run itself last, and first to wake up: the worst case for its watchdogs.
        for process in reversed(processes):
            process.suspend()
        time.sleep(15)
        for process in processes:
            process.resume()
        ended = started.wait(150)
    assert ended.code == 0, ended.err
    assert contents(place.run) == undisturbed.contents
    assert ended.out == undisturbed.output
    assert place.rows("put_back") <= 2
