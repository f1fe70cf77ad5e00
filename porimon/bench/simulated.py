"""Battles of random players in the simulator, for benchmarks that need the truth as well."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from porimon.errors import MachineSetupError
from porimon.showdown.dex.extract import showdown_package

_SCRIPT = Path(__file__).parent / "battles.js"
_END_DEADLINE_SECONDS = 60.0


def simulated_battles(count: int, seed: str) -> Iterator[dict[str, Any]]:
    """The documents of ``battles.js``, one by one, as the simulator plays.

    The same ``seed`` plays the same battles. Raises ``MachineSetupError`` if the script fails.
    """
    node, package = showdown_package()
    with subprocess.Popen(
        [node, str(_SCRIPT), str(package), str(count), seed],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            for line in process.stdout:
                yield json.loads(line)
            message = process.stderr.read()
            if process.wait(_END_DEADLINE_SECONDS) != 0:
                raise MachineSetupError(f"the simulator failed: {message.strip()}")
        finally:
            process.kill()
