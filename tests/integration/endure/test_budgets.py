"""Budgets: a run stops before the call that could overrun one, and goes on with a larger one."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path

import pytest

from tests.integration.endure.conftest import Undisturbed
from tests.integration.endure.runs import STOPPED, Beside, Workplace
from tests.records import contents

# Several runs one after another, on a machine that may be busy with others.
pytestmark = pytest.mark.timeout(600)

PRICES = "prices = { input = 1.0, output = 2.0 }"


def spent_cost(place: Workplace) -> float:
    """US dollars that the record says were spent, answers of unfinished battles included."""
    with contextlib.closing(sqlite3.connect(place.run / "run.sqlite")) as connection:
        (cost,) = connection.execute(
            "SELECT (SELECT coalesce(sum(cost), 0) FROM calls)"
            " + (SELECT coalesce(sum(json_extract(completion, '$.cost')), 0) FROM journal)"
        ).fetchone()
    return float(cost)


@pytest.mark.server
def test_tokens_and_minutes_then_more_of_both(
    tmp_path: Path, beside: Beside, undisturbed: Undisturbed
) -> None:
    place = Workplace.make(tmp_path, beside.port)
    before = beside.answered

    few = place.finish(*place.arguments("--set", "budget.tokens=40000"))
    assert few.code == STOPPED, few.err
    assert "budget of 40,000 tokens" in few.err
    assert "go on with a larger budget" in few.err
    assert 1 <= beside.answered - before < undisturbed.calls
    assert place.rows("journal") + place.rows("calls") == beside.answered - before

    started = time.monotonic()
    short = place.finish(*place.arguments("--set", "budget.minutes=0.02"))
    assert short.code == STOPPED, short.err
    assert "time budget of 1 s" in short.err
    assert time.monotonic() - started < 60

    ended = place.finish(*place.arguments("--set", "budget.tokens=100000000"))
    assert ended.code == 0, ended.err
    assert contents(place.run) == undisturbed.contents
    assert beside.answered - before == undisturbed.calls, "no answer was paid twice"


def test_a_cost_budget_without_prices_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    place = Workplace.make(tmp_path, port=9)
    ended = place.finish(*place.arguments("--set", "budget.cost=5"))
    assert ended.code == 2, ended.err
    assert "beside" in ended.err
    assert "prices" in ended.err
    assert not place.run.exists()


@pytest.mark.server
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_money_is_never_overspent(tmp_path: Path, beside: Beside, undisturbed: Undisturbed) -> None:
    """Several budgets one after another; the sums of the record stay below each."""
    place = Workplace.make(tmp_path, beside.port, models=PRICES)
    for limit in (0.02, 0.05, 0.1):
        ended = place.finish(*place.arguments("--set", f"budget.cost={limit}"))
        assert ended.code == STOPPED, ended.err
        assert f"the cost budget of ${limit:.2f}" in ended.err
        assert 0 < spent_cost(place) <= limit
    ended = place.finish()
    assert ended.code == 0, ended.err
    assert contents(place.run)["battles"] == undisturbed.contents["battles"]
