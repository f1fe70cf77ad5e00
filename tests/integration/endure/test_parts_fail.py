"""Whole runs whose parts fail: the server, the calculator, the endpoint's answers, the key."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest

from porimon.tournament.record.read import RunReader
from tests.integration.endure.conftest import Undisturbed
from tests.integration.endure.runs import (
    KEY,
    KEY_VARIABLE,
    STOPPED,
    Beside,
    Started,
    Workplace,
)
from tests.records import contents

# Several runs one after another, on a machine that may be busy with others.
pytestmark = [pytest.mark.server, pytest.mark.timeout(600)]

ANSWER_FAULTS = (
    "empty",
    "not-json",
    "long",
    "wrong-language",
    "illegal-order",
    "null",
    "nested",
    "invalid-utf8",
    "last-answer",
)


def part(started: Started, script: str) -> psutil.Process:
    """The run's process of this script (``start.js``: the server, ``server.mjs``: calculator)."""
    (found,) = [
        process
        for process in psutil.Process(started.process.pid).children()
        if any(word.endswith(script) for word in process.cmdline())
    ]
    return found


def rows(place: Workplace, question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(place.run / "run.sqlite")) as connection:
        return connection.execute(question).fetchall()


def files_with(folder: Path, text: str) -> list[Path]:
    planted = text.encode()
    return [path for path in folder.rglob("*") if path.is_file() and planted in path.read_bytes()]


def packed_texts_with(run: Path, text: str) -> int:
    """In how many of the record's compressed texts the text stands."""
    with RunReader(run) as reader:
        texts = [
            json.dumps(reader.details(battle.battle_id)) + reader.log(battle.battle_id)
            for battle in reader.battles()
        ]
    return sum(text in each for each in texts)


def test_a_run_survives_its_server_and_its_calculator(
    tmp_path: Path, beside: Beside, undisturbed: Undisturbed
) -> None:
    """Killed at one moment, frozen at another: the battles come out the same."""
    place = Workplace.make(tmp_path, beside.port)
    before = beside.answered
    with place.start() as started:
        started.until_answered(beside, before + undisturbed.calls // 4)
        part(started, "server.mjs").kill()
        started.until_answered(beside, before + undisturbed.calls // 3)
        part(started, "start.js").kill()
        started.until_answered(beside, before + undisturbed.calls * 2 // 3)
        part(started, "start.js").suspend()
        ended = started.wait(170)
    assert ended.code == 0, ended.err
    assert contents(place.run) == undisturbed.contents
    assert ended.out == undisturbed.output
    assert beside.answered - before == undisturbed.calls, "no answer was paid for twice"
    broken_off = [battle for (battle,) in rows(place, "SELECT battle_id FROM put_back")]
    assert 2 <= len(broken_off) <= 4, "two faults, with one or two battles in flight"


@pytest.mark.long
def test_a_frozen_calculator_costs_one_decision_its_ranges(
    tmp_path: Path, beside: Beside, undisturbed: Undisturbed
) -> None:
    place = Workplace.make(tmp_path, beside.port)
    before = beside.answered
    with place.start() as started:
        started.until_answered(beside, before + undisturbed.calls // 4)
        frozen = part(started, "server.mjs")
        frozen.suspend()
        ended = started.wait(150)
    assert ended.code == 0, ended.err
    without = rows(place, "SELECT notes FROM decisions WHERE notes LIKE '%no_damage_ranges%'")
    assert 1 <= len(without) <= 4, "at most one for each player of the battles in flight"
    assert len(contents(place.run)["battles"]) == 2
    assert not frozen.is_running()


def test_useless_answers_end_in_recorded_fallbacks(tmp_path: Path, beside: Beside) -> None:
    """Every kind of them in turn, for every decision of both players."""
    place = Workplace.make(tmp_path, beside.port, battles=2)
    beside.faults.rotate(ANSWER_FAULTS)
    counted = {kind: beside.fake.counts[kind] for kind in ANSWER_FAULTS}
    ended = place.finish(*place.arguments("--set", 'round_robin=["h", "p"]'))
    assert ended.code == 0, ended.err
    assert all(beside.fake.counts[kind] > counted[kind] for kind in ANSWER_FAULTS)
    decisions = rows(
        place, "SELECT fallback, calls, refused FROM decisions WHERE calls > 0 ORDER BY 1"
    )
    assert decisions
    for fallback, calls, refused in decisions:
        assert calls == refused or fallback is None
        assert (fallback is None) == (calls > refused)
    reasons = {reason for (reason,) in rows(place, "SELECT DISTINCT refused FROM calls")}
    assert {"empty", "not_json"} <= {str(reason) for reason in reasons} - {"None"}
    (player,) = [each for each in json.loads(ended.out)["players"] if each["name"] == "p"]
    assert player["fallback_rate"] > 0.5
    assert player["battles"] == 2


def test_a_refused_key_and_a_dead_endpoint_stop_a_run_that_then_goes_on(
    tmp_path: Path, beside: Beside, undisturbed: Undisturbed
) -> None:
    place = Workplace.make(tmp_path, beside.port)
    before = beside.answered

    place.environment[KEY_VARIABLE] = wrong = "sk-wrong-9876543210-planted"
    refused = place.finish()
    assert refused.code == STOPPED, refused.err
    assert KEY_VARIABLE in refused.err
    assert "porimon run endure.toml" in refused.err
    assert place.rows("battles") == 0
    assert beside.answered == before

    place.environment[KEY_VARIABLE] = KEY
    beside.faults.switch("503", after=undisturbed.calls // 2)
    paused = place.finish()
    assert paused.code == STOPPED, paused.err
    assert "503" in paused.err
    assert "times in a row" in paused.err
    beside.faults.switch(None)

    del place.environment[KEY_VARIABLE]
    absent = place.finish()
    assert absent.code == STOPPED, absent.err
    assert f"export {KEY_VARIABLE}=" in absent.err
    assert "porimon run endure.toml" in absent.err

    place.environment[KEY_VARIABLE] = KEY
    ended = place.finish(*paused.resume, "--json")
    assert ended.code == 0, ended.err
    assert contents(place.run) == undisturbed.contents
    assert beside.answered - before == undisturbed.calls, "no answer was paid twice"

    # Neither key is in anything that was written: record, logs, what was printed, the report.
    reported = place.finish("report", "runs/endure")
    assert reported.code == 0, reported.err
    assert files_with(tmp_path, "503"), "the search finds what is there"
    assert packed_texts_with(place.run, "legal") > 0
    for key in (KEY, wrong):
        assert files_with(tmp_path, key) == []
        assert packed_texts_with(place.run, key) == 0
