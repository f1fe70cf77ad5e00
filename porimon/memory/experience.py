"""An experience: what one player takes from one finished battle (Porimon §II-C, Long-Term KAG).

An experience is a value: equal contents have equal ids, wherever and whenever they were written.
The members of both teams are documents of the game (plain JSON objects); this module doesn't look
into them.
"""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from porimon.errors import RecordError

Document = dict[str, Any]
"""A plain JSON object that belongs to the game, such as one Pokémon of a team."""

Result = Literal["win", "loss", "tie"]
"""How the battle ended for the player whose experience it is."""

REFLECTION_FAILED = "reflection_failed"
"""Mark of an experience whose summary, lessons and importance the model failed to give."""


class Experience(BaseModel):
    """What one player remembers of one battle.

    The id is a hash of all fields below, so an experience can't change without becoming another.
    Unknown figures are ``None``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    battle_id: str
    index: int = Field(ge=0)
    """The battle's place in its matchup: the only order that a memory knows."""
    result: Result
    turns: int | None = None
    own_team: tuple[Document, ...]
    """The player's own team, one document of the game per member."""
    foe_team: tuple[Document, ...]
    """The opponent's team as far as it was revealed."""
    own_importance: tuple[float | None, ...]
    """0 to 10 for each member of ``own_team``; ``None`` where the model gave none."""
    foe_importance: tuple[float | None, ...]
    """0 to 10 for each member of ``foe_team``; ``None`` where the model gave none."""
    summary: str | None = None
    lessons: tuple[str, ...] = ()
    log: str | None = None
    """The end of the battle's log in words; kept only if the player is given raw episodes."""
    retrieved: dict[str, int] = Field(default_factory=dict)
    """The experiences that this battle's decisions were given: id → number of decisions."""
    marks: tuple[str, ...] = ()
    """Stable words on how it came about, such as ``reflection_failed``."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    """US dollars for all calls of the reflection; ``None`` if any call's cost is unknown."""

    @model_validator(mode="after")
    def _one_importance_per_member(self) -> Experience:
        for team, importance, side in (
            (self.own_team, self.own_importance, "own"),
            (self.foe_team, self.foe_importance, "foe"),
        ):
            if len(team) != len(importance):
                raise ValueError(
                    f"{side}_team has {len(team)} members, {side}_importance {len(importance)}"
                )
            if any(value is not None and not 0 <= value <= 10 for value in importance):
                raise ValueError(f"{side}_importance lies outside 0 to 10")
        return self

    @cached_property
    def id(self) -> str:
        """Content hash of the experience (SHA-256, hex)."""
        return hashlib.sha256(self.to_json().encode("utf-8")).hexdigest()

    def document(self) -> Document:
        """The experience as a plain JSON object; ``from_document`` gives it back."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        """The experience as canonical JSON: the same contents give the same text."""
        # Not from ``document()``: copying the teams would take most of the time.
        return json.dumps(
            {name: getattr(self, name) for name in Experience.model_fields},
            ensure_ascii=False,
            sort_keys=True,
            separators=(",", ":"),
            allow_nan=False,
        )


def from_document(document: Any, *, where: str) -> Experience:
    """The experience in a plain JSON object.

    Raises ``RecordError`` that says what is wrong with it; ``where`` names the entry.
    """
    try:
        return Experience.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise RecordError(
            f"an experience is not valid: {field}: {first['msg']}",
            where=where,
            remedy="restore the file from a copy; the entry is not skipped on purpose",
        ) from error


def from_json(text: str | bytes, *, where: str) -> Experience:
    """The experience in a JSON text. Raises ``RecordError`` as ``from_document`` does."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(
            f"an experience is not valid JSON: {error}",
            where=where,
            remedy="restore the file from a copy; the entry is not skipped on purpose",
        ) from error
    return from_document(document, where=where)
