"""Processor time by process: one that works is seen, under its name."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from porimon.bench.processor_time import OURS, difference, seconds_by_process

WORKS = "import time\nwhile time.process_time() < 0.4: pass\nprint(1, flush=True)\ninput()"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's /proc")
def test_a_child_that_works_is_counted_under_its_kind() -> None:
    before = seconds_by_process()
    with subprocess.Popen(
        [sys.executable, "-c", WORKS, "fake-llm"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        took = difference(before, seconds_by_process())
        process.kill()
    assert 0.3 < took["model endpoints"] < 3
    # Other tests of this process may keep a simulator that has nothing to do.
    assert took.get("simulator", 0.0) < 0.1


def test_our_own_is_there_even_without_proc(tmp_path: Path) -> None:
    before = seconds_by_process(tmp_path)
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass
    took = difference(before, seconds_by_process(tmp_path))
    assert list(took) == [OURS]
    assert took[OURS] >= 0.05
