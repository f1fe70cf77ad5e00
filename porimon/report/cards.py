"""Harness cards as a reader compares them: what sets the players apart, and what they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from porimon.stats.cards import CardValue, HarnessCard
from porimon.stats.tables import Column, Table


@dataclass(frozen=True, slots=True)
class ComparedCards:
    """``table`` has one row per card with the settings that differ; ``shared`` has the rest."""

    table: Table | None
    shared: tuple[tuple[str, CardValue], ...]


def compared_cards(cards: Iterable[HarnessCard]) -> ComparedCards:
    """Part the cards of a run; a setting that a card lacks does not apply to its player."""
    cards = sorted(cards, key=lambda card: card.player)
    names = sorted({name for card in cards for name in card.fields}, key=_order)
    different = [name for name in names if len({_key(card, name) for card in cards}) > 1]
    shared = tuple((name, cards[0].fields.get(name)) for name in names if name not in different)
    return ComparedCards(_table(cards, different) if different else None, shared)


_FIRST = ("base", "model", "endpoint", "style", "knowledge", "window", "alpha", "mode")


def _order(name: str) -> tuple[int, str]:
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)


def _key(card: HarnessCard, name: str) -> tuple[str, CardValue]:
    value = card.fields.get(name)
    return type(value).__name__, value


def _table(cards: Sequence[HarnessCard], names: Sequence[str]) -> Table:
    return Table(
        "cards",
        "Harness cards: the settings in which the players differ (a dash where one does not apply)",
        ("player", *names),
        tuple((card.player, *(_cell(card.fields.get(name)) for name in names)) for card in cards),
        (
            Column("player", ("player",), str, numeric=False),
            *(Column(name.replace("_", " "), (name,), str, numeric=False) for name in names),
        ),
    )


def _cell(value: CardValue) -> str | int | float | None:
    return str(value).lower() if isinstance(value, bool) else value
