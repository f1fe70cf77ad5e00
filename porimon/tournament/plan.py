"""The plan of a tournament: which matchups, which battles, with which seed and which side first.

Pure functions of the tournament file. Every random choice of a battle derives from the run's seed
and the battle's place in the plan, so no battle depends on what ran before it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from porimon.config.player import PlayerConfig
from porimon.config.tournament import TournamentSettings
from porimon.tournament.game import BattleSpec, Seat


@dataclass(frozen=True, slots=True)
class Matchup:
    """Two names that meet in a stage. ``number`` counts from 1 in the file's order."""

    number: int
    stage: str
    part: str
    name_a: str
    name_b: str
    battles: int

    @property
    def matchup_id(self) -> str:
        """A readable identity that doesn't depend on the other matchups of the file."""
        return f"{self.stage}: {self.name_a} v {self.name_b}"


def planned_matchups(settings: TournamentSettings) -> tuple[Matchup, ...]:
    """Every matchup of the file, in the file's order."""
    found: list[Matchup] = []
    for stage in settings.stages:
        for name_a, name_b in stage.matchups():
            found.append(
                Matchup(
                    number=len(found) + 1,
                    stage=stage.name,
                    part=stage.part or stage.name,
                    name_a=name_a,
                    name_b=name_b,
                    battles=stage.battles or settings.battles,
                )
            )
    return tuple(found)


def derived_seed(run_seed: int, *place: str | int) -> int:
    """A 63-bit seed that belongs to a place in the plan (SHA-256 of seed and place)."""
    text = "\x1f".join(str(part) for part in (run_seed, *place))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def battle_id(matchup: Matchup, index: int) -> str:
    """``3.12``: matchup 3 of the plan, its battle 12 (counted from 1)."""
    return f"{matchup.number}.{index + 1}"


def planned_battles(
    matchup: Matchup,
    players: dict[Seat, PlayerConfig],
    *,
    run_seed: int,
    paired: bool,
) -> Iterator[BattleSpec]:
    """The battles of a matchup in order. In pairs, two share a seed and swap sides."""
    for index in range(matchup.battles):
        pair = index // 2 if paired else index
        seed = derived_seed(run_seed, matchup.matchup_id, pair)
        # Unpaired battles alternate the sides too, or p1 would always be the same player.
        first: Seat = "a" if index % 2 == 0 else "b"
        yield BattleSpec(
            battle_id=battle_id(matchup, index),
            matchup_id=matchup.matchup_id,
            index=index,
            pair=pair,
            seed=seed,
            first=first,
            players=players,
        )
