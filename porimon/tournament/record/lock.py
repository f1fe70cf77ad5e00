"""One process at a time writes to a run's folder; a second one is told who holds it."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Self

from porimon.errors import RecordError


class RunLock:
    """An advisory lock on ``run.lock`` that the kernel drops when its process dies."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "run.lock"
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise RecordError(
                f"the run's folder cannot be written: {error.strerror}",
                where=str(self._path.parent),
                remedy="make it writable, or choose another with --out",
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 64).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise RecordError(
                f"another process ({holder or 'unknown'}) is running this tournament",
                where=str(self._path.parent),
                remedy=f"wait for it, or stop it (kill {holder}); `porimon watch` follows it",
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor = descriptor
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def holder(folder: Path) -> int | None:
    """The process on this machine that plays the run in ``folder``; ``None``: none that is known.

    Only looks: taking the lock to try it would refuse a run that starts at that moment.
    """
    try:
        process = int((folder / "run.lock").read_text(encoding="ascii"))
        os.kill(process, 0)
    except PermissionError:
        return process  # another user's process, but one that runs
    except (OSError, ValueError, OverflowError):
        return None
    return process
