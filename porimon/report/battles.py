"""Battle data of a report: an index per matchup and one script per battle, loaded when asked for.

What the record holds compressed is passed on as it is, so a battle costs no more than its log's
telling. A battle that has not changed since the last report is not written again.
"""

from __future__ import annotations

import concurrent.futures
import gc
import json
import multiprocessing
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import porimon
from porimon.report.describer import BattleDescriber
from porimon.report.scripts import as_json, as_script, packed
from porimon.tournament.game import Seat
from porimon.tournament.record.details import compress
from porimon.tournament.record.read import RecordedBattle, RecordedMatchup, RunReader

LAYOUT = "3"
"""Raised whenever the content of the scripts changes: older ones are then written anew."""

FEWEST_FOR_WORKERS = 100
"""Below so many battles other processes take longer to start than they save."""

_CHUNK = 25

Progress = Callable[[int, int], None]
"""Gets how many battles are done, of how many."""


@dataclass(frozen=True, slots=True)
class BattlePage:
    """One battle to be written: its place in the record and the page's neighbours."""

    battle: RecordedBattle
    matchup: RecordedMatchup
    watched: bool
    """Whether both players' views are in the record."""
    previous: str | None
    next: str | None

    @property
    def name(self) -> str:
        """``3.12``, as the battle's address has it."""
        return page_name(self.matchup, self.battle)

    @property
    def path(self) -> str:
        """Where the script lies, below the folder of battles. Made of numbers alone."""
        return f"{self.matchup.number}/{self.battle.position + 1}.js"


def page_name(matchup: RecordedMatchup, battle: RecordedBattle) -> str:
    """The battle's name in addresses: numbers alone, whatever the record says."""
    return f"{matchup.number}.{battle.position + 1}"


def battle_pages(reader: RunReader, most: int | None = None) -> list[BattlePage]:
    """The pages of a run in the plan's order, at most ``most`` of each matchup."""
    pages: list[BattlePage] = []
    of_matchup: dict[str, list[RecordedBattle]] = defaultdict(list)
    for battle in reader.battles():
        of_matchup[battle.matchup_id].append(battle)
    for matchup in reader.matchups():
        battles = of_matchup[matchup.matchup_id][:most]
        watched = all(reader.players[key].asks_model for key in matchup.hashes.values())
        names = [page_name(matchup, battle) for battle in battles]
        for battle, before, after in zip(battles, [None, *names], [*names[1:], None], strict=False):
            pages.append(BattlePage(battle, matchup, watched, before, after))
    return pages


def write_indices(reader: RunReader, pages: Sequence[BattlePage], folder: Path) -> None:
    """Write the list of each matchup's battles, and of all matchups."""
    counts = _counts(reader)
    with_page = {page.battle.battle_id for page in pages}
    played: dict[str, list[RecordedBattle]] = defaultdict(list)
    for battle in reader.battles():
        played[battle.matchup_id].append(battle)
    overview = []
    for matchup in reader.matchups():
        head = _matchup_document(matchup)
        battles = played[matchup.matchup_id]
        wins = {seat: sum(battle.winner == seat for battle in battles) for seat in ("a", "b")}
        overview.append({**head, "played": len(battles), "wins": wins})
        rows = [
            {
                **_battle_document(matchup, battle),
                **counts.get(battle.battle_id, {}),
                "page": battle.battle_id in with_page,
                "counts": matchup.stopped_after is None or battle.position < matchup.stopped_after,
            }
            for battle in battles
        ]
        _write(folder / f"{matchup.number}.js", as_script("matchup", matchup.number, rows))
    _write(folder / "matchups.js", as_script("matchups", overview))


def write_battles(
    run: Path,
    pages: Sequence[BattlePage],
    folder: Path,
    describer: BattleDescriber,
    progress: Progress | None = None,
) -> int:
    """Write the battles' scripts below ``folder``; returns how many were new or changed.

    ``run`` is the run's folder: other processes open its record by themselves.
    """
    state = f"{LAYOUT} {porimon.__version__}"
    manifest = folder / "manifest.json"
    known = _known(manifest, state)
    stale = [
        page
        for page in pages
        if known.get(page.path) != _stamp(page) or not (folder / page.path).is_file()
    ]
    manifest.unlink(missing_ok=True)  # an interrupted report must not be taken for a whole one
    _remove_others(folder, {page.path for page in pages})
    for number in {page.matchup.number for page in stale}:
        (folder / str(number)).mkdir(parents=True, exist_ok=True)
    chunks = [stale[start : start + _CHUNK] for start in range(0, len(stale), _CHUNK)]
    done = 0
    for written in _write_chunks(run, chunks, folder, describer):
        done += written
        if progress is not None:
            progress(done, len(stale))
    stamps = {page.path: _stamp(page) for page in pages}
    _write(manifest, json.dumps({"state": state, "battles": stamps}))
    return len(stale)


