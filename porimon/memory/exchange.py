"""Experiences as JSON Lines: one experience a line, to be read elsewhere or imported again."""

from __future__ import annotations

import json
from collections.abc import Iterable

from porimon.errors import RecordError
from porimon.memory.experience import Experience, from_document
from porimon.memory.store import MemoryStore


def to_line(store: MemoryStore, experience: Experience) -> str:
    """One line: the experience, its id, and the memory that it comes from."""
    return json.dumps(
        {
            "id": experience.id,
            "matchup_id": store.matchup_id,
            "seat": store.seat,
            "experience": experience.document(),
        },
        ensure_ascii=False,
    )


def from_lines(lines: Iterable[str], *, where: str) -> list[Experience]:
    """The experiences in lines written by ``to_line``; empty lines are skipped.

    Raises ``RecordError`` that names the line if one is no experience, or not the one it says.
    """
    return [
        _from_line(line, f"{where}, line {number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def _from_line(line: str, where: str) -> Experience:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"this is not JSON: {error}", where=where, remedy=_REMEDY) from error
    if not isinstance(document, dict) or "experience" not in document:
        raise RecordError("this line holds no experience", where=where, remedy=_REMEDY)
    experience = from_document(document["experience"], where=where)
    if document.get("id", experience.id) != experience.id:
        raise RecordError(
            "the experience was changed after it was exported: it doesn't have the id it says",
            where=where,
            remedy='export it again, or take "id" out of the line if the change is meant',
        )
    return experience


_REMEDY = "name a file that `porimon memory DIR export` wrote"
