"""The one thread that writes a run's record: whatever is handed in together is committed together.

``submit`` comes back when the change is on disk, so nothing that was paid for is only in memory.
Group commits keep that cheap: while one commit syncs, the next batch gathers.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from porimon.errors import RunStopped

Result = TypeVar("Result")
Change = Callable[[sqlite3.Connection], Any]
_Item = tuple[Change, "asyncio.Future[Any]"]

SECONDS_TO_COMMIT = 120.0


class RecordWriter:
    """Runs changes on one connection in one thread; each is atomic and durable on return."""

    def __init__(self, path: Path, connect: Callable[[Path], sqlite3.Connection]) -> None:
        self._path = path
        self._connect = connect
        self._queue: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="record writer", daemon=True)
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def submit(self, change: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run ``change`` inside a transaction; its result, once that is committed.

        Raises what ``change`` raises (its own statements are undone then), or ``RunStopped``
        where the database cannot be written (disk full, folder gone).
        """
        future: asyncio.Future[Result] = self._loop.create_future()
        self._queue.put((change, future))
        # A cancelled caller must not undo or lose a change that is under way.
        return await asyncio.wait_for(asyncio.shield(future), SECONDS_TO_COMMIT)

    async def close(self) -> None:
        """Write what is still queued, then end the thread."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join, SECONDS_TO_COMMIT)

    def _work(self) -> None:
        connection = self._connect(self._path)
        try:
            while True:
                batch: list[_Item] = []
                item = self._queue.get()
                while item is not None:
                    batch.append(item)
                    try:
                        item = self._queue.get_nowait()
                    except queue.Empty:
                        break
                if batch:
                    self._commit(connection, batch)
                if item is None:
                    return
        finally:
            connection.close()

    def _commit(self, connection: sqlite3.Connection, batch: list[_Item]) -> None:
        answers: list[tuple[asyncio.Future[Any], Any, BaseException | None]] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            for change, future in batch:
                connection.execute("SAVEPOINT change")
                try:
                    answers.append((future, change(connection), None))
                except sqlite3.OperationalError:
                    raise
                except Exception as error:  # noqa: BLE001 - handed to whoever submitted it
                    connection.execute("ROLLBACK TO change")
                    answers.append((future, None, error))
                connection.execute("RELEASE change")
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            problem = RunStopped(
                f"the record cannot be written: {error}",
                where=str(self._path),
                remedy="free some space or make the folder writable, then go on with the run",
            )
            answers = [(future, None, problem) for _, future in batch]
        self._loop.call_soon_threadsafe(_resolve, answers)


def _resolve(answers: list[tuple[asyncio.Future[Any], Any, BaseException | None]]) -> None:
    for future, result, error in answers:
        if future.done():
            continue
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)
