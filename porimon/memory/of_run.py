"""The memories in a run's folder: read while the run goes on, or added to before it is played."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from porimon.config.tournament import TournamentSettings
from porimon.errors import RecordError, UserInputError
from porimon.memory.experience import Experience
from porimon.memory.store import MemoryStore, StoredExperience
from porimon.tournament.plan import planned_matchups
from porimon.tournament.record.connect import connect_to_read, connect_to_write, record_path
from porimon.tournament.record.lock import RunLock
from porimon.tournament.record.read import RunReader


@dataclass(frozen=True, slots=True)
class RunMemory:
    """One memory of a run with all that it holds, in the memory's order."""

    store: MemoryStore
    entries: tuple[StoredExperience, ...]


def read_memories(
    folder: Path, matchup_id: str | None = None, seat: str | None = None
) -> tuple[RunMemory, ...]:
    """The memories of a run, those of one matchup or seat if asked for.

    Raises ``UserInputError`` if there are none, ``RecordError`` for a corrupt entry or file.
    """
    with closing(connect_to_read(folder)) as connection, _damage_named(folder):
        stores = MemoryStore.every(connection)
        chosen = [
            store
            for store in stores
            if matchup_id in (None, store.matchup_id) and seat in (None, store.seat)
        ]
        if not chosen:
            known = ", ".join(sorted({repr(store.matchup_id) for store in stores}))
            raise UserInputError(
                "the run has no such memory" if stores else "no player of this run has a memory",
                where=str(folder),
                remedy=f"matchups with a memory: {known}"
                if stores
                else "play one that has Long-Term KAG, as in `porimon run memory`",
            )
        return tuple(RunMemory(store, store.load(connection)) for store in chosen)


def find_experience(
    memories: Sequence[RunMemory], beginning: str
) -> tuple[RunMemory, StoredExperience]:
    """The one experience whose id begins so.

    Raises ``UserInputError`` if there is none or more than one. The same experience in two
    memories (after an import) is one.
    """
    found = {
        entry.experience.id: (memory, entry)
        for memory in memories
        for entry in memory.entries
        if entry.experience.id.startswith(beginning.lower())
    }
    if len(found) != 1:
        raise UserInputError(
            f"{len(found)} experiences have an id that begins with {beginning!r}",
            remedy="name more of the id" if found else "`porimon memory DIR` lists them",
        )
    return next(iter(found.values()))


def every_entry(memories: Sequence[RunMemory]) -> Iterator[tuple[RunMemory, StoredExperience]]:
    """All experiences with the memory that holds them."""
    for memory in memories:
        for entry in memory.entries:
            yield memory, entry


def import_into(
    folder: Path,
    matchup_id: str,
    seat: str,
    experiences: Sequence[Experience],
) -> int:
    """Add experiences from elsewhere to a memory before its matchup is played; how many were new.

    All are added or none. Raises ``UserInputError`` for a matchup that isn't in the run's plan,
    ``RecordError`` if the matchup has been played or a run is going on.
    """
    with RunReader(folder) as reader:
        planned = planned_matchups(TournamentSettings.model_validate(reader.plan))
    known = [matchup.matchup_id for matchup in planned]
    if matchup_id not in known:
        near = get_close_matches(matchup_id, known, n=1)
        raise UserInputError(
            f"the run's plan has no matchup {matchup_id!r}",
            where=str(folder),
            remedy=f"did you mean {(near or known)[0]!r}?",
        )
    with (
        RunLock(folder),
        closing(connect_to_write(record_path(folder))) as connection,
        _damage_named(folder),
    ):
        connection.execute("BEGIN IMMEDIATE")
        try:
            store = MemoryStore.create(connection, matchup_id, seat)
            added = store.import_experiences(connection, experiences)
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    return added


@contextmanager
def _damage_named(folder: Path) -> Iterator[None]:
    """SQLite's own errors, told as the record's."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise RecordError(
            f"the run's memories cannot be read or written: {error}",
            where=str(record_path(folder)),
            remedy="restore the record from a copy if it is damaged",
        ) from error
