"""What of a run's record must not depend on speed, interruptions or faults: for comparisons."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any


def contents(folder: Path) -> dict[str, Any]:
    """Battles, decisions, calls and memories of a run, without times and without unused answers."""
    with sqlite3.connect(folder / "run.sqlite") as connection:
        names = []
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'memories'").fetchone():
            names = [row[0] for row in connection.execute("SELECT table_name FROM memories")]
        return {
            "battles": connection.execute(
                "SELECT id, position, pair, seed, first, winner, memory_a, memory_b FROM battles"
                " ORDER BY id"
            ).fetchall(),
            "decisions": connection.execute(
                "SELECT battle_id, seat, number, played, retrieved FROM decisions ORDER BY 1, 2, 3"
            ).fetchall(),
            "calls": connection.execute(
                "SELECT battle_id, seat, number FROM calls WHERE purpose != 'unused' ORDER BY 1,2,3"
            ).fetchall(),
            "memories": [
                connection.execute(
                    f'SELECT id, battle_index FROM "{name}" ORDER BY battle_index'
                ).fetchall()
                for name in sorted(names)
            ],
        }
