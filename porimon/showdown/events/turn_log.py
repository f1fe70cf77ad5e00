"""A battle's log as one player may read it: protocol lines → turns of prose segments.

A segment is one action with all that followed from it: a move, a switch, a Pokémon that could not
move, or the end of a turn. Its sentences stand one after another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from porimon.memory.window import (
    TurnSegments,
    full_log_text,
    turn_from_document,
    window_text,
)
from porimon.showdown.events import model
from porimon.showdown.events.model import Event, SideRole, UnknownEvent
from porimon.showdown.events.parse import parse_line
from porimon.showdown.events.sentences import Narrator, Silence
from porimon.showdown.events.sentences.move_order import MoveData
from porimon.showdown.events.sentences.naming import Names

UNKNOWN_KEPT = 50
"""How many unknown lines are kept raw; all of them are counted."""

# They speak of the action that follows them.
_PRELUDES = frozenset({"confusion", "attract", "quickclaw", "quickdraw", "custapberry", "struggle"})

_DIVIDING = frozenset(
    {
        model.Turn,
        model.Spacer,
        model.Upkeep,
        model.Activate,
        model.FormeChange,
        model.Switch,
        model.Cant,
        model.Move,
    }
)
"""The events that may begin a turn or a segment: asked first, as most lines are others."""


class TurnLog:
    """Collects the protocol lines that one player is sent, and gives them back as prose.

    Parameters
    ----------
    role:
        The player's side, ``p1`` or ``p2``.
    data:
        Game data for "who moved first"; ``None``: those of the package.
    names:
        How Pokémon and sides are named; ``None``: as the player of ``role`` reads them.
    """

    def __init__(
        self, role: SideRole, data: MoveData | None = None, names: Names | None = None
    ) -> None:
        self.role = role
        self.unknown: Counter[str] = Counter()
        """How many lines of each unknown (or unreadable) message type were met."""
        self.unknown_lines: list[str] = []
        """The first ``UNKNOWN_KEPT`` of them, raw."""
        self.silences: Counter[Silence] = Counter()
        """How many lines gave no sentence, by reason."""
        self._narrator = Narrator(role, data, names)
        self._turns: list[tuple[int, list[list[str]]]] = [(0, [[]])]
        self._after_prelude = False

    @property
    def turns(self) -> tuple[TurnSegments, ...]:
        """All turns so far, the current one last."""
        return _joined(self._turns)

    def apply(self, lines: Iterable[str | Sequence[str]]) -> None:
        """Take in the next protocol lines, raw or split at their bars. No input raises."""
        self.apply_events(parse_line(line) for line in lines)

    def apply_events(self, events: Iterable[Event]) -> None:
        """Take in the events of lines that have been read already."""
        for event in events:
            self.apply_event(event)

    def apply_event(self, event: Event) -> None:
        """Take in the next event."""
        if isinstance(event, UnknownEvent):
            self.unknown[event.line.message_type] += 1
            if len(self.unknown_lines) < UNKNOWN_KEPT:
                self.unknown_lines.append(event.line.raw)
        self._divide(event)
        told = self._narrator.tell(event)
        if isinstance(told, Silence):
            self.silences[told] += 1
        else:
            self._turns[-1][1][-1].extend(told)

    def window_text(self, window: int) -> str:
        """The last ``window`` finished turns and what the current one holds, as one text."""
        # The turns before the window need not be put together again at each decision.
        return window_text(_joined(self._turns[-(window + 1) :]), window)

    def full_text(self, limit: int | None = None) -> str:
        """The whole log, or its last ``limit`` characters cut at the start of a segment."""
        return full_log_text(self.turns, limit)

    def document(self) -> dict[str, Any]:
        """The log as a JSON document; ``turns_from_document`` reads its turns back."""
        return {
            "role": self.role,
            "turns": [turn.document() for turn in self.turns],
            "unknown": dict(self.unknown),
            "unknown_lines": list(self.unknown_lines),
            "silences": {silence.name.lower(): count for silence, count in self.silences.items()},
        }

    def _divide(self, event: Event) -> None:
        """Begin a new turn or a new segment where the event is the first of one."""
        if type(event) not in _DIVIDING:
            self._after_prelude = False
            return
        match event:
            case model.Turn(number=number):
                self._turns.append((number, [[]]))
                self._after_prelude = False
            case model.Spacer() if self._after_prelude:
                pass  # Quick Claw shows itself before the spacer that its move comes after.
            case model.Spacer() | model.Upkeep():
                self._begin_segment()
            case model.Activate(effect=effect) if effect.id in _PRELUDES:
                self._begin_prelude()
            case model.FormeChange(cause=cause) if cause is not None and cause.id == "stancechange":
                self._begin_prelude()
            case model.Switch() | model.Cant() | model.Move():
                if isinstance(event, model.Move) and _called_by_another(event):
                    return
                if not self._after_prelude:
                    self._begin_segment()
                self._after_prelude = False
            case _:
                self._after_prelude = False

    def _begin_prelude(self) -> None:
        if not self._after_prelude:
            self._begin_segment()
        self._after_prelude = True

    def _begin_segment(self) -> None:
        segments = self._turns[-1][1]
        if segments[-1]:
            segments.append([])
        self._after_prelude = False


def _called_by_another(move: model.Move) -> bool:
    return move.cause is not None and move.cause.id not in ("lockedmove", "pursuit")


def _joined(turns: Sequence[tuple[int, list[list[str]]]]) -> tuple[TurnSegments, ...]:
    return tuple(
        TurnSegments(number, tuple(" ".join(said) for said in segments if said))
        for number, segments in turns
    )


def turns_from_document(document: Mapping[str, Any]) -> tuple[TurnSegments, ...]:
    """The turns that ``TurnLog.document`` gave: a window of them needs no battle.

    Raises ``KeyError`` or ``TypeError`` on another document.
    """
    return tuple(turn_from_document(turn) for turn in document["turns"])
