"""One fault that ends many battles is one incident; only a battle started after it adds another."""

from __future__ import annotations

import time

from porimon.tournament.failures import FailuresInARow


def test_battles_that_were_under_way_together_count_once() -> None:
    failures = FailuresInARow()
    started = [time.monotonic() for _ in range(8)]
    assert [failures.add(moment) for moment in started] == [1] * 8


def test_a_battle_that_started_after_the_last_incident_counts() -> None:
    failures = FailuresInARow()
    counts = [failures.add(time.monotonic()) for _ in range(4)]
    assert counts == [1, 2, 3, 4]


def test_a_battle_played_to_its_end_begins_the_count_anew() -> None:
    failures = FailuresInARow()
    under_way = time.monotonic()
    failures.add(time.monotonic())
    failures.add(time.monotonic())
    failures.clear()
    assert failures.count == 0
    assert failures.add(under_way) == 0, "an old incident stays what it was"
    assert failures.add(time.monotonic()) == 1
