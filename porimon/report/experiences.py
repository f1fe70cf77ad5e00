"""What was retrieved for decisions, as text: one script per matchup, loaded beside its battles.

A decision in the record only names the experiences that it was given. Each stands once here,
however many decisions had it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from porimon.memory.store import IMPORTED, MemoryStore, StoredExperience
from porimon.report.scripts import as_script
from porimon.tournament.record.read import RecordedMatchup, RunReader

FILE = "experiences.js"


def write_experiences(reader: RunReader, folder: Path) -> None:
    """Write the experiences of each matchup, be there some or none, below the folder of battles.

    Raises ``RecordError`` for a corrupt entry.
    """
    matchups = {matchup.matchup_id: matchup for matchup in reader.matchups()}
    found: dict[int, dict[str, Any]] = {each.number: {} for each in matchups.values()}
    for store in MemoryStore.every(reader.connection):
        matchup = matchups.get(store.matchup_id)
        if matchup is None:
            continue  # filled by an import, but not played yet
        known = found[matchup.number]
        for entry in store.load(reader.connection):
            known[entry.experience.id] = _document(entry, matchup)
    for number, known in found.items():
        (folder / str(number)).mkdir(parents=True, exist_ok=True)
        script = as_script("experiences", number, known)
        (folder / str(number) / FILE).write_text(script, encoding="utf-8")


def _document(entry: StoredExperience, matchup: RecordedMatchup) -> dict[str, Any]:
    experience = entry.experience
    own = entry.place != IMPORTED
    return {
        "result": experience.result,
        "summary": experience.summary,
        "lessons": experience.lessons,
        "log": experience.log,
        # Where it was learnt: a page of this report, or an imported battle's name.
        "page": f"{matchup.number}.{entry.place + 1}" if own else None,
        "battle": experience.battle_id,
    }
