"""Harness cards: results of players that differ under one name are not pooled unawares."""

from __future__ import annotations

import pytest

from porimon.errors import UserInputError
from porimon.stats.cards import HarnessCard, differences, models_of, pooled

FIRST = HarnessCard("p", {"model": "gpt-5.6-luna", "window": 5, "alpha": None}, "runs/one")


def test_equal_cards_may_be_pooled() -> None:
    again = HarnessCard("p", dict(FIRST.fields), "runs/two")
    assert pooled([FIRST, again, HarnessCard("h", {"model": None})]) == []


def test_different_cards_are_refused_and_the_difference_shown() -> None:
    other = HarnessCard("p", {"model": "gpt-5.6-luna", "window": 10, "alpha": None}, "runs/two")
    with pytest.raises(UserInputError) as caught:
        pooled([FIRST, other])
    message = str(caught.value)
    assert "p (window: 5 | 10)" in message
    assert "runs/one | runs/two" in message
    assert "--pool" in message
    assert caught.value.exit_code == 2


def test_different_cards_may_be_pooled_knowingly() -> None:
    other = HarnessCard("p", {"model": "another", "window": 5})
    (warning,) = pooled([FIRST, other], allow=True)
    assert "'gpt-5.6-luna' | 'another'" in warning


def test_a_missing_setting_is_a_difference_and_types_count() -> None:
    assert differences(FIRST, HarnessCard("p", {"model": "gpt-5.6-luna", "alpha": None})) == [
        "window: 5 | unknown"
    ]
    assert differences(HarnessCard("p", {"x": 1}), HarnessCard("p", {"x": True})) == ["x: 1 | True"]


def test_models_are_read_from_cards() -> None:
    """Players that ask none are left out; a pooled player's two models are both named."""
    cards = [
        FIRST,
        HarnessCard("h", {"model": None}),
        HarnessCard("random", {}),
        HarnessCard("p", {"model": "another"}),
        HarnessCard("lt0", {"model": "another"}),
    ]
    assert models_of(cards) == {"p": "gpt-5.6-luna | another", "lt0": "another"}
