"""poke-env's picture: nothing is read before somebody looks, and then everything, in order."""

from __future__ import annotations

import logging

import pytest
from poke_env.battle import Battle

from porimon.showdown.arena_picture import BattlePicture
from tests.unit.showdown.view.requests import BENCH, SUICUNE, request

LINES = [
    "|player|p1|p1||",
    "|player|p2|p2||",
    "|rule|Dynamax Clause: You cannot dynamax",
    "|switch|p1a: Suicune|Suicune, L79|285/285",
    "|switch|p2a: Ditto|Ditto, L87|100/100",
    "|turn|1",
]


def picture() -> BattlePicture:
    return BattlePicture("battle-gen8-1", "p1", 8)


def test_the_picture_is_that_of_a_battle_told_at_once() -> None:
    document = request(SUICUNE, *BENCH)
    late, told = picture(), Battle("battle-gen8-1", "p1", logging.getLogger(), gen=8)
    for line in LINES:
        late.take_line(line)
        told.parse_message(line.split("|"))
    late.take_request(document)
    told.parse_request(request(SUICUNE, *BENCH))
    assert late.battle is late.battle
    assert late.battle.turn == told.turn == 1
    assert [str(order) for order in late.battle.valid_orders] == [
        str(order) for order in told.valid_orders
    ]
    assert str(late.battle.opponent_active_pokemon) == str(told.opponent_active_pokemon)


def test_a_later_look_shows_what_came_since() -> None:
    one = picture()
    for line in LINES:
        one.take_line(line)
    assert one.battle.turn == 1
    one.take_line("|turn|2")
    assert one.battle.turn == 2
    one.take_line("|win|p2")  # told by ``end``: poke-env asks for login names here
    assert not one.battle.finished
    one.end("p2")
    assert one.battle.finished
    assert one.battle.lost


def test_a_tie_has_no_winner() -> None:
    one = picture()
    one.end(None)
    assert one.battle.finished
    assert one.battle.won is None


def test_a_line_that_poke_env_cannot_read_is_named_and_costs_nothing_unless_looked_at() -> None:
    one = picture()
    one.take_line("|turn|soon")
    with pytest.raises(ValueError, match="soon") as caught:
        _ = one.battle
    assert "|turn|soon" in caught.value.__notes__[0]
