"""Harness cards: what a player was when its battles were played, and when results may be pooled.

Two results under one name are results of one player only if everything that could change play was
the same. A card is a flat table of such settings; the record of a run keeps one for each player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from porimon.errors import UserInputError

CardValue = str | int | float | bool | None

EXPECTED_FIELDS = (
    "model",
    "endpoint",
    "prompt_hash",
    "window",
    "alpha",
    "memory_policy",
    "retries",
    "code_version",
    "data_versions",
)
"""What a card of a player that asks a language model holds; more fields may be added."""

NO_LANGUAGE_MODEL = "no language model"
"""What stands in the label of something that answers in a language model's place."""


@dataclass(frozen=True, slots=True)
class HarnessCard:
    """The settings of one player in one run.

    ``fields`` maps a setting to its value; ``None`` means that it does not apply or is not known.
    ``source`` says where the card comes from (a run's folder), for messages only.
    """

    player: str
    fields: Mapping[str, CardValue] = field(default_factory=dict)
    source: str = ""


def differences(first: HarnessCard, second: HarnessCard) -> list[str]:
    """What differs between two cards, one line each, in the order of the settings' names."""
    lines = []
    for name in sorted({*first.fields, *second.fields}):
        one, other = first.fields.get(name), second.fields.get(name)
        if one != other or type(one) is not type(other):
            lines.append(f"{name}: {_shown(one)} | {_shown(other)}")
    return lines


def pooled(cards: Iterable[HarnessCard], *, allow: bool = False) -> list[str]:
    """Check that every player's results come from one and the same player.

    Returns warnings: with ``allow`` one for each player whose cards differ, else none. Raises
    ``UserInputError`` that shows the differences, unless ``allow``.
    """
    known: dict[str, HarnessCard] = {}
    found: list[str] = []
    place = ""
    for card in cards:
        first = known.setdefault(card.player, card)
        lines = differences(first, card)
        if lines:
            sources = " | ".join(name for name in (first.source, card.source) if name)
            place = place or sources
            found.append(f"{card.player} ({'; '.join(lines)})")
    if not found:
        return []
    what = "results of players that differ under one name: " + ", ".join(sorted(found))
    if allow:
        return [f"pooled all the same: {what}"]
    raise UserInputError(
        what,
        where=place or None,
        remedy="analyze the runs one by one, rename one player, or pool them with --pool",
    )


def models_of(cards: Iterable[HarnessCard]) -> dict[str, str]:
    """What each player asked, by the player's name: the label of its language model.

    Players that ask none are left out; several models of a pooled player are joined by " | ".
    """
    found: dict[str, list[str]] = {}
    for card in cards:
        model = card.fields.get("model")
        if isinstance(model, str) and model not in found.setdefault(card.player, []):
            found[card.player].append(model)
    return {player: " | ".join(models) for player, models in found.items() if models}


def _shown(value: CardValue) -> str:
    return "unknown" if value is None else repr(value) if isinstance(value, str) else str(value)
