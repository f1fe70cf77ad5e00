"""Plays battles between two choosers on a Showdown server, many at once."""

from __future__ import annotations

from porimon.showdown.arena_model import (
    FORFEIT,
    BattleEnding,
    Chooser,
    DecisionMoment,
    EndReason,
    PlayedBattle,
    Role,
)

__all__ = [
    "FORFEIT",
    "BattleEnding",
    "Chooser",
    "DecisionMoment",
    "EndReason",
    "PlayedBattle",
    "Role",
]

BATTLE_FORMAT = "gen8randombattle@@@Dynamax Clause"
"""Gen 8 Random Battle, Dynamax off by a battle rule (Porimon §III-A)."""
