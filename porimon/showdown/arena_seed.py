"""How one whole number becomes all that is random in a battle."""

from __future__ import annotations

import hashlib
import random


def showdown_seed(seed: int, purpose: str) -> str:
    """A seed in Showdown's form (``sodium,`` and 64 hexadecimal digits).

    It is the SHA-256 of ``porimon:SEED:PURPOSE``; the purposes are ``battle`` (all dice of the
    battle), ``team 1`` and ``team 2``. Different seeds and purposes share nothing.
    """
    return f"sodium,{hashlib.sha256(f'porimon:{seed}:{purpose}'.encode()).hexdigest()}"


def python_dice(seed: int, purpose: str) -> random.Random:
    """Dice of our own for one purpose within a battle."""
    return random.Random(f"porimon:{seed}:{purpose}")
