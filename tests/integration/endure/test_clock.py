"""A wall clock that jumps by days in the middle of a run costs no battle and changes no result."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from porimon.tournament.record.read import RunReader
from tests.records import contents

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]

TOURNAMENT = """
name = "clock"
battles = 2
seed = 3
llm = "offline"
round_robin = ["h", "lt1-uniform"]
"""

JUMPING = """
import random, sys, time
true_time = time.time
time.time = lambda: true_time() + random.choice([-86_400, 0, 86_400, 30 * 86_400])
from porimon.cli.main import entry
sys.argv = ["porimon", *sys.argv[1:]]
entry()
"""


def run(folder: Path, *python: str) -> Path:
    """Play the tournament in a process of its own; its run's folder."""
    folder.mkdir()
    (folder / "clock.toml").write_text(TOURNAMENT)
    done = subprocess.run(
        [sys.executable, *python, "run", "clock.toml", "--out", "run"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=140,
    )
    assert done.returncode == 0, done.stderr
    return folder / "run"


def test_a_jumping_clock_changes_nothing(tmp_path: Path) -> None:
    steady = run(tmp_path / "steady", "-m", "porimon")
    jumping = run(tmp_path / "jumping", "-c", JUMPING)
    with RunReader(jumping) as reader:
        assert len(list(reader.battles())) == 2
        assert reader.put_back() == []
    assert contents(jumping) == contents(steady)
