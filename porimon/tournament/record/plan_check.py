"""A run's folder belongs to one plan: going on with another is refused, with the difference."""

from __future__ import annotations

import difflib
import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from porimon.errors import UserInputError


def check_plan(connection: sqlite3.Connection, plan: Mapping[str, Any], folder: Path) -> None:
    """Store ``plan`` in a new record; refuse a record that holds another one."""
    text = json.dumps(plan, indent=1, sort_keys=True)
    row = connection.execute("SELECT value FROM meta WHERE key = 'plan'").fetchone()
    if row is None:
        connection.execute("INSERT INTO meta VALUES ('plan', ?)", (text,))
        return
    if row[0] == text:
        return
    difference = [
        line
        for line in difflib.unified_diff(
            row[0].splitlines(), text.splitlines(), "in the folder", "in the file", lineterm="", n=1
        )
        if not line.startswith("@@")
    ]
    raise UserInputError(
        "this folder holds a run of another plan:\n    " + "\n    ".join(difference[:40]),
        where=str(folder),
        remedy="choose another folder with --out, or undo the change in the file",
    )
