"""Events of what lies on the field or on one side: weather, terrain, hazards, screens."""

from __future__ import annotations

from dataclasses import dataclass

from porimon.showdown.events.model.event import Event
from porimon.showdown.events.model.fields import Effect, SideRole


@dataclass(frozen=True, slots=True)
class Weather(Event):
    """``-weather``: ``weather`` is ``None`` when it ends; ``upkeep`` when it merely goes on."""

    weather: str | None

    @property
    def upkeep(self) -> bool:
        """Whether the line only says that the weather goes on."""
        return self.has_tag("upkeep")


@dataclass(frozen=True, slots=True)
class FieldStart(Event):
    """``-fieldstart``: terrain, Trick Room, Gravity …"""

    effect: Effect


@dataclass(frozen=True, slots=True)
class FieldEnd(Event):
    """``-fieldend``"""

    effect: Effect


@dataclass(frozen=True, slots=True)
class FieldActivate(Event):
    """``-fieldactivate``: a single event of the whole field (Perish Song)."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class SideStart(Event):
    """``-sidestart``: hazards, screens, Tailwind …"""

    side: SideRole
    effect: Effect


@dataclass(frozen=True, slots=True)
class SideEnd(Event):
    """``-sideend``"""

    side: SideRole
    effect: Effect


@dataclass(frozen=True, slots=True)
class SwapSideConditions(Event):
    """``-swapsideconditions``: Court Change."""
