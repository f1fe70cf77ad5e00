"""A stored log as boards: both sides and the field at the start of each turn and at the end.

For readers of a finished battle (the report), not for players: where the log holds both sides'
private messages, both sides are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

from porimon.showdown.dex import Dex, dex
from porimon.showdown.events.model import Event, Switch, Tie, Turn, Win
from porimon.showdown.events.parse import parse_line
from porimon.showdown.view.battle_state import BattleState
from porimon.showdown.view.build import field_view, side_view
from porimon.showdown.view.handlers import apply_event
from porimon.showdown.view.model import FieldView, SideRole, SideView

HUNDREDTHS = 100


@dataclass(frozen=True, slots=True)
class Board:
    """What stands where when ``turn`` begins. ``final``: the battle is over, in that turn."""

    turn: int
    final: bool
    p1: SideView
    p2: SideView
    field: FieldView


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Board]:
    return TypeAdapter(Board)


def boards_by_turn(log: str, game_data: Dex | None = None) -> list[dict[str, Any]]:
    """The boards of a log as JSON documents, in order: one for each turn, and the final one.

    ``log`` is a battle's protocol text, whether a spectator's, a player's or the server's own with
    its ``|split|`` pairs (the private line of a pair counts). Each document has the fields of
    ``Board``, with sides as ``SideView``. A log without any turn gives an empty list.
    """
    return [board_document(board) for board in boards(log.splitlines(), game_data or dex())]


def board_document(board: Board) -> dict[str, Any]:
    """A board as a JSON document."""
    document: dict[str, Any] = _adapter().dump_python(board, mode="json")
    return document


def boards(lines: Iterable[str], game_data: Dex) -> Iterator[Board]:
    """The boards of protocol lines, as data."""
    return boards_of_events([parse_line(line) for line in private_lines(lines)], game_data)


def boards_of_events(events: Sequence[Event], game_data: Dex) -> Iterator[Board]:
    """The boards of a whole battle's events, private ones where there are any."""
    state = BattleState.new(game_data, _exact_sides(events))
    for event in events:
        apply_event(state, event)
        if isinstance(event, Turn | Win | Tie):
            yield _board(state, game_data)


def final_board(events: Sequence[Event], game_data: Dex) -> Board | None:
    """The last of ``boards_of_events``, without making the others; ``None``: no end is told."""
    state = BattleState.new(game_data, _exact_sides(events))
    for event in events:
        apply_event(state, event)
        if isinstance(event, Win | Tie):
            return _board(state, game_data)
    return None


def _board(state: BattleState, game_data: Dex) -> Board:
    return Board(
        turn=state.turn,
        final=state.finished,
        p1=side_view(game_data, state.sides["p1"]),
        p2=side_view(game_data, state.sides["p2"]),
        field=field_view(state.field),
    )


def private_lines(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a log; of each ``|split|`` pair the private one, which comes first."""
    remaining = iter(lines)
    for line in remaining:
        if line.startswith("|split|"):
            yield next(remaining, "")
            next(remaining, "")
        else:
            yield line


def _exact_sides(events: Iterable[Event]) -> frozenset[SideRole]:
    """The sides whose HP are told in points: their maximum is not 100 throughout."""
    return frozenset(
        event.pokemon.side
        for event in events
        if isinstance(event, Switch) and event.condition.max_hp not in (HUNDREDTHS, None)
    )
