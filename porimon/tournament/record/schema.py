"""The record's tables, and the small named steps that bring an older record up to date."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from porimon.errors import RecordError
from porimon.tournament.record.connect import damaged

APPLICATION_ID = 0x504F5249  # "PORI": tells a run's record from any other SQLite file

_FIRST_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE players (
  hash TEXT PRIMARY KEY,          -- of the complete configuration, its name left out
  config TEXT NOT NULL            -- JSON
) WITHOUT ROWID;
CREATE TABLE cards (
  hash TEXT NOT NULL REFERENCES players(hash),
  card TEXT NOT NULL,             -- JSON: the harness card; more than one: a mixed run
  first_seen TEXT NOT NULL,
  PRIMARY KEY (hash, card)
) WITHOUT ROWID;
CREATE TABLE stages (
  name TEXT PRIMARY KEY,
  winner_hash TEXT,               -- what the stage selected
  winner_name TEXT,
  selected_at TEXT
) WITHOUT ROWID;
CREATE TABLE matchups (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE,
  stage TEXT NOT NULL,
  part TEXT NOT NULL,
  name_a TEXT NOT NULL,
  name_b TEXT NOT NULL,
  hash_a TEXT NOT NULL REFERENCES players(hash),
  hash_b TEXT NOT NULL REFERENCES players(hash),
  battles INTEGER NOT NULL,
  stopped_after INTEGER           -- battles counted when a matchup stopped early
) WITHOUT ROWID;
CREATE TABLE battles (
  id TEXT PRIMARY KEY,
  matchup_id TEXT NOT NULL REFERENCES matchups(id),
  position INTEGER NOT NULL,      -- in the matchup, from 0
  pair INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  first TEXT NOT NULL CHECK (first IN ('a', 'b')),
  winner TEXT CHECK (winner IN ('a', 'b')),  -- null: a tie
  turns INTEGER NOT NULL,
  end_reason TEXT NOT NULL,
  seconds REAL NOT NULL,
  notes TEXT NOT NULL,            -- JSON list
  memory_a TEXT,                  -- hash of the memory's snapshot that the battle read
  memory_b TEXT,
  finished_at TEXT NOT NULL,
  UNIQUE (matchup_id, position)
) WITHOUT ROWID;
CREATE TABLE battle_texts (
  battle_id TEXT PRIMARY KEY REFERENCES battles(id),
  log BLOB NOT NULL,              -- zstd: the protocol log
  choices BLOB NOT NULL,          -- zstd: the lines that replay it
  details BLOB NOT NULL           -- zstd: JSON, every decision in full (see details.py)
) WITHOUT ROWID;
CREATE TABLE decisions (
  battle_id TEXT NOT NULL REFERENCES battles(id),
  seat TEXT NOT NULL CHECK (seat IN ('a', 'b')),
  number INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  played TEXT NOT NULL,
  fallback TEXT,                  -- why the fallback rule decided; null: it didn't
  notes TEXT,                     -- JSON list, null: none
  calls INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  retrieved TEXT,                 -- JSON [[experience id, score], …], null: no Long-Term KAG
  seconds REAL NOT NULL,
  PRIMARY KEY (battle_id, seat, number)
) WITHOUT ROWID;
CREATE TABLE calls (
  battle_id TEXT NOT NULL,
  seat TEXT NOT NULL,
  number INTEGER,                 -- of the decision; null: a reflection, or unused
  attempt INTEGER NOT NULL,
  purpose TEXT NOT NULL,          -- decision, reflection, unused (paid, but not needed again)
  model TEXT NOT NULL,
  input_tokens INTEGER,
  cached_input_tokens INTEGER,
  output_tokens INTEGER,
  cost REAL,
  latency_seconds REAL,
  http_attempts INTEGER NOT NULL,
  finish_reason TEXT,
  refused TEXT
);
CREATE INDEX calls_of_battle ON calls (battle_id, seat);
CREATE TABLE journal (
  battle_id TEXT NOT NULL,
  seat TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  occurrence INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  completion TEXT NOT NULL,       -- JSON
  PRIMARY KEY (battle_id, seat, request_hash, occurrence)
) WITHOUT ROWID;
CREATE TABLE put_back (
  battle_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  at TEXT NOT NULL
);
"""


def _create(connection: sqlite3.Connection) -> None:
    for statement in _FIRST_TABLES.split(";\n"):
        if statement.strip():
            connection.execute(statement)


MIGRATIONS: tuple[tuple[str, Callable[[sqlite3.Connection], None]], ...] = (
    ("0001-create", _create),
)
"""Applied in order; each is recorded by name, so a record says how it came to be."""


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables, or bring an older record up to date. Commits.

    Raises ``RecordError`` for a file that is no record of ours or a newer one.
    """
    try:
        application_id = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise damaged(path, error) from error
    if tables and application_id != APPLICATION_ID:
        raise RecordError("this file is not the record of a run", where=str(path))
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT)"
        )
        applied = {row[0] for row in connection.execute("SELECT name FROM migrations")}
        known = {name for name, _ in MIGRATIONS}
        if applied - known:
            raise RecordError(
                f"the record was written by a newer version (step {sorted(applied - known)[0]!r})",
                where=str(path),
                remedy="pip install --upgrade porimon",
            )
        for name, step in MIGRATIONS:
            if name not in applied:
                step(connection)
                connection.execute("INSERT INTO migrations VALUES (?, datetime('now'))", (name,))
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
