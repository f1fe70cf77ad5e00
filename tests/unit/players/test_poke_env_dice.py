"""poke-env's dice: the same for the same seed, and nobody else's are touched."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest
from poke_env.player import Player

from porimon.showdown.players.poke_env_dice import poke_env_dice

BATTLE: Any = SimpleNamespace(valid_orders=[f"order {number}" for number in range(1000)])


def drawn(seed: float) -> list[Any]:
    with poke_env_dice(seed):
        return [Player.choose_random_singles_move(BATTLE) for _ in range(3)]


def test_the_seed_decides_what_poke_env_draws() -> None:
    dice = random.Random(0.25)
    assert drawn(0.25) == [f"order {int(dice.random() * 1000)}" for _ in range(3)]
    assert drawn(0.25) == drawn(0.25) != drawn(0.75)


def test_the_shared_generator_is_left_alone_even_by_an_error() -> None:
    before = random.getstate()
    drawn(0.5)
    with pytest.raises(KeyError), poke_env_dice(0.5):
        raise KeyError
    assert random.getstate() == before
    random.seed(7)
    after_seven = Player.choose_random_singles_move(BATTLE)
    random.seed(7)
    assert after_seven == f"order {int(random.random() * 1000)}"
