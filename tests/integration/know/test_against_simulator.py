"""Predictions against real battles in the simulator: ranges, candidates and inferences."""

from __future__ import annotations

import pytest

from porimon.bench import candidates as candidates_bench
from porimon.bench import damage as damage_bench
from porimon.bench.damage import PredictedHit, judge
from porimon.bench.simulated import simulated_battles
from porimon.showdown.calculator.model import DamageRange, QueryProblem
from porimon.showdown.node import NodeParts


def test_real_hits_fall_inside_the_predicted_ranges(
    node_parts: NodeParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four battles: the goals of the full benchmark, less what chance may do to so few hits."""
    monkeypatch.setattr(damage_bench, "QUICK_BATTLES", 4)
    result = damage_bench.run(quick=True)
    assert len(result.figures) == 4
    for figure in result.figures:
        assert figure.median >= 0.95, figure


def test_inferences_never_exclude_the_truth(node_parts: NodeParts) -> None:
    counts = candidates_bench.tally(simulated_battles(4, "test of inferences"))
    assert counts.clues > 500
    assert counts.wrong_clues == {}
    assert counts.covered_decisions["ability"] == counts.decisions
    assert counts.covered_decisions["everything"] >= 0.95 * counts.decisions


def hit(damage: int, strike: int = 0) -> PredictedHit:
    return PredictedHit("ours on them", True, "scald", "a", "b", strike, damage, False, ())


def test_a_hit_is_judged_by_the_rolls_of_its_strike() -> None:
    answer = DamageRange(12, 60, 1, 2, ((10, 20), (30, 40)), 100, None, None, (2, 2), None)
    assert judge(hit(20), [answer]).cause is None
    assert judge(hit(21), [answer]).cause is not None
    assert judge(hit(21, strike=1), [answer]).cause is not None
    assert judge(hit(30, strike=1), [answer]).cause is None
    problem = QueryProblem("move", "not known")
    assert judge(hit(30), [problem]).cause == "scald: not known"
