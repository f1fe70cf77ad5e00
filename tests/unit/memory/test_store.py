"""The store: append-only, content-addressed, never reset by opening it, corrupt entries named."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from porimon.config.player import MemoryConfig
from porimon.errors import RecordError
from porimon.memory.experience import Experience
from porimon.memory.retrieval import Memory
from porimon.memory.store import MemoryStore
from tests.unit.memory.line_game import LineSimilarity, experience, team


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(tmp_path / "run.sqlite", isolation_level=None)
    yield opened
    opened.close()


def made(index: int, **fields: object) -> Experience:
    """An experience of battle ``index``."""
    return experience(index, team(0.5, 0.25), team(index / 100), summary=f"No. {index}", **fields)


def test_opening_again_keeps_everything(connection: sqlite3.Connection) -> None:
    store = MemoryStore.create(connection, "m1", "a")
    stored = [made(index) for index in range(3)]
    assert [store.append(connection, each) for each in stored] == [True] * 3
    again = MemoryStore.create(connection, "m1", "a")
    assert again == store
    assert [entry.experience for entry in again.load(connection)] == stored


def test_matchups_and_seats_share_nothing(connection: sqlite3.Connection) -> None:
    """Ids that differ only in what a table name can't hold are still told apart."""
    places = [("m-1", "a"), ("m_1", "a"), ("m-1", "b"), ("m1", "a"), ('m"1', "a")]
    for number, (matchup, seat) in enumerate(places):
        MemoryStore.create(connection, matchup, seat).append(connection, made(number))
    for number, (matchup, seat) in enumerate(places):
        store = MemoryStore.find(connection, matchup, seat)
        assert store is not None
        assert [entry.place for entry in store.load(connection)] == [number]
    assert len(MemoryStore.every(connection)) == len(places)
    assert MemoryStore.find(connection, "m-2", "a") is None


def test_a_database_without_memories_has_none(connection: sqlite3.Connection) -> None:
    assert MemoryStore.every(connection) == ()


def test_the_same_experience_twice_is_stored_once(connection: sqlite3.Connection) -> None:
    store = MemoryStore.create(connection, "m1", "a")
    assert store.append(connection, made(4))
    assert not store.append(connection, made(4))
    assert len(store.load(connection)) == 1


def test_a_battle_teaches_one_thing(connection: sqlite3.Connection) -> None:
    store = MemoryStore.create(connection, "m1", "a")
    store.append(connection, made(4))
    with pytest.raises(RecordError, match="battle-4"):
        store.append(connection, made(4, marks=("reflection_failed",)))
    assert len(store.load(connection)) == 1


@pytest.mark.parametrize("statement", ["UPDATE {} SET result = 'win'", "DELETE FROM {}"])
def test_nothing_can_be_changed_or_deleted(connection: sqlite3.Connection, statement: str) -> None:
    store = MemoryStore.create(connection, "m1", "a")
    store.append(connection, made(4))
    with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        connection.execute(statement.format(f'"{store.table}"'))


def test_load_is_in_battle_order_and_takes_a_limit(connection: sqlite3.Connection) -> None:
    store = MemoryStore.create(connection, "m1", "a")
    for index in (5, 0, 3, 1):
        store.append(connection, made(index))
    assert [entry.place for entry in store.load(connection)] == [0, 1, 3, 5]
    assert [entry.place for entry in store.load(connection, 3)] == [0, 1, 3]
    assert store.load(connection, -4) == ()


def test_it_is_part_of_the_callers_transaction(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN")
    MemoryStore.create(connection, "m1", "a").append(connection, made(1))
    connection.execute("ROLLBACK")
    assert MemoryStore.every(connection) == ()


@pytest.mark.parametrize(
    "change",
    [
        "document = replace(document, 'No. 2', 'No. 3')",
        "document = substr(document, 2)",
        "result = 'loss'",
        "battle_id = 'another'",
        "battle_index = 7",
    ],
)
def test_a_corrupt_entry_is_named(connection: sqlite3.Connection, change: str) -> None:
    store = MemoryStore.create(connection, "m1", "a")
    for index in range(4):
        store.append(connection, made(index))
    connection.execute(f'DROP TRIGGER "{store.table}_update"')
    connection.execute(f'UPDATE "{store.table}" SET {change} WHERE battle_index = 2')
    with pytest.raises(RecordError) as caught:
        store.load(connection)
    assert "entry 3" in str(caught.value)
    assert made(2).id in str(caught.value)


def test_imports_come_first_once_and_only_into_an_unplayed_matchup(
    connection: sqlite3.Connection,
) -> None:
    store = MemoryStore.create(connection, "m1", "a")
    assert store.import_experiences(connection, [made(9), made(3), made(9)]) == 2
    assert store.import_experiences(connection, [made(3)]) == 0
    store.append(connection, made(0))
    loaded = store.load(connection)
    assert [(entry.place, entry.experience.index) for entry in loaded] == [(-1, 9), (-1, 3), (0, 0)]
    assert [entry.experience.index for entry in store.load(connection, -5)] == [9, 3]
    with pytest.raises(RecordError, match="of its own"):
        store.import_experiences(connection, [made(8)])


def test_a_resumed_memory_equals_the_one_that_ran_on(connection: sqlite3.Connection) -> None:
    store = MemoryStore.create(connection, "m1", "a")
    running = Memory(LineSimilarity(), MemoryConfig())
    for index in random.Random(5).sample(range(30), 30):
        running.add(made(index))
        store.append(connection, made(index))
    resumed = Memory(LineSimilarity(), MemoryConfig())
    resumed.extend(store.load(connection))
    for limit in (5, 12, 29):
        one, other = running.snapshot(limit), resumed.snapshot(limit)
        assert one.hash == other.hash
        assert one.retrieve(team(0.5), team(0.1)) == other.retrieve(team(0.5), team(0.1))
