"""Events before the battle and around it: players, rules, turns, the end, the chat room."""

from __future__ import annotations

from dataclasses import dataclass

from porimon.showdown.events.model.event import Event
from porimon.showdown.events.model.fields import Details, SideRole


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """``player``: who sits on a side. ``user_name`` is "" when the seat is left."""

    side: SideRole
    user_name: str


@dataclass(frozen=True, slots=True)
class TeamSize(Event):
    """``teamsize``"""

    side: SideRole
    size: int


@dataclass(frozen=True, slots=True)
class GameType(Event):
    """``gametype``: ``singles`` here."""

    name: str


@dataclass(frozen=True, slots=True)
class Generation(Event):
    """``gen``"""

    number: int


@dataclass(frozen=True, slots=True)
class Tier(Event):
    """``tier``: the format's name."""

    name: str


@dataclass(frozen=True, slots=True)
class Rated(Event):
    """``rated``"""

    message: str


@dataclass(frozen=True, slots=True)
class Rule(Event):
    """``rule``: ``Dynamax Clause: You cannot dynamax``."""

    text: str


@dataclass(frozen=True, slots=True)
class ClearPreview(Event):
    """``clearpoke``: a team preview begins."""


@dataclass(frozen=True, slots=True)
class PreviewPokemon(Event):
    """``poke``: one Pokémon of a team preview."""

    side: SideRole
    details: Details


@dataclass(frozen=True, slots=True)
class TeamPreview(Event):
    """``teampreview``"""


@dataclass(frozen=True, slots=True)
class BattleStart(Event):
    """``start``"""


@dataclass(frozen=True, slots=True)
class Request(Event):
    """``request``: the server asks for an order; ``text`` is its JSON document ("" when none)."""

    text: str


@dataclass(frozen=True, slots=True)
class TimerMessage(Event):
    """``inactive`` and ``inactiveoff``: the battle timer speaks."""

    text: str
    timer_on: bool


@dataclass(frozen=True, slots=True)
class Upkeep(Event):
    """``upkeep``: the end-of-turn phase is over."""


@dataclass(frozen=True, slots=True)
class Turn(Event):
    """``turn``: a turn begins."""

    number: int


@dataclass(frozen=True, slots=True)
class Win(Event):
    """``win``: the winner's user name (compare it with ``PlayerJoined`` to get the side)."""

    user_name: str


@dataclass(frozen=True, slots=True)
class Tie(Event):
    """``tie``"""


@dataclass(frozen=True, slots=True)
class Timestamp(Event):
    """``t:``"""


@dataclass(frozen=True, slots=True)
class Spacer(Event):
    """An empty line, which only spaces the log."""


@dataclass(frozen=True, slots=True)
class RoomMessage(Event):
    """A message of the chat room and its page (joins, chat, HTML, notices), not of the battle."""

    text: str