def _write_chunks(
    run: Path, chunks: Sequence[Sequence[BattlePage]], folder: Path, describer: BattleDescriber
) -> Iterator[int]:
    """Write all chunks, with several processes where there are many; gives each one's size."""
    if sum(map(len, chunks)) < FEWEST_FOR_WORKERS:
        for chunk in chunks:
            yield _write_chunk(run, chunk, folder, describer)
        return
    # Spawned, not forked: the parent may hold threads and an open database.
    with concurrent.futures.ProcessPoolExecutor(
        max_workers=len(os.sched_getaffinity(0)),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_collect_seldom,
    ) as workers:
        futures = [workers.submit(_write_chunk, run, chunk, folder, describer) for chunk in chunks]
        try:
            for future in concurrent.futures.as_completed(futures):
                yield future.result()
        finally:
            workers.shutdown(wait=True, cancel_futures=True)


def _collect_seldom() -> None:
    """Battles leave no cycles behind: looking for some takes a tenth of the time."""
    gc.set_threshold(200_000, 50, 100)


def _write_chunk(
    run: Path, pages: Sequence[BattlePage], folder: Path, describer: BattleDescriber
) -> int:
    with RunReader(run) as reader:
        for page in pages:
            _write(folder / page.path, battle_script(reader, page, describer))
    return len(pages)


def battle_script(reader: RunReader, page: BattlePage, describer: BattleDescriber) -> str:
    """One battle's script: its head, the game's telling, and the record's compressed parts."""
    battle, matchup = page.battle, page.matchup
    first, second = matchup.labels[battle.first], matchup.labels[_other(battle.first)]
    told = describer.describe(reader.log(battle.battle_id), (first, second), watched=page.watched)
    return as_script(
        "battle",
        {
            **_battle_document(matchup, battle),
            "matchup": _matchup_document(matchup),
            "order": [first, second],
            "pair": battle.pair,
            # Seeds have 63 bits; a number of a script keeps 53.
            "seed": str(battle.seed),
            "notes": list(battle.notes),
            "memory": battle.memory,
            "previous": page.previous,
            "next": page.next,
            "told": packed(compress(as_json(told))),
            "log": packed(reader.compressed(battle.battle_id, "log")),
            "details": packed(reader.compressed(battle.battle_id, "details")),
        },
    )


def _battle_document(matchup: RecordedMatchup, battle: RecordedBattle) -> dict[str, Any]:
    return {
        "name": page_name(matchup, battle),
        "first": battle.first,
        "winner": battle.winner,
        "turns": battle.turns,
        "end": battle.end_reason,
        "seconds": battle.seconds,
        "finished_at": battle.finished_at,
    }


def _matchup_document(matchup: RecordedMatchup) -> dict[str, Any]:
    return {
        "number": matchup.number,
        "stage": matchup.stage,
        "part": matchup.part,
        "players": matchup.labels,
        "planned": matchup.battles,
        "stopped_after": matchup.stopped_after,
    }


def _counts(reader: RunReader) -> dict[str, dict[str, Any]]:
    """Fallbacks and refused answers of every battle, by seat."""
    found: dict[str, dict[str, Any]] = {}
    query = (
        "SELECT battle_id, seat, count(fallback), sum(refused) FROM decisions"
        " GROUP BY battle_id, seat"
    )
    for battle_id, seat, fallbacks, refused in reader.connection.execute(query):
        entry = found.setdefault(battle_id, {"fallbacks": {}, "refused": {}})
        entry["fallbacks"][seat] = fallbacks
        entry["refused"][seat] = refused
    return found


def _remove_others(folder: Path, wanted: set[str]) -> None:
    """Remove scripts of battles that no longer have a page: a smaller report must be smaller."""
    for script in folder.glob("*/[0-9]*.js"):
        if script.relative_to(folder).as_posix() not in wanted:
            script.unlink()


def _stamp(page: BattlePage) -> str:
    labels = page.matchup.labels
    return f"{page.battle.finished_at} {labels['a']} {labels['b']} {page.previous} {page.next}"


def _known(manifest: Path, state: str) -> dict[str, str]:
    try:
        document = json.loads(manifest.read_text(encoding="utf-8"))
        known: dict[str, str] = document["battles"] if document["state"] == state else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # no report yet, or a damaged one: all is written
    return known


def _other(seat: Seat) -> Seat:
    return "b" if seat == "a" else "a"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
