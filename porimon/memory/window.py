"""Short-Term KAG: the window of turns that a prompt shows (Porimon §II-B).

A battle's log is a sequence of turns, and a turn a sequence of segments: one action with all that
followed from it, as prose. Segments are joined by ``[sep]``. The window keeps up to T previous
turns; what the current turn already holds counts as the current turn, not as one of the T.
Nothing here knows the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SEPARATOR = " [sep] "
"""What stands between two segments."""


@dataclass(frozen=True, slots=True)
class TurnSegments:
    """One turn of a log. ``number`` 0 holds what happened before turn 1 began."""

    number: int
    segments: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """How the turn is headed."""
        return f"Turn {self.number}:" if self.number else "Start:"

    @property
    def continued_label(self) -> str:
        """How the turn is headed when its beginning has been cut off."""
        return f"{self.label.removesuffix(':')} (continued):"

    def labelled(self) -> list[str]:
        """The segments, the first of them headed by the turn's label."""
        if not self.segments:
            return []
        return [f"{self.label} {self.segments[0]}", *self.segments[1:]]

    def document(self) -> dict[str, Any]:
        """The turn as a JSON document."""
        return {"number": self.number, "segments": list(self.segments)}


def turn_from_document(document: Mapping[str, Any]) -> TurnSegments:
    """The turn that ``TurnSegments.document`` gave.

    Raises ``KeyError`` or ``TypeError`` on another document.
    """
    return TurnSegments(int(document["number"]), tuple(map(str, document["segments"])))


def window_turns(turns: Sequence[TurnSegments], window: int) -> Sequence[TurnSegments]:
    """The last ``window`` finished turns and the current one, which is the last of ``turns``.

    ``window`` is T: 0 leaves the current turn alone. Raises ``ValueError`` if it is negative.
    """
    if window < 0:
        raise ValueError(f"a window of {window} turns: it must be 0 or more")
    return turns[-(window + 1) :]


def window_text(turns: Sequence[TurnSegments], window: int) -> str:
    """The window's segments as one text, "" when there are none."""
    return SEPARATOR.join(
        segment for turn in window_turns(turns, window) for segment in turn.labelled()
    )


def full_log_text(turns: Sequence[TurnSegments], limit: int | None = None) -> str:
    """The whole log, or its last ``limit`` characters cut at the start of a segment.

    A turn whose beginning is cut off is headed "(continued)". If the last segment alone is longer
    than ``limit``, its own end is kept, from the start of a word where there is one.
    Raises ``ValueError`` if ``limit`` is negative.
    """
    if limit is not None and limit < 0:
        raise ValueError(f"a limit of {limit} characters: it must be 0 or more")
    whole = window_text(turns, len(turns))
    if limit is None or len(whole) <= limit:
        return whole
    kept: list[str] = []
    length = 0
    best: str | None = None
    for plain, labelled in _backwards(turns):
        if len(plain) + length > limit:
            break
        if len(labelled) + length <= limit:
            best = SEPARATOR.join([labelled, *kept])
        kept.insert(0, plain)
        length += len(plain) + len(SEPARATOR)
    return best if best is not None else _end_of(whole, limit)


def _backwards(turns: Sequence[TurnSegments]) -> Iterator[tuple[str, str]]:
    """From the last segment to the first: as it reads within the log, and as its first one."""
    for turn in reversed(turns):
        for index in range(len(turn.segments) - 1, -1, -1):
            segment = turn.segments[index]
            if index == 0:
                headed = f"{turn.label} {segment}"
                yield headed, headed
            else:
                yield segment, f"{turn.continued_label} {segment}"


def _end_of(text: str, limit: int) -> str:
    end = text[len(text) - limit :]
    start = end.find(" ")
    return end[start + 1 :] if 0 <= start < len(end) - 1 else end
