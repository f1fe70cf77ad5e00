"""Showdown's part of a report (implements ``porimon.report.describer.BattleDescriber``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porimon.showdown.dex.store import dex
from porimon.showdown.events.parse import parse_line
from porimon.showdown.events.sentences.naming import SpectatorNames
from porimon.showdown.events.turn_log import TurnLog
from porimon.showdown.facts.lookup import CONDITION_NAMES
from porimon.showdown.view.boards import (
    board_document,
    boards_of_events,
    final_board,
    private_lines,
)


@dataclass(frozen=True, slots=True)
class ShowdownDescriber:
    """Tells a battle with both players' names, and draws boards from their views or the log."""

    def assets(self) -> tuple[Path, ...]:
        """The scripts and the style of the battle page."""
        folder = Path(__file__).parent / "assets"
        return tuple(
            folder / name for name in ("showdown.css", "cards.js", "damage.js", "showdown.js")
        )

    def data(self) -> Mapping[str, Any]:
        """Names of species, moves, abilities, items and conditions by id."""
        game = dex()
        return {
            "species": {key: game.species(key).name for key in game.ids("species")},
            "moves": {key: game.move(key).name for key in game.ids("moves")},
            "abilities": {key: game.ability(key).name for key in game.ids("abilities")},
            "conditions": CONDITION_NAMES,
            "items": {key: game.item(key).name for key in game.ids("items")},
        }

    def describe(self, log: str, players: tuple[str, str], *, watched: bool) -> Mapping[str, Any]:
        """The log in sentences, and the boards that the players' views do not tell.

        With both players' views that is the final board, after which nobody decided any more.
        """
        events = [parse_line(line) for line in private_lines(log.splitlines())]
        told = TurnLog("p1", names=SpectatorNames("p1", players))
        for event in events:
            told.apply_event(event)
        if watched:
            final = final_board(events, dex())
            boards = [] if final is None else [final]
        else:
            boards = list(boards_of_events(events, dex()))
        return {
            "turns": [turn.document() for turn in told.turns if turn.segments],
            "boards": [board_document(board) for board in boards],
        }
