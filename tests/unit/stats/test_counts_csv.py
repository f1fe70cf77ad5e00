"""Counts from CSV: what is read, and how every mistake is reported."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.errors import UserInputError
from porimon.stats.battles import MatchupCounts
from porimon.stats.counts_csv import HEADER, parse_counts, read_counts


def test_rows_are_read_in_any_order_of_columns() -> None:
    text = "ties,player_a,wins_a,player_b,wins_b\n2,h,180,p,318\n\n0,lt0,5,h,4\n"
    assert parse_counts(text) == [
        MatchupCounts("h", "p", 180, 318, 2),
        MatchupCounts("lt0", "h", 5, 4, 0),
    ]


def test_a_byte_order_mark_and_windows_line_ends_are_no_mistake(tmp_path: Path) -> None:
    file = tmp_path / "counts.csv"
    file.write_bytes(f"\ufeff{HEADER}\r\nh,p,1,2,0\r\n".encode())
    assert read_counts(file) == [MatchupCounts("h", "p", 1, 2, 0)]


def test_quoted_names_may_hold_commas() -> None:
    assert parse_counts(f'{HEADER}\n"a, b",c,1,2,0\n')[0].player_a == "a, b"


@pytest.mark.parametrize(
    ("text", "what", "line", "remedy"),
    [
        ("player_a,player_b,win_a,wins_b,ties\n", "unknown column 'win_a'", 1, "'wins_a'"),
        ("Player_A,player_b,wins_a,wins_b,ties\n", "unknown column 'Player_A'", 1, "'player_a'"),
        ("player_a,player_b,wins_a,wins_b\n", "missing column: ties", 1, HEADER),
        (f"{HEADER},ties\n", "a column stands twice", 1, HEADER),
        (f"{HEADER}\nh,p,1,2\n", "4 values where the header has 5", 2, "comma"),
        (f"{HEADER}\n\nh,p,1,-2,0\n", "wins_b is negative: -2", 3, "0 or more"),
        (f"{HEADER}\nh,p,1.5,2,0\n", "not a whole number: 1.5", 2, "column ties"),
        (f"{HEADER}\nh,p,,2,0\n", "wins_a is empty", 2, "write 0"),
        (f"{HEADER}\nh,p,1,2,nan\n", "ties is not a count: 'nan'", 2, "whole number"),
        (f"{HEADER}\nh,p,1e3,2,0\n", "wins_a is not a count: '1e3'", 2, "whole number"),
        (f"{HEADER}\nh,p,1,2,0\nh,h,1,2,0\n", "plays against itself", 3, "two different"),
        (f"{HEADER}\n,p,1,2,0\n", "player_a is empty", 2, "name the player"),
        (f'{HEADER}\n"h,p,1,2,0\n', "not valid CSV", 2, ""),
    ],
)
def test_a_mistake_gets_its_line_and_what_is_right(
    text: str, what: str, line: int, remedy: str
) -> None:
    with pytest.raises(UserInputError) as caught:
        parse_counts(text, "results.csv")
    assert what in caught.value.what
    assert caught.value.where == f"results.csv, line {line}"
    assert remedy in (caught.value.remedy or "")


@pytest.mark.parametrize("text", ["", "\n\n", f"{HEADER}\n"])
def test_a_file_without_matchups_is_a_mistake(text: str) -> None:
    with pytest.raises(UserInputError, match=r"empty|no matchups"):
        parse_counts(text)


def test_a_binary_file_is_a_mistake(tmp_path: Path) -> None:
    file = tmp_path / "counts.csv"
    file.write_bytes(b"\xff\xfe\x00h")
    with pytest.raises(UserInputError, match="UTF-8"):
        read_counts(file)


def test_a_missing_file_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserInputError, match="cannot read"):
        read_counts(tmp_path / "absent.csv")


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_politely(text: str) -> None:
    """Whatever follows the header: counts, or a UserInputError; nothing else."""
    with contextlib.suppress(UserInputError):
        assert parse_counts(f"{HEADER}\n{text}")
