"""What each event does to the tracker's state, by family; ``apply_event`` is the way in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from porimon.showdown.events.model import Event
from porimon.showdown.view.battle_state import BattleState
from porimon.showdown.view.handlers import (
    effects,
    entries,
    formes,
    health,
    moves,
    possessions,
    surroundings,
    turns,
)

_FAMILIES = (turns, entries, formes, moves, health, surroundings, effects, possessions)


def _by_type() -> dict[type[Event], tuple[Callable[[BattleState, Any], None], ...]]:
    table: dict[type[Event], tuple[Callable[[BattleState, Any], None], ...]] = {}
    for family in _FAMILIES:
        for event_type, handler in family.handlers.by_type.items():
            table[event_type] = (*table.get(event_type, ()), handler)
    return table


_TABLE = _by_type()


def apply_event(state: BattleState, event: Event) -> None:
    """Change ``state`` by one event. Events that say nothing about the state change nothing."""
    possessions.reveal_cause(state, event)
    for handler in _TABLE.get(type(event), ()):
        handler(state, event)


__all__ = ["apply_event"]
