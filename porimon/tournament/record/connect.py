"""Connections to a run's record: one that writes, and any number that read beside it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from porimon.errors import RecordError, UserInputError

RECORD_NAME = "run.sqlite"


def record_path(folder: Path) -> Path:
    """The record's file in a run's folder."""
    return folder / RECORD_NAME


def damaged(path: Path, error: Exception) -> RecordError:
    """The error of a record that cannot be made sense of."""
    return RecordError(
        f"the record is damaged: {error}",
        where=str(path),
        remedy="restore it from a copy, or start in another folder",
    )


def connect_to_write(path: Path) -> sqlite3.Connection:
    """A connection that writes, every commit synced to disk.

    Raises ``RecordError`` where the file cannot be opened.
    """
    try:
        connection = sqlite3.connect(path, isolation_level=None, timeout=30)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error as error:
        raise RecordError(
            f"the record cannot be opened: {error}",
            where=str(path),
            remedy="is the folder writable, the disk not full, the file a run's record?",
        ) from error
    return connection


def connect_to_read(folder: Path) -> sqlite3.Connection:
    """A connection that only reads; works while a run is writing.

    Raises ``UserInputError`` where the folder holds no record.
    """
    path = record_path(folder)
    if not path.is_file():
        raise UserInputError(
            "there is no run in this folder",
            where=str(folder),
            remedy=f"name the folder that `porimon run` printed (it holds {RECORD_NAME})",
        )
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30)
        connection.execute("SELECT name FROM migrations").fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise damaged(path, error) from error
    connection.row_factory = sqlite3.Row
    return connection
