"""Processor time of this process and all that it started, by what they are (Linux)."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from pathlib import Path

_KINDS = {
    "room-battle": "simulator",
    "start.js": "server",
    "server.mjs": "calculator",
    "fake-llm": "model endpoints",
    "crew.process": "workers",
}
"""A part of a command line: what such a process is."""
OURS = "our process"


def seconds_by_process(proc: Path = Path("/proc")) -> dict[str, float]:
    """Seconds of processor time so far: ours, and those of each kind of running descendant.

    What a process that has ended took is not in it. Where there is no ``/proc``, only ours is.
    """
    seconds: defaultdict[str, float] = defaultdict(float)
    children: defaultdict[int, list[int]] = defaultdict(list)
    used: dict[int, float] = {}
    for folder in proc.glob("[0-9]*"):
        try:
            # The name in brackets may hold anything; what follows it is numbers.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        number = int(folder.name)
        children[int(fields[1])].append(number)
        used[number] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    waiting = list(children[os.getpid()])
    while waiting:
        number = waiting.pop()
        waiting += children[number]
        seconds[_kind(proc / str(number))] += used[number]
    seconds[OURS] = time.process_time()
    return dict(seconds)


def difference(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    """What each kind took between two looks."""
    return {kind: seconds - before.get(kind, 0.0) for kind, seconds in after.items()}


def _kind(folder: Path) -> str:
    try:
        command = (folder / "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return "others"
    return next((kind for part, kind in _KINDS.items() if part in command), "others")
