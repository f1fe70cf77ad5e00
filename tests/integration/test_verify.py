"""Recorded battles are simulated again; a record that was tampered with is found out."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from porimon.launch import RunRequest, launch
from porimon.tournament.progress import Silent
from porimon.tournament.record.details import compress, decompress
from porimon.verify import verify_run

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify")
    file = folder / "plain.toml"
    file.write_text(
        'name = "plain"\nbattles = 4\nseed = 11\nround_robin = ["random", "max-power", "h"]\n'
    )
    return asyncio.run(launch(RunRequest(file, out=folder / "run"), Silent()))


async def test_every_battle_comes_out_as_recorded(run: Path) -> None:
    results = await verify_run(run)
    assert len(results) == 12
    assert all(each.replayable and each.problem is None for each in results), results


async def test_a_changed_log_and_a_changed_winner_are_named(run: Path) -> None:
    with sqlite3.connect(run / "run.sqlite") as connection:
        (log,) = connection.execute(
            "SELECT log FROM battle_texts WHERE battle_id = '1.1'"
        ).fetchone()
        lines = decompress(log).decode().split("\n")
        lines[-2] = "|-message|tampered with"
        connection.execute(
            "UPDATE battle_texts SET log = ? WHERE battle_id = '1.1'",
            (compress("\n".join(lines)),),
        )
        connection.execute(
            "UPDATE battles SET winner = CASE winner WHEN 'a' THEN 'b' ELSE 'a' END"
            " WHERE id = '2.1'"
        )
    changed, same, winner = await verify_run(run, ["1.1", "1.2", "2.1"])
    assert changed.problem is not None
    assert f"line {len(lines) - 1}" in changed.problem
    assert "tampered with" in changed.problem
    assert same.problem is None
    assert winner.problem is not None
    assert "winner" in winner.problem
