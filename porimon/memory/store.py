"""Where experiences are kept: one append-only SQLite table for each matchup and player.

The tables live inside the run's record database. Nothing here commits: the caller stores a battle
and its experiences in one transaction. Opening a store never changes what it holds.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from porimon.errors import RecordError
from porimon.memory.experience import Experience, from_json

_REGISTRY = """
CREATE TABLE IF NOT EXISTS memories (
  matchup_id TEXT NOT NULL,
  seat TEXT NOT NULL,
  table_name TEXT NOT NULL UNIQUE,
  PRIMARY KEY (matchup_id, seat)
)
"""

_TABLE = """
CREATE TABLE IF NOT EXISTS "{table}" (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  origin TEXT NOT NULL CHECK (origin IN ('battle', 'import')),
  battle_id TEXT NOT NULL,
  battle_index INTEGER NOT NULL,
  result TEXT NOT NULL,
  document TEXT NOT NULL
)
"""

_ONE_PER_BATTLE = """
CREATE UNIQUE INDEX IF NOT EXISTS "{table}_battle" ON "{table}" (battle_index)
WHERE origin = 'battle'
"""

_APPEND_ONLY = """
CREATE TRIGGER IF NOT EXISTS "{table}_{action}" BEFORE {action} ON "{table}"
BEGIN SELECT RAISE(ABORT, 'experiences are only ever added'); END
"""


IMPORTED = -1
"""The place of imported experiences: before the matchup's first battle."""

_ALL = 2**62


@dataclass(frozen=True, slots=True)
class StoredExperience:
    """An experience and its place in the memory's order.

    ``place`` is the battle's index in the matchup, or ``IMPORTED``.
    """

    place: int
    experience: Experience


@dataclass(frozen=True, slots=True)
class MemoryStore:
    """The experiences of one player in one matchup. Holds no connection and no contents."""

    matchup_id: str
    seat: str
    table: str

    @classmethod
    def create(cls, connection: sqlite3.Connection, matchup_id: str, seat: str) -> MemoryStore:
        """The store of a matchup's player; its table is made if it isn't there yet.

        Existing experiences stay untouched. The statements join the caller's transaction.
        """
        found = cls.find(connection, matchup_id, seat)
        if found is not None:
            return found
        table = _table_name(matchup_id, seat)
        connection.execute(_REGISTRY)
        connection.execute(_TABLE.format(table=table))
        connection.execute(_ONE_PER_BATTLE.format(table=table))
        for action in ("update", "delete"):
            connection.execute(_APPEND_ONLY.format(table=table, action=action))
        connection.execute("INSERT INTO memories VALUES (?, ?, ?)", (matchup_id, seat, table))
        return cls(matchup_id, seat, table)

    @classmethod
    def find(cls, connection: sqlite3.Connection, matchup_id: str, seat: str) -> MemoryStore | None:
        """The store of a matchup's player, ``None`` if it was never made."""
        return next(
            (
                store
                for store in cls.every(connection)
                if (store.matchup_id, store.seat) == (matchup_id, seat)
            ),
            None,
        )

    @classmethod
    def every(cls, connection: sqlite3.Connection) -> tuple[MemoryStore, ...]:
        """All stores of a run, by matchup and seat."""
        known = connection.execute(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'memories'"
        ).fetchone()
        if known is None:
            return ()
        rows = connection.execute(
            "SELECT matchup_id, seat, table_name FROM memories ORDER BY matchup_id, seat"
        )
        return tuple(cls(*row) for row in rows)

    def append(self, connection: sqlite3.Connection, experience: Experience) -> bool:
        """Add what a battle taught; whether it was new.

        The same experience twice is stored once. Raises ``RecordError`` if the battle has another
        experience already: a battle teaches one thing.
        """
        held = connection.execute(
            f"SELECT id FROM \"{self.table}\" WHERE battle_index = ? AND origin = 'battle'",
            (experience.index,),
        ).fetchone()
        if held is not None and held[0] != experience.id:
            raise RecordError(
                f"battle {experience.battle_id} has taught another experience before",
                where=f"{self.name}, experience {held[0]}",
                remedy="a battle is stored once; start the run in another folder",
            )
        return self._insert(connection, experience, "battle", experience.index)

    def import_experiences(
        self, connection: sqlite3.Connection, experiences: Iterable[Experience]
    ) -> int:
        """Add experiences from elsewhere, in the order given; how many were new.

        They come before all battles of the matchup, whatever battles they are from. Raises
        ``RecordError`` once the matchup has experiences of its own: its recorded battles were
        played without the imported ones, and could not be explained any more.
        """
        own = connection.execute(
            f"SELECT count(*) FROM \"{self.table}\" WHERE origin = 'battle'"
        ).fetchone()[0]
        if own:
            raise RecordError(
                f"the matchup has {own} experiences of its own already",
                where=self.name,
                remedy="import into a run that hasn't played this matchup yet",
            )
        return sum(self._insert(connection, each, "import", IMPORTED) for each in experiences)

    def load(
        self, connection: sqlite3.Connection, up_to_index: int | None = None
    ) -> tuple[StoredExperience, ...]:
        """The experiences of battles up to an index (``None``: all), in the memory's order.

        Imported ones come first, then those of the matchup by battle index, whatever the order in
        which battles finished. Raises ``RecordError`` that names the entry if one is corrupt.
        """
        limit = _ALL if up_to_index is None else max(up_to_index, IMPORTED)
        return tuple(
            StoredExperience(row[4], self._check(row))
            for row in connection.execute(
                f"SELECT sequence, id, origin, battle_id, battle_index, result, document"
                f' FROM "{self.table}" WHERE battle_index <= ? ORDER BY battle_index, sequence',
                (limit,),
            )
        )

    @property
    def name(self) -> str:
        """The store's name in messages."""
        return f"memory of seat {self.seat} in matchup {self.matchup_id}"

    def _insert(
        self, connection: sqlite3.Connection, experience: Experience, origin: str, index: int
    ) -> bool:
        cursor = connection.execute(
            f'INSERT INTO "{self.table}" (id, origin, battle_id, battle_index, result, document)'
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
            (
                experience.id,
                origin,
                experience.battle_id,
                index,
                experience.result,
                experience.to_json(),
            ),
        )
        return cursor.rowcount == 1

    def _check(self, row: tuple[int, str, str, str, int, str, str]) -> Experience:
        sequence, identity, origin, battle_id, index, result, document = row
        where = f"{self.name}, table {self.table}, entry {sequence} (experience {identity})"
        experience = from_json(document, where=where)
        columns_agree = (
            experience.id == identity
            and experience.battle_id == battle_id
            and experience.result == result
            and (experience.index == index or origin == "import")
        )
        if not columns_agree:
            raise RecordError(
                "an experience was changed after it was stored",
                where=where,
                remedy="restore the run's database from a copy; the entry is not skipped",
            )
        return experience


def _table_name(matchup_id: str, seat: str) -> str:
    """A table name that people can read and that no two matchups share."""
    readable = re.sub(r"[^A-Za-z0-9]+", "_", f"{matchup_id}_{seat}").strip("_")[:40]
    digest = hashlib.sha256(f"{matchup_id}\0{seat}".encode()).hexdigest()[:8]
    return f"memory_{readable}_{digest}"
