"""What the tests know of battles played in the simulator: the stored ones, and how to play more."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parent
STORED = FOLDER.parent / "data" / "battle_logs"
SideRole = Literal["p1", "p2"]
Kind = Literal["random", "wild"]


@dataclass(frozen=True)
class PlayedBattle:
    """One battle: what each player was sent, line by line.

    ``speeds``: for each turn (as text) both sides' true Speed when its first move began.
    """

    seed: str
    p1: list[str]
    p2: list[str]
    speeds: dict[str, list[int]]

    def lines(self, role: SideRole) -> list[str]:
        """What the player on that side was sent."""
        return self.p1 if role == "p1" else self.p2


def stored_battles(kind: Kind) -> list[PlayedBattle]:
    """The battles kept in the repository: ``generate_battles.js PACKAGE 40 stored KIND``."""
    text = gzip.decompress((STORED / f"{kind}.jsonl.gz").read_bytes()).decode()
    return [PlayedBattle(**json.loads(line)) for line in text.splitlines()]


def showdown_package() -> Path:
    """The pinned package's folder, set up on first use."""
    from porimon.showdown.node import prepare_node_parts

    return prepare_node_parts().showdown_server / "node_modules" / "pokemon-showdown"


def play_battles(count: int, seed: str, kind: Kind) -> Iterator[PlayedBattle]:
    """Plays battles anew with the pinned package; the same seed gives the same battles."""
    command = ["node", str(FOLDER / "generate_battles.js"), str(showdown_package())]
    done = subprocess.run(
        [*command, str(count), seed, kind],
        check=True,
        capture_output=True,
        text=True,
        timeout=900,
    )
    for line in done.stdout.splitlines():
        yield PlayedBattle(**json.loads(line))


def stage_tricky_turns(folder: Path) -> None:
    """Stages the tricky turns anew, one file a scene."""
    script = FOLDER / "stage_tricky_turns.js"
    command = ["node", str(script), str(showdown_package()), str(folder)]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
