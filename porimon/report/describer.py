"""What a report asks of a game: how its battles are told and drawn. Nothing here knows a game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class BattleDescriber(Protocol):
    """How a game shows its battles in a report.

    Worker processes get a copy of it, so it must be picklable.
    """

    def assets(self) -> tuple[Path, ...]:
        """Scripts (``.js``) and styles (``.css``) of the battle page, in the order of loading.

        A script gives ``Porimon.game`` the functions that draw the game's own documents (see
        ``porimon/report/assets/game.js``).
        """
        ...

    def data(self) -> Mapping[str, Any]:
        """What those scripts need to know of the game in all battles (names), as JSON."""
        ...

    def describe(self, log: str, players: tuple[str, str], *, watched: bool) -> Mapping[str, Any]:
        """One battle as a JSON document, read from its log.

        ``players`` are the labels of the players in playing order. ``turns`` must hold the log in
        sentences, ``[{"number": turn, "segments": [text, …]}, …]``. With ``watched`` both players'
        own views are in the record; without, the document should hold what is needed to draw the
        boards.
        """
        ...


class PlainDescriber:
    """For a game that brings nothing of its own: views are shown as they are recorded."""

    def assets(self) -> tuple[Path, ...]:
        """None."""
        return ()

    def data(self) -> Mapping[str, Any]:
        """Nothing."""
        return {}

    def describe(self, log: str, players: tuple[str, str], *, watched: bool) -> Mapping[str, Any]:
        """The log's lines as one turn."""
        return {"turns": [{"number": 0, "segments": log.splitlines()}]}
