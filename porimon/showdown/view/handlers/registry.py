"""Which function answers which event: a table that the modules of this folder fill by decorator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from porimon.showdown.events.model import Event
from porimon.showdown.view.battle_state import BattleState

SomeEvent = TypeVar("SomeEvent", bound=Event)
Handler = Callable[[BattleState, SomeEvent], None]


class Handlers:
    """The functions of one family of events. Each event type has one function in its family."""

    def __init__(self) -> None:
        self.by_type: dict[type[Event], Callable[[BattleState, Any], None]] = {}

    def on(self, event_type: type[SomeEvent]) -> Callable[[Handler[SomeEvent]], Handler[SomeEvent]]:
        """Decorator: the function answers events of this type."""

        def register(handler: Handler[SomeEvent]) -> Handler[SomeEvent]:
            if event_type in self.by_type:
                raise ValueError(f"{event_type.__name__} has a handler in this family already")
            self.by_type[event_type] = handler
            return handler

        return register
