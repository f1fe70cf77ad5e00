"""A run's players stay what they were: a changed harness card is refused unless asked for."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from porimon.errors import UserInputError
from porimon.stats.cards import HarnessCard, differences


def enter_card(
    connection: sqlite3.Connection,
    key: str,
    name: str,
    card: Mapping[str, Any],
    *,
    mixed: bool,
) -> None:
    """Note a player's card. Raises ``UserInputError`` that shows what changed, unless ``mixed``."""
    text = json.dumps(card, sort_keys=True)
    known = [row[0] for row in connection.execute("SELECT card FROM cards WHERE hash = ?", (key,))]
    if text in known:
        return
    if known and not mixed:
        changed = differences(HarnessCard(name, json.loads(known[-1])), HarnessCard(name, card))
        raise UserInputError(
            f"the player {name!r} is no longer what it was when this run began "
            f"(then | now): {'; '.join(changed)}",
            remedy="undo the change, choose another folder with --out, or go on with --mixed "
            "(the analysis will then refuse to pool the battles unless told to)",
        )
    connection.execute("INSERT INTO cards VALUES (?, ?, datetime('now'))", (key, text))
