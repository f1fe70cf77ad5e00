"""Plays thousands of battles in one process and watches what it holds: memory, tasks, files.

    python -m tests.soak --battles 2000 [--player h] [--out FILE.json]

Memory must stay flat after the first tenth (within 50 MB), and no task, socket or file descriptor
may be left over at the end. Exit code 1 if one of these does not hold. Not collected by pytest: it
takes minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from porimon.launch import RunRequest, launch
from porimon.tournament.progress import Silent

ALLOWED_GROWTH_MB = 50.0
MEGABYTE = 1024 * 1024

TOURNAMENT = """
name = "soak"
battles = {battles}
seed = 1
llm = "offline"
round_robin = ["{player}", "again"]
[players.again]
base = "{player}"
[concurrency]
battles = 8
per_matchup = 8
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the process held after so many battles. Memory is resident, in MB."""

    battles: int
    seconds: float
    memory_mb: float
    children_mb: float
    tasks: int
    descriptors: int
    sockets: int


class Watcher(Silent):
    """Takes a sample every so many battles."""

    def __init__(self, every: int) -> None:
        self._every = every
        self._process = psutil.Process()
        self._began = time.monotonic()
        self._battles = 0
        self.put_back = 0
        self.samples: list[Sample] = []

    def battle_finished(self, matchup: Any, spec: Any, outcome: Any) -> None:
        self._battles += 1
        if self._battles % self._every == 0:
            self.samples.append(self.sample())
            print(self.samples[-1], file=sys.stderr, flush=True)

    def battle_put_back(self, matchup: Any, spec: Any, reason: str) -> None:
        self.put_back += 1

    def sample(self) -> Sample:
        gc.collect()
        children = sum(child.memory_info().rss for child in self._process.children(recursive=True))
        return Sample(
            self._battles,
            time.monotonic() - self._began,
            self._process.memory_info().rss / MEGABYTE,
            children / MEGABYTE,
            len(asyncio.all_tasks()),
            self._process.num_fds(),
            len(self._process.net_connections(kind="inet")),
        )


async def soak(folder: Path, battles: int, player: str) -> dict[str, Any]:
    """Play, and say what was held meanwhile and what is left over."""
    file = folder / "soak.toml"
    file.write_text(TOURNAMENT.format(battles=battles, player=player))
    watcher = Watcher(max(1, battles // 20))
    # A first small run loads all that is loaded once (game data, clients, threads).
    await launch(RunRequest(file, out=folder / "warm", changes=("battles=8",)), Silent())
    before = watcher.sample()
    await launch(RunRequest(file, out=folder / "run"), watcher)
    await asyncio.sleep(1)
    after = watcher.sample()
    settled = [sample for sample in watcher.samples if sample.battles >= battles // 10]
    growth = max(sample.memory_mb for sample in settled) - settled[0].memory_mb
    left = {
        "tasks": after.tasks - before.tasks,
        "descriptors": after.descriptors - before.descriptors,
        "sockets": after.sockets - before.sockets,
        "children": len(psutil.Process().children(recursive=True)),
    }
    return {
        "battles": battles,
        "player": player,
        "put_back": watcher.put_back,
        "growth_mb": growth,
        "flat": growth <= ALLOWED_GROWTH_MB,
        "left_over": left,
        "nothing_left": not any(count > 0 for count in left.values()),
        "before": asdict(before),
        "samples": [asdict(sample) for sample in watcher.samples],
        "after": asdict(after),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=2000)
    parser.add_argument("--player", default="h", help="plays against a copy of itself")
    parser.add_argument("--out", type=Path, help="where the figures go as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="porimon-soak-") as folder:
        found = asyncio.run(soak(Path(folder), options.battles, options.player))
    text = json.dumps(found, indent=1)
    if options.out is not None:
        options.out.write_text(text)
    print(text)
    return 0 if found["flat"] and found["nothing_left"] else 1


if __name__ == "__main__":
    sys.exit(main())
