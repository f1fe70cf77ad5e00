"""docs/record.md against the code: every table and column, and the details of a real battle."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from porimon.memory.store import MemoryStore
from porimon.tournament.record.connect import connect_to_read
from porimon.tournament.record.read import RunReader
from porimon.tournament.record.schema import APPLICATION_ID, prepare
from tests.docs.conftest import Workplace
from tests.docs.markdown import ROOT, blocks, tables

PAGE = ROOT / "docs" / "record.md"
A_MEMORY = "a memory"


def documented_columns() -> dict[str, list[tuple[str, str]]]:
    return {
        table.heading: [(row[0].strip("`"), row[1]) for row in table.rows]
        for table in tables(PAGE)
        if table.header[:2] == ("column", "type")
    }


def documented_keys() -> list[set[str]]:
    return [
        {row[0].strip("`") for row in table.rows}
        for table in tables(PAGE)
        if table.header[0] == "key"
    ]


def test_every_table_and_column_is_described() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    prepare(connection, Path("memory"))
    store = MemoryStore.create(connection, "a matchup", "a")
    found: dict[str, list[tuple[str, str]]] = {}
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
        columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
        title = A_MEMORY if name == store.table else name
        found[title] = [(column[1], column[2]) for column in columns]
    connection.close()
    assert documented_columns() == found


def test_the_application_id_is_named() -> None:
    assert f"0x{APPLICATION_ID:X}" in PAGE.read_text(encoding="utf-8")


@pytest.mark.server
def test_the_details_of_a_battle_have_the_described_keys(workplace: Workplace) -> None:
    document_keys, decision_keys, call_keys = documented_keys()
    with RunReader(workplace.folder / "runs" / "memory") as run:
        details = run.details("1.1")
    assert set(details) == document_keys
    assert {key for each in details["decisions"] for key in each} == decision_keys
    calls = [call for each in details["decisions"] for call in each["calls"]]
    assert calls
    assert {key for call in calls for key in call} == call_keys
    for reflection in details["reflections"].values():
        assert set(reflection) == {"experience", "calls"}


@pytest.mark.server
def test_queries_and_code_of_the_page_give_something(workplace: Workplace) -> None:
    shown = [block for block in blocks(PAGE) if block.note.run]
    assert {block.language for block in shown} == {"sql", "python"}
    with_rows = connect_to_read(workplace.folder / "runs" / "demo")
    for block in shown:
        if block.language == "sql":
            assert with_rows.execute(block.text).fetchall(), block.place
        else:
            ran = subprocess.run(
                [sys.executable, "-c", block.text],
                cwd=workplace.folder,
                capture_output=True,
                text=True,
                timeout=60,
            )
            assert ran.returncode == 0, f"{block.place}: {ran.stderr}"
            assert ran.stdout, block.place
    with_rows.close()
