"""A whole run, timed from its first battle to its last: set-up is measured elsewhere."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from porimon.bench.processor_time import OURS, difference, seconds_by_process
from porimon.launch import RunRequest, launch
from porimon.tournament.game import BattleOutcome, BattleSpec
from porimon.tournament.plan import Matchup
from porimon.tournament.progress import Silent

TOURNAMENT = """
name = "bench"
seed = {seed}
battles = {battles}
llm = "{llm}"
{more}
[concurrency]
battles = {concurrency}
per_matchup = {concurrency}
"""

MIRROR = """round_robin = ["h", "other"]
[players.other]
base = "h"
"""
"""The heuristic player against itself under another name."""


@dataclass
class TimedRun(Silent):
    """A listener that takes times and keeps outcomes.

    ``processors`` are the seconds of processor time of each kind of process between the first
    battle's start and the last one's end (see ``seconds_by_process``); ``processor_seconds`` is
    this process's alone.
    """

    battles: int
    seconds: float = 0.0
    processors: dict[str, float] = field(default_factory=dict)
    outcomes: list[tuple[Matchup, BattleSpec, BattleOutcome]] = field(default_factory=list)
    _started: tuple[float, dict[str, float]] | None = None

    def battle_started(self, matchup: Matchup, spec: BattleSpec) -> None:
        """The clock starts with the first battle."""
        if self._started is None:
            self._started = (time.perf_counter(), seconds_by_process())

    def battle_finished(self, matchup: Matchup, spec: BattleSpec, outcome: BattleOutcome) -> None:
        """Recorded and on disk."""
        assert self._started is not None
        self.outcomes.append((matchup, spec, outcome))
        if len(self.outcomes) == self.battles:
            self.seconds = time.perf_counter() - self._started[0]
            self.processors = difference(self._started[1], seconds_by_process())

    @property
    def processor_seconds(self) -> float:
        """Processor time of this process."""
        return self.processors[OURS]

    @property
    def rate(self) -> float:
        """Battles per second."""
        return len(self.outcomes) / self.seconds


async def timed_run(
    folder: Path,
    *,
    more: str,
    battles: int,
    concurrency: int,
    seed: int = 1,
    llm: str = "offline",
    llm_file: Path | None = None,
    workers: int = 1,
    simulators: int = 1,
    listener: TimedRun | None = None,
) -> TimedRun:
    """Play a tournament file made of these parts, fully recorded in ``folder``."""
    file = folder / "bench.toml"
    text = TOURNAMENT.format(seed=seed, battles=battles, llm=llm, more="", concurrency=concurrency)
    top, concurrency_section = text.split("[concurrency]")
    # ``more`` may open sections of its own, so it comes last.
    players = more.split("[players", 1)
    rest = f"[players{players[1]}" if len(players) > 1 else ""
    file.write_text(f"{top}{players[0]}\n[concurrency]{concurrency_section}\n{rest}")
    timed = listener or TimedRun(battles)
    await launch(
        RunRequest(
            file=file,
            out=folder / "run",
            llm_file=llm_file,
            workers=workers,
            simulators=simulators,
        ),
        timed,
    )
    return timed
