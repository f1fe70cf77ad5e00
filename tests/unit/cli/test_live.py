"""What a run prints where there is no terminal: a line when there is news, never one twice."""

from __future__ import annotations

import io

from rich.console import Console

from porimon.cli.live import LiveProgress
from porimon.config.player import PlayerConfig
from porimon.tournament.game import BattleOutcome, BattleSpec
from porimon.tournament.plan import Matchup

MATCHUP = Matchup(1, "stage", "stage", "h", "p", 2)
PLAYERS = {"a": PlayerConfig(name="h", base="h"), "b": PlayerConfig(name="p", base="p")}


def played(progress: LiveProgress, index: int) -> None:
    spec = BattleSpec(f"1.{index + 1}", MATCHUP.matchup_id, index, 0, 7, "a", PLAYERS)
    progress.battle_started(MATCHUP, spec)
    progress.battle_finished(MATCHUP, spec, BattleOutcome("a", 5, "normal", "", (), ()))


def printed(battles: int) -> list[str]:
    console = Console(file=io.StringIO(), width=80)
    with LiveProgress(console, planned=2) as progress:
        progress.matchup_started(MATCHUP, finished=0)
        for index in range(battles):
            played(progress, index)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_nothing_is_said_of_nothing() -> None:
    assert printed(0) == []


def test_the_last_line_is_not_repeated() -> None:
    (line,) = printed(1)
    assert line.startswith("1 of 2 battles")


def test_what_came_after_the_last_line_is_told_at_the_end() -> None:
    first, last = printed(2)
    assert first.startswith("1 of 2 battles")
    assert last.startswith("2 of 2 battles")
    assert "left" not in last
