"""What the operating system says of the server's processes: stopped, working, or unknown.

An unanswered ping alone does not tell a frozen server from one on a machine that is overloaded.
Linux says more in ``/proc``; where that is missing, everything here is unknown (``None``).
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

_PROC = Path("/proc")
_STATE_FIELD = 0
_USER_TICKS_FIELD = 11
_SYSTEM_TICKS_FIELD = 12


def states_known() -> bool:
    """Whether this machine tells the states of processes at all."""
    return (_PROC / "self" / "stat").exists()


def any_stopped(process_id: int) -> bool:
    """Whether the process or one of its children is stopped (SIGSTOP or a debugger)."""
    states = [_fields(found) for found in (process_id, *children(process_id))]
    return any(fields is not None and fields[_STATE_FIELD] in ("T", "t") for fields in states)


def at_work(process_id: int) -> bool:
    """Whether the process runs, or would if the machine had a processor free for it."""
    fields = _fields(process_id)
    return fields is not None and fields[_STATE_FIELD] in ("R", "D")


def processor_ticks(process_id: int) -> int | None:
    """Processor time that the process has used, in clock ticks; ``None`` if unknown."""
    fields = _fields(process_id)
    if fields is None:
        return None
    return int(fields[_USER_TICKS_FIELD]) + int(fields[_SYSTEM_TICKS_FIELD])


def kill_group(process_id: int, number: signal.Signals = signal.SIGKILL) -> None:
    """Send a signal to the process group that a process leads; harmless when nothing is left of it.

    ``Process.terminate`` is not used for it: it may reap a process that has just died, and asyncio
    then never learns its exit code.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process_id, number)


def children(process_id: int) -> list[int]:
    """The processes that a process has started and that still run; none where unknown."""
    try:
        text = (_PROC / str(process_id) / "task" / str(process_id) / "children").read_text()
    except OSError:
        return []
    found = ((int(word), _fields(int(word))) for word in text.split())
    return [child for child, fields in found if fields and fields[_STATE_FIELD] != "Z"]


def _fields(process_id: int) -> list[str] | None:
    """The fields of a process's ``stat`` from its state on (the name before it may hold spaces)."""
    try:
        text = (_PROC / str(process_id) / "stat").read_text()
    except OSError:
        return None
    return text.rpartition(")")[2].split()
