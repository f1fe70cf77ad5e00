"""Where in a TOML file a key stands, so that an error can name the line."""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEADER = re.compile(r"^\s*\[{1,2}\s*(?P<path>[^\[\]#]+?)\s*\]{1,2}\s*(?:#.*)?$")
_ASSIGNMENT = re.compile(r"^\s*(?P<path>[A-Za-z0-9_\-\"'. ]+?)\s*=")
_SYNTAX_LINE = re.compile(r"at line (\d+)")


def _split(path: str) -> tuple[str, ...]:
    parts = re.findall(r"\"[^\"]*\"|'[^']*'|[^.\s]+", path)
    return tuple(part.strip("\"'") for part in parts)


def find_line(text: str, path: Sequence[str]) -> int | None:
    """The line (from 1) that sets the key ``path``, or the nearest parent that has a line.

    ``path`` is the way from the document's root, table names included. ``None`` when not even the
    first part of it is there. Keys inside inline tables are given the line of the inline table.
    """
    wanted = tuple(path)
    best_depth, best_line = 0, None
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = _split(header["path"])
            here = table
        elif assignment := _ASSIGNMENT.match(line):
            here = (*table, *_split(assignment["path"]))
        else:
            continue
        if here == wanted[: len(here)] and len(here) > best_depth:
            best_depth, best_line = len(here), number
        elif best_line is None and wanted and here[:1] == wanted[:1]:
            best_line = number
    return best_line


def line_of_syntax_error(message: str) -> int | None:
    """The line that ``tomllib`` names in its message, ``None`` if it names none."""
    match = _SYNTAX_LINE.search(message)
    return int(match[1]) if match else None


def place(file: str, line: int | None) -> str:
    """``file, line 12``: the form in which every error names a place in a file."""
    return file if line is None else f"{file}, line {line}"
