"""Dice for poke-env, whose players draw from Python's shared generator.

Seeding the shared generator and putting it back takes as long as a quarter of a heuristic
decision, and most decisions draw nothing. So poke-env's module gets other dice in its place, which
are made when it first throws them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _LateDice:
    """Stands in for the module ``random``: the functions of a generator with this seed."""

    def __init__(self, seed: float) -> None:
        self._seed = seed
        self._dice: random.Random | None = None

    def __getattr__(self, name: str) -> Any:
        if self._dice is None:
            self._dice = random.Random(self._seed)
        return getattr(self._dice, name)


@contextmanager
def poke_env_dice(seed: float) -> Iterator[None]:
    """Have poke-env's random orders drawn by dice with this seed.

    What is called inside must not wait: the dice are those of poke-env's module, so of everybody.
    """
    # Imported here: poke-env takes a second to import, and `--help` does not need it.
    from poke_env.player import player

    kept = vars(player)["random"]
    vars(player)["random"] = _LateDice(seed)
    try:
        yield
    finally:
        vars(player)["random"] = kept
