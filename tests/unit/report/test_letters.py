"""Compact letter displays: two players share a letter exactly if no test tells them apart."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from porimon.report.letters import compact_letters, different_pairs
from porimon.stats.results import PairwiseResult

NAMES = [f"player {number}" for number in range(7)]
PAIRS = [frozenset(pair) for pair in combinations(NAMES, 2)]


@given(st.sets(st.sampled_from(PAIRS)))
def test_sharing_a_letter_means_not_told_apart(different: set[frozenset[str]]) -> None:
    letters = compact_letters(NAMES, different)
    for one, other in combinations(NAMES, 2):
        shared = set(letters[one]) & set(letters[other])
        assert bool(shared) == (frozenset((one, other)) not in different)
    assert all(letters.values())


def test_a_worked_example() -> None:
    """a > c only: the middle one belongs to both groups, the best has the first letter."""
    assert compact_letters(["a", "b", "c"], [frozenset("ac")]) == {"a": "a", "b": "ab", "c": "b"}


def test_all_alike_all_apart_and_nobody() -> None:
    assert compact_letters(["x", "y"], []) == {"x": "a", "y": "a"}
    assert compact_letters(["x", "y"], [frozenset("xy")]) == {"x": "a", "y": "b"}
    assert compact_letters([], []) == {}


def test_pairs_with_others_are_passed_over() -> None:
    assert compact_letters(["x", "y"], [frozenset("xz")]) == {"x": "a", "y": "a"}


def test_only_corrected_p_values_count() -> None:
    def pair(a: str, b: str, p: float | None, p_holm: float | None) -> PairwiseResult:
        return PairwiseResult(a, b, 1.0, 0.5, 2.0, p, p_holm)

    tested = [pair("a", "b", 0.01, 0.03), pair("a", "c", 0.04, 0.08), pair("b", "c", None, None)]
    assert different_pairs(tested) == {frozenset("ab")}
