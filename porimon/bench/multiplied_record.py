"""A large record made of a small one: its battles again under new numbers, for benchmarks."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from porimon.tournament.record.connect import record_path

_COPIED = ("battle_texts", "decisions", "calls")
"""Tables with rows of single battles, besides ``battles`` itself."""


def multiply_record(source: Path, folder: Path, per_matchup: int) -> int:
    """Write the record of the run ``source`` again into ``folder``, with more battles.

    Every matchup gets ``per_matchup`` battles: its own ones, repeated in order. Memories stay as
    they are, so the new record can be read and reported but not gone on with. Returns the number
    of its battles.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (
        closing(sqlite3.connect(f"{record_path(source).as_uri()}?mode=ro", uri=True)) as small,
        closing(sqlite3.connect(record_path(folder))) as large,
    ):
        small.backup(large)
        large.execute("PRAGMA synchronous = OFF")  # a made record may be made again
        with large:
            _multiply(large, per_matchup)
        count: int = large.execute("SELECT count(*) FROM battles").fetchone()[0]
    return count


def _multiply(large: sqlite3.Connection, per_matchup: int) -> None:
    large.execute(
        "CREATE TEMP TABLE again AS"
        " SELECT id AS old, id AS new, position AS place FROM battles LIMIT 0"
    )
    for matchup, number in large.execute("SELECT id, number FROM matchups").fetchall():
        played = [
            row[0]
            for row in large.execute(
                "SELECT id FROM battles WHERE matchup_id = ? ORDER BY position", (matchup,)
            )
        ]
        if not played:
            continue
        large.executemany(
            "INSERT INTO again VALUES (?, ?, ?)",
            [
                (played[place % len(played)], f"{number}.{place + 1}", place)
                for place in range(len(played), per_matchup)
            ],
        )
    # Column names, since a later layout of the record may have more of them.
    battles = _columns(large, "battles", without=("id", "position", "pair"))
    large.execute(
        f"INSERT INTO battles (id, position, pair, {battles})"
        f" SELECT new, place, place / 2, {battles}"
        " FROM again JOIN battles ON battles.id = old"
    )
    for table in _COPIED:
        rest = _columns(large, table, without=("battle_id",))
        large.execute(
            f"INSERT INTO {table} (battle_id, {rest})"
            f" SELECT new, {rest} FROM again JOIN {table} ON {table}.battle_id = old"
        )
    large.execute("UPDATE matchups SET battles = ?", (per_matchup,))
    plan = json.loads(large.execute("SELECT value FROM meta WHERE key = 'plan'").fetchone()[0])
    plan["battles"] = per_matchup
    large.execute("UPDATE meta SET value = ? WHERE key = 'plan'", (json.dumps(plan),))


def _columns(connection: sqlite3.Connection, table: str, without: tuple[str, ...]) -> str:
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    return ", ".join(name for name in names if name not in without)
