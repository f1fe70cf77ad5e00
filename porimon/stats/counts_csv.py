"""Reading counts of matchups from CSV: ``player_a,player_b,wins_a,wins_b,ties``.

Columns may come in any order. Every mistake is reported with its line, what is wrong, and what
would be right.
"""

from __future__ import annotations

import csv
import difflib
import io
import re
from pathlib import Path

from porimon.errors import UserInputError
from porimon.stats.battles import MatchupCounts

COLUMNS = ("player_a", "player_b", "wins_a", "wins_b", "ties")
HEADER = ",".join(COLUMNS)


def read_counts(path: Path) -> list[MatchupCounts]:
    """Counts from a file. Raises ``UserInputError`` if it cannot be read or is not such a CSV."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UserInputError(
            f"cannot read the counts: {error.strerror}",
            where=str(path),
            remedy=f"give a CSV file with the header {HEADER}",
        ) from error
    except UnicodeDecodeError as error:
        raise UserInputError(
            f"the file is not UTF-8 text (byte {error.start})",
            where=str(path),
            remedy="save it as CSV in UTF-8",
        ) from error
    return parse_counts(text, str(path))


def parse_counts(text: str, source: str = "counts") -> list[MatchupCounts]:
    """Counts from CSV text. ``source`` names it in messages."""
    # csv counts physical lines itself, also through quoted line breaks.
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    counts: list[MatchupCounts] = []
    header: list[str] | None = None
    try:
        for row in reader:
            where = f"{source}, line {reader.line_num}"
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if header is None:
                header = _header(cells, where)
            else:
                counts.append(_counts(cells, header, where))
    except csv.Error as error:
        raise UserInputError(
            f"not valid CSV: {error}", where=f"{source}, line {reader.line_num}"
        ) from error
    if header is None:
        raise UserInputError(
            "the file is empty", where=source, remedy=f"its first line must be {HEADER}"
        )
    if not counts:
        raise UserInputError(
            "there are no matchups below the header",
            where=source,
            remedy="add a line such as h,p,200,300,0",
        )
    return counts


def _header(cells: list[str], where: str) -> list[str]:
    for name in cells:
        if name not in COLUMNS:
            unused = [column for column in COLUMNS if column not in cells]
            near = difflib.get_close_matches(name.lower(), unused or list(COLUMNS), n=1, cutoff=0.5)
            raise UserInputError(
                f"unknown column {name!r}",
                where=where,
                remedy=f"did you mean {near[0]!r}?" if near else f"the header is {HEADER}",
            )
    missing = [column for column in COLUMNS if column not in cells]
    if missing:
        raise UserInputError(
            f"missing column: {', '.join(missing)}", where=where, remedy=f"the header is {HEADER}"
        )
    if len(cells) != len(COLUMNS):
        raise UserInputError("a column stands twice", where=where, remedy=f"the header is {HEADER}")
    return cells


def _counts(cells: list[str], header: list[str], where: str) -> MatchupCounts:
    if len(cells) != len(header):
        raise UserInputError(
            f"{len(cells)} values where the header has {len(header)} columns",
            where=where,
            remedy="quote a name that contains a comma",
        )
    row = dict(zip(header, cells, strict=True))
    for column in ("player_a", "player_b"):
        if not row[column]:
            raise UserInputError(f"{column} is empty", where=where, remedy="name the player")
    if row["player_a"] == row["player_b"]:
        raise UserInputError(
            f"{row['player_a']!r} plays against itself",
            where=where,
            remedy="a matchup has two different players",
        )
    wins_a, wins_b, ties = (
        _whole_number(row[column], column, where) for column in ("wins_a", "wins_b", "ties")
    )
    return MatchupCounts(row["player_a"], row["player_b"], wins_a, wins_b, ties)


def _whole_number(text: str, column: str, where: str) -> int:
    if re.fullmatch(r"[0-9]{1,15}", text):
        return int(text)
    if re.fullmatch(r"-[0-9]+", text):
        what, remedy = f"{column} is negative: {text}", "counts are 0 or more"
    elif re.fullmatch(r"[0-9]*\.[0-9]+", text):
        what = f"{column} is not a whole number: {text}"
        remedy = "a tie counts one in the column ties, not half a win"
    elif not text:
        what, remedy = f"{column} is empty", "write 0 for none"
    else:
        what, remedy = f"{column} is not a count: {text!r}", "write a whole number such as 250"
    raise UserInputError(what, where=where, remedy=remedy)
