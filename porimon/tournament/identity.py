"""When two players are the same: equal configurations, whatever they are called."""

from __future__ import annotations

import hashlib
import json

from porimon.config.player import LANGUAGE_MODEL_PLAYERS, PlayerConfig, join_name


def player_hash(player: PlayerConfig) -> str:
    """Hash of a complete configuration, its name left out (16 hex digits)."""
    document = player.model_dump(mode="json", exclude={"name"})
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def full_name(player: PlayerConfig) -> str:
    """The name with every suffix spelt out: ``lt1-uniform-T10-a0.7``."""
    if player.base not in LANGUAGE_MODEL_PLAYERS:
        return player.base
    alpha = player.memory.alpha if player.memory is not None else None
    return join_name(player.base, player.window, alpha)
