"""The tracker: protocol lines in, the view of a decision out. It knows nothing of any client."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from porimon.showdown.dex import Dex, dex
from porimon.showdown.events.model import Event
from porimon.showdown.events.parse import parse_line
from porimon.showdown.view.battle_state import BattleState
from porimon.showdown.view.build import build_view
from porimon.showdown.view.handlers import apply_event
from porimon.showdown.view.model import BattleView, SideRole
from porimon.showdown.view.own_team import take_over
from porimon.showdown.view.request import read_request


class BattleTracker:
    """Follows one battle as one player sees it.

    Parameters
    ----------
    role:
        The player's side.
    game_data:
        The dex; the shared one by default.
    """

    def __init__(self, role: SideRole, game_data: Dex | None = None) -> None:
        self.role = role
        self.state = BattleState.new(game_data or dex(), frozenset({role}))

    def apply(self, lines: Iterable[str | Sequence[str]]) -> None:
        """Take in protocol lines, raw or split at their bars, as the player received them.

        Each line is to be given once, in order. Lines that say nothing about the battle, and
        those that cannot be read, change nothing.
        """
        self.apply_events(parse_line(line) for line in lines)

    def apply_events(self, events: Iterable[Event]) -> None:
        """Take in the events of lines that have been read already."""
        for event in events:
            apply_event(self.state, event)

    def view(self, request: Mapping[str, Any]) -> BattleView:
        """All that the player may know now, with the orders that ``request`` allows.

        ``request`` is the server's JSON document of the decision, whose lines have been applied.

        Raises
        ------
        BattleAborted
            If the request cannot be read.
        """
        told = read_request(request)
        take_over(self.state, self.state.sides[self.role], told)
        return build_view(self.state, self.role, told)
