"""What is played when a model gives no usable answer (Porimon §II-D)."""

from __future__ import annotations

import random

from porimon.showdown.dex.store import Dex
from porimon.showdown.view.model import BattleView, LegalOrder


def fallback_order(view: BattleView, dex: Dex, rng: random.Random) -> LegalOrder:
    """The available move with the highest base power; on a forced switch a random legal switch.

    Our reading: the power is the one that the game lists. Moves whose power is not fixed (Seismic
    Toss, Heavy Slam) and status moves are listed with 0, so they are played only where nothing has
    a power. Of several with the same power the first in the request's order is played. ``rng`` is
    used for switches only.
    """
    moves = [order for order in view.legal_orders if order.kind == "move"]
    if moves and not view.forced_switch:
        return max(moves, key=lambda order: listed_power(order.target, dex))
    return rng.choice(view.legal_orders)


def listed_power(move: str, dex: Dex) -> int:
    """The base power that the game lists for a move, 0 for one that it does not know."""
    found = dex.find_move(move)
    return found.base_power if found is not None else 0
