"""The similarity of teams and the score, as Porimon §II-C states them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.config.player import MemoryConfig
from porimon.memory import plain
from porimon.memory.columns import GrowingColumns, Weighting, compare_current
from porimon.memory.experience import Document
from tests.unit.memory.line_game import LineSimilarity, experience, team

positions = st.floats(0, 1).map(lambda value: round(value, 3))
teams = st.lists(positions, min_size=1, max_size=6).map(lambda values: team(*values))
importances = st.integers(0, 100).map(lambda tenths: tenths / 10)


def alike(one: Document, other: Document) -> float:
    """s(a, b) of the points."""
    return LineSimilarity().pair(one, other, 0.5)


def vectorised(
    stored: tuple[Document, ...],
    importance: list[float | None],
    current: tuple[Document, ...],
    weighting: Weighting,
) -> float:
    """S of one stored team, by the arrays that retrieval uses."""
    table = LineSimilarity().table(0.5)
    columns = GrowingColumns(table, weighting)
    columns.add(team(0.123, 0.456), [1, 2])  # another one, so that the table holds more
    columns.add(stored, importance)
    return float(columns.first(2).similarity(compare_current(table, current))[1])


def test_plain_similarity_worked_by_hand() -> None:
    """A = {0, 1}, B = {0.2}: d(A→B) = (0.8 + 0.2) / 2 = 0.5, d(B→A) = 0.8, S = 0.65."""
    assert plain.directed(team(0, 1), team(0.2), alike) == pytest.approx(0.5)
    assert plain.directed(team(0.2), team(0, 1), alike) == pytest.approx(0.8)
    assert plain.team_similarity(team(0, 1), None, team(0.2), alike) == pytest.approx(0.65)
    assert vectorised(team(0, 1), [9, 1], team(0.2), "uniform") == pytest.approx(0.65)


def test_weighted_similarity_worked_by_hand() -> None:
    """With r = (3, 1): d_r = (3 · 0.8 + 1 · 0.2) / 4 = 0.65, S_r = (0.65 + 0.8) / 2 = 0.725."""
    assert plain.team_similarity(team(0, 1), [3, 1], team(0.2), alike) == pytest.approx(0.725)
    assert vectorised(team(0, 1), [3, 1], team(0.2), "weighted") == pytest.approx(0.725)


def test_score_worked_by_hand() -> None:
    """Opponent's S = 0.65, own S = 0.9, λ = 0.7: 0.7 · 0.65 + 0.3 · 0.9 = 0.725."""
    stored = experience(1, own=team(0.5), foe=team(0, 1))
    value = plain.score(stored, team(0.6), team(0.2), LineSimilarity(), MemoryConfig())
    assert value == pytest.approx(0.725)


@given(teams, teams)
def test_symmetric_and_within_bounds(
    one: tuple[Document, ...], other: tuple[Document, ...]
) -> None:
    forth = plain.team_similarity(one, None, other, alike)
    assert forth == pytest.approx(plain.team_similarity(other, None, one, alike), abs=1e-12)
    assert 0 <= forth <= 1


@given(teams)
def test_a_team_is_fully_similar_to_itself(one: tuple[Document, ...]) -> None:
    assert plain.team_similarity(one, None, one, alike) == pytest.approx(1, abs=1e-12)
    weights: list[float | None] = [float(place) for place in range(len(one))]
    assert vectorised(one, weights, one, "weighted") == pytest.approx(1, abs=1e-12)


@given(teams, teams, st.randoms(use_true_random=False))
def test_the_order_of_members_is_irrelevant(
    one: tuple[Document, ...], other: tuple[Document, ...], order: random.Random
) -> None:
    weights = [float(place) for place in range(len(one))]
    shuffled = order.sample(range(len(one)), len(one))
    moved = tuple(one[place] for place in shuffled)
    moved_weights = [weights[place] for place in shuffled]
    turned = tuple(reversed(other))
    assert plain.team_similarity(moved, moved_weights, turned, alike) == pytest.approx(
        plain.team_similarity(one, weights, other, alike), abs=1e-12
    )


@given(teams, teams, st.lists(importances, min_size=6, max_size=6))
def test_equal_zero_or_unknown_importance_is_the_plain_form(
    one: tuple[Document, ...], other: tuple[Document, ...], drawn: list[float]
) -> None:
    expected = plain.team_similarity(one, None, other, alike)
    unknown: list[float | None] = [*drawn[: len(one) - 1], None]
    for weights in ([0.0] * len(one), [7.0] * len(one), unknown):
        assert plain.team_similarity(one, weights, other, alike) == pytest.approx(
            expected, abs=1e-12
        )
        assert vectorised(one, list(weights), other, "weighted") == pytest.approx(
            expected, abs=1e-12
        )


@pytest.mark.parametrize(
    ("stored", "current", "expected"),
    [((), (), 1.0), ((), (0.3,), 0.0), ((0.3,), (), 0.0)],
)
def test_teams_without_members(
    stored: tuple[float, ...], current: tuple[float, ...], expected: float
) -> None:
    """Nothing revealed is like nothing revealed, and supports nothing else."""
    assert plain.team_similarity(team(*stored), None, team(*current), alike) == expected
    assert vectorised(team(*stored), [5.0] * len(stored), team(*current), "uniform") == expected


@given(
    st.lists(st.tuples(teams, st.lists(importances, min_size=6, max_size=6)), max_size=12),
    teams,
    st.sampled_from(["uniform", "weighted"]),
)
def test_arrays_agree_with_the_plain_form(
    stored: list[tuple[tuple[Document, ...], list[float]]],
    current: tuple[Document, ...],
    weighting: Weighting,
) -> None:
    table = LineSimilarity().table(0.5)
    columns = GrowingColumns(table, weighting)
    for members, weights in stored:
        columns.add(members, weights[: len(members)])
    found = columns.first(len(stored)).similarity(compare_current(table, current))
    expected = [
        plain.team_similarity(
            members, weights[: len(members)] if weighting == "weighted" else None, current, alike
        )
        for members, weights in stored
    ]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_each_distinct_member_is_compared_once() -> None:
    table = LineSimilarity().table(0.5)
    columns = GrowingColumns(table, "uniform")
    for _ in range(500):
        columns.add(team(0.1, 0.2, 0.3), [1, 1, 1])
    compare_current(table, team(0.5, 0.6))
    assert table.compared == 2 * 3
