"""A working folder like that of somebody who follows the pages: two short runs, nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from porimon.paths import cache_folder
from tests.docs.markdown import ROOT

_SECRETS = ("OPENAI_API_KEY", "OPENROUTER_API_KEY")


@dataclass
class Workplace:
    """A folder to run commands in, and the commands that have come out well in it."""

    folder: Path
    done: set[str] = field(default_factory=set)

    def environment(self) -> dict[str, str]:
        """A user's environment: a home of its own, no keys; the Node parts that are set up."""
        kept = {name: value for name, value in os.environ.items() if name not in _SECRETS}
        return {
            **kept,
            "HOME": str(self.folder / "home"),
            "PORIMON_CACHE": str(cache_folder()),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
            "COLUMNS": "80",
        }

    def start(self, command: str) -> subprocess.Popen[str]:
        """Start a shell command here. ``make`` is only asked what it would do, in the checkout:
        these tests are a part of ``make test`` themselves."""
        at = self.folder
        if command.split()[0] == "make":
            command, at = command.replace("make", "make --dry-run", 1), ROOT
        return subprocess.Popen(
            [
                "bash",
                "-euo",
                "pipefail",
                "-c",
                f"exec {command}" if "|" not in command else command,
            ],
            cwd=at,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, command: str, seconds: float = 150) -> subprocess.CompletedProcess[str]:
        """Run a shell command to its end; it is killed past the deadline."""
        with self.start(command) as process:
            try:
                output, errors = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return subprocess.CompletedProcess(command, process.returncode, output, errors)


@pytest.fixture(scope="session")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    """The folder in which the pages' commands run, with ``runs/demo`` and ``runs/memory``."""
    folder = tmp_path_factory.mktemp("docs")
    (folder / "home").mkdir()
    place = Workplace(folder)
    for command in ("porimon demo --battles 1", "porimon run memory --battles 1"):
        played = place.run(command)
        assert played.returncode == 0, played.stderr
    return place
