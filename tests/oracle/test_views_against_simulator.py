"""The simulator's own state is the oracle: every field that a player may know must agree with it.

Players order moves and switches of every kind at random, in Gen 8 Random Battles with the Dynamax
Clause, and with "wild" teams whose moves and items are drawn from all of generation 8. A difference
is a fault unless the table of exceptions gives its reason.
"""

from __future__ import annotations

import pytest

from porimon.showdown.dex import dex
from porimon.showdown.node import prepare_node_parts
from tests.oracle.play import Comparison, SetlessDex, compare, decision_points


def _compare(battles: int, seed: int, kind: str = "random") -> Comparison:
    parts = prepare_node_parts()
    modules = parts.showdown_server / "node_modules"
    points = decision_points(parts.node, modules, battles, seed, kind)
    return compare(points, SetlessDex.load() if kind == "wild" else dex())


def _assert_agreement(result: Comparison, battles: int, most_explained: float) -> None:
    shown = "\n".join(map(str, result.unexplained[:20]))
    assert not result.unexplained, f"{len(result.unexplained)} differences:\n{shown}"
    assert result.battles == battles
    assert result.decisions > 30 * battles
    # Exceptions are rare events, not a way to hide a faulty field.
    explained = sum(result.explained.values())
    assert explained <= most_explained * result.decisions, result.explained


@pytest.mark.server
def test_views_agree_with_the_simulator() -> None:
    """Ten battles, both sides."""
    _assert_agreement(_compare(10, seed=7), 10, most_explained=0.1)


@pytest.mark.server
def test_views_agree_with_the_simulator_for_wild_teams() -> None:
    """Three battles with effects that Random Battles hardly ever show."""
    _assert_agreement(_compare(3, seed=5, kind="wild"), 3, most_explained=0.2)


@pytest.mark.long
@pytest.mark.server
@pytest.mark.timeout(1800)
def test_views_agree_with_the_simulator_for_many_wild_teams() -> None:
    """One hundred such battles."""
    _assert_agreement(_compare(100, seed=13, kind="wild"), 100, most_explained=0.2)


@pytest.mark.long
@pytest.mark.server
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(11, 17))
def test_views_agree_with_the_simulator_over_many_battles(seed: int) -> None:
    """Three hundred battles in all, both sides, fifty by fifty."""
    _assert_agreement(_compare(50, seed), 50, most_explained=0.05)
