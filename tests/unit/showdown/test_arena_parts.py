"""The arena's pure parts: seeds, cleaned logs, formats, addresses, differences."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.errors import UserInputError
from porimon.showdown.arena import BATTLE_FORMAT, check_format
from porimon.showdown.arena_log import ROOM_TAGS, clean_choices, clean_line, clean_log
from porimon.showdown.arena_seed import python_dice, showdown_seed
from porimon.showdown.replay import first_difference
from porimon.showdown.server import parse_server_address

NAMES = {"pm0123n1e": "p1", "pm0123n12e": "p2"}
lines = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=40)


def test_seed_is_the_stated_hash() -> None:
    """SHA-256 of "porimon:0:battle", worked out with sha256sum."""
    assert showdown_seed(0, "battle") == (
        "sodium,75ba840b43f59e527d17996f341ea560eed9a0cfd41d6c4090000a0764086016"
    )


@given(st.integers(), st.integers())
def test_seeds_and_purposes_share_nothing(one: int, other: int) -> None:
    purposes = ("battle", "team 1", "team 2")
    seeds = {showdown_seed(seed, purpose) for seed in (one, other) for purpose in purposes}
    assert len(seeds) == 3 * len({one, other})
    assert python_dice(one, "a").random() == python_dice(one, "a").random()
    assert python_dice(one, "a").random() != python_dice(one, "b").random()


@pytest.mark.parametrize(
    ("line", "cleaned"),
    [
        ("|player|p1|pm0123n1e|266|", "|player|p1|p1||"),
        ("|player|p2|", None),
        ("|win|pm0123n12e", "|win|p2"),
        ("|-sidestart|p2: pm0123n12e|move: Toxic Spikes", "|-sidestart|p2: p2|move: Toxic Spikes"),
        ("|-message|pm0123n1e forfeited.", "|-message|p1 forfeited."),
        ("|t:|1700000000", None),
        ("|j|☆pm0123n1e", None),
        ("|c|pm0123n1e|hello", None),
        ("|move|p1a: Ditto|Transform|p2a: Mew", "|move|p1a: Ditto|Transform|p2a: Mew"),
        ("|", "|"),
        ("chat without a bar", None),
    ],
)
def test_lines_are_cleaned(line: str, cleaned: str | None) -> None:
    assert clean_line(line, NAMES) == cleaned


@given(st.lists(lines))
def test_cleaning_twice_changes_nothing(log: list[str]) -> None:
    once = clean_log(log, NAMES)
    assert clean_log(once.split("\n"), NAMES) == once
    kinds = {line.split("|")[1] for line in once.split("\n") if line}
    assert not kinds & ROOM_TAGS


def test_choices_keep_all_but_names_and_version() -> None:
    player = {"name": "pm0123n1e", "avatar": "266", "team": "Poké|mon", "rating": 0}
    raw = [">version abc", '>start {"seed":"sodium,1"}', f">player p1 {json.dumps(player)}"]
    start, cleaned, move = clean_choices([*raw, ">p1 move tackle"])
    assert start == '>start {"seed":"sodium,1"}'
    assert json.loads(cleaned.removeprefix(">player p1 ")) == {
        "name": "p1",
        "avatar": "",
        "team": "Poké|mon",
        "rating": 0,
    }
    assert move == ">p1 move tackle"


@given(st.lists(lines, min_size=1), st.data())
def test_first_difference_is_where_it_was_made(log: list[str], data: st.DataObject) -> None:
    left = "\n".join(log)
    assert first_difference(left, left) is None
    place = data.draw(st.integers(0, len(log) - 1))
    altered = [*log[:place], log[place] + "x", *log[place + 1 :]]
    found = first_difference(left, "\n".join(altered))
    assert found is not None
    assert (found.line, found.left, found.right) == (place + 1, log[place], log[place] + "x")


def test_a_shorter_log_differs_where_it_ends() -> None:
    found = first_difference("a\nb", "a")
    assert found is not None
    assert (found.line, found.left, found.right) == (2, "b", None)


def test_formats() -> None:
    assert check_format(BATTLE_FORMAT) == 8
    assert check_format("gen8randombattle@@@Sleep Clause Mod,Dynamax Clause") == 8
    assert check_format("gen7randombattle") == 7
    for wrong in ("gen8randombattle", "gen8randombattle@@@Dynamax Clause Not", "", "randombattle"):
        with pytest.raises(UserInputError):
            check_format(wrong)


@pytest.mark.parametrize(
    ("given_address", "url"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://localhost:8000/", "http://localhost:8000"),
        ("ws://localhost:8000/showdown/websocket", "http://localhost:8000"),
        ("wss://sim.example.org/showdown/websocket", "https://sim.example.org"),
        ("[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_addresses(given_address: str, url: str) -> None:
    assert parse_server_address(given_address) == url


@pytest.mark.parametrize(
    "wrong", ["", "http://", "host:99999", "ftp://host", "a b", "h/x", "u:p@h"]
)
def test_wrong_addresses_are_the_users_error(wrong: str) -> None:
    with pytest.raises(UserInputError, match="not the address"):
        parse_server_address(wrong)
