"""poke-env's picture of a battle, made up to the present only when somebody looks at it.

Bringing poke-env's objects up to date takes longer than all else that a side does with a message,
and a player that asks a language model follows the battle by other means.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from poke_env.battle import Battle

from porimon.showdown.arena_model import Role

_NOT_FOR_POKE_ENV = frozenset({"win", "tie", "bigerror"})
_logger = logging.getLogger(__name__)


class BattlePicture:
    """Keeps what one player is told until ``battle`` is asked for.

    Parameters
    ----------
    battle_tag:
        What poke-env's battle is called.
    role:
        The player's side.
    generation:
        Of the game's rules.
    """

    def __init__(self, battle_tag: str, role: Role, generation: int) -> None:
        self._battle = Battle(battle_tag, role, _logger, gen=generation)
        self._news: deque[tuple[Callable[[Any], object], Any]] = deque()

    @property
    def battle(self) -> Battle:
        """The battle with all that was told so far; always the same object.

        Raises what poke-env raises for a line that it cannot read.
        """
        while self._news:
            take, what = self._news.popleft()
            take(what)
        return self._battle

    def take_line(self, line: str) -> None:
        """A protocol line."""
        self._news.append((self._read, line))

    def take_request(self, request: dict[str, Any]) -> None:
        """The server's question, which must not change any more."""
        self._news.append((self._battle.parse_request, request))

    def end(self, winner: Role | None) -> None:
        """The battle is over; ``None``: a tie."""
        self._news.append((self._end, winner))

    def _read(self, line: str) -> None:
        parts = line.split("|")
        if parts[1] in _NOT_FOR_POKE_ENV:
            return
        try:
            self._battle.parse_message(parts)
        except Exception as error:
            error.add_note(f"while poke-env read the line {line!r}")
            raise

    def _end(self, winner: Role | None) -> None:
        if winner is None:
            self._battle.tied()  # type: ignore[no-untyped-call]
        else:
            self._battle.won_by(winner)
