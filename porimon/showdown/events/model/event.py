"""What every event has, and the event of a line that cannot be read."""

from __future__ import annotations

from dataclasses import dataclass

from porimon.showdown.events.model.fields import Effect, Line, PokemonIdent


@dataclass(frozen=True, slots=True)
class Event:
    """What every event has."""

    line: Line

    @property
    def cause(self) -> Effect | None:
        """The effect behind it (``[from]``), if the server names one."""
        return self.line.cause

    @property
    def of(self) -> PokemonIdent | None:
        """The Pokémon that the causing effect belongs to (``[of]``)."""
        return self.line.of

    @property
    def silent(self) -> bool:
        """Whether the server asks that no message be shown for it."""
        return self.has_tag("silent")

    def has_tag(self, name: str) -> bool:
        """Whether the line holds the tag ``[name]``."""
        return any(tag == name for tag, _ in self.line.tags)

    def tag(self, name: str) -> str | None:
        """The text after the tag ``[name]``, ``None`` where the tag is missing."""
        return next((text for tag, text in self.line.tags if tag == name), None)


@dataclass(frozen=True, slots=True)
class UnknownEvent(Event):
    """A line of an unknown type, or one whose fields cannot be read; ``reason`` says which."""

    reason: str
