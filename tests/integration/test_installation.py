"""From nothing: a fresh clone's `make demo`, and the built wheel in an empty environment.

Both install packages, so they need the package registry that pip is set up for.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = [pytest.mark.server, pytest.mark.long, pytest.mark.timeout(1800)]

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """Run a command with a home and a Node cache of its own; what it prints on stdout."""
    kept = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=1500,
    )
    assert done.returncode == 0, f"{command}: {done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The last commit in a folder of its own: what is not committed is not there."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout")
    run("git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", "clone", cwd=tmp_path)
    return tmp_path / "clone"


def test_make_demo_in_a_fresh_clone(clone: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    printed = run("make", "demo", f"PYTHON={sys.executable}", cwd=clone, PORIMON_CACHE=cache)
    report = clone / printed.splitlines()[-1]
    assert report.is_file()
    assert report.suffix == ".html"
    assert (clone / "runs" / "demo" / "run.sqlite").is_file()
    # Nothing that the demo makes belongs into the repository.
    assert run("git", "status", "--porcelain", cwd=clone) == ""


def test_the_wheel_plays_in_an_empty_environment(clone: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path / "dist", cwd=clone)
    (wheel,) = (tmp_path / "dist").glob("porimon-*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / "bin"
    constraints = ROOT / "constraints.txt"
    run(programs / "pip", "install", "--quiet", "-c", constraints, wheel, cwd=tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    printed = run(
        programs / "porimon",
        *("demo", "--battles", "1"),
        cwd=empty,
        PORIMON_CACHE=str(tmp_path / "cache"),
    )
    assert (empty / printed.splitlines()[-1]).is_file()
    assert "offline reader (no language model)" in printed
