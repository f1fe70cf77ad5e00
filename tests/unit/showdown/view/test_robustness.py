"""The tracker takes whatever a server may send, and is quick enough to be called every turn."""

from __future__ import annotations

import gzip
import json
import time
from functools import lru_cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from porimon.showdown.dex import dex
from porimon.showdown.view.boards import boards, boards_by_turn
from porimon.showdown.view.model import dump_view, load_view
from tests.oracle.truth import EXCEPTIONS
from tests.unit.showdown.view.requests import BENCH, SUICUNE, request, started

LOGS = Path(__file__).parents[3] / "data" / "battle_logs" / "random.jsonl.gz"
MILLISECOND = 1e-3


@lru_cache(maxsize=1)
def real_log() -> tuple[str, ...]:
    """The lines of one real battle as p1 received them."""
    with gzip.open(LOGS, "rt", encoding="utf-8") as file:
        return tuple(json.loads(file.readline())["p1"])


REPLACED = st.sampled_from(
    ["", "p1a: Suicune", "p2a: Nobody", "p2: Blissey", "[from] ability: ", "[of] p2a: ", "999/0"]
) | st.text(max_size=8)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_damaged_messages_never_stop_a_battle(data: st.DataObject) -> None:
    """Any field of any real message replaced by anything: no exception, and a view afterwards."""
    tracker = started()
    for line in data.draw(st.lists(st.sampled_from(real_log()), max_size=12)):
        fields = line.split("|")
        fields[data.draw(st.integers(0, len(fields) - 1))] = data.draw(REPLACED)
        tracker.apply(["|".join(fields)])
    view = tracker.view(request(SUICUNE, *BENCH))
    assert load_view(dump_view(view)) == view


def test_boards_follow_a_stored_log_turn_by_turn() -> None:
    documents = boards_by_turn("\n".join(real_log()))
    turns = [line for line in real_log() if line.startswith("|turn|")]
    assert [document["turn"] for document in documents if not document["final"]] == list(
        range(1, len(turns) + 1)
    )
    assert documents[0]["p1"]["active"]["hp_fraction"] == 1.0
    assert json.loads(json.dumps(documents)) == documents


def test_of_a_split_pair_the_private_line_counts() -> None:
    log = [
        "|split|p1",
        "|switch|p1a: Suicune|Suicune, L79|250/250",
        "|switch|p1a: Suicune|Suicune, L79|100/100",
        "|split|p2",
        "|switch|p2a: Blissey|Blissey, L83, F|520/540",
        "|switch|p2a: Blissey|Blissey, L83, F|97/100",
        "|turn|1",
    ]
    (board,) = boards(log, dex())
    assert board.p1.active is not None
    assert board.p2.active is not None
    assert (board.p1.active.hp, board.p2.active.hp) == (250, 520)


def test_an_empty_log_has_no_boards() -> None:
    assert boards_by_turn("") == []


def test_a_view_takes_a_millisecond_and_a_line_a_tenth_of_one() -> None:
    """Processor time, best of several runs: the machine may be busy with something else."""
    document = request(SUICUNE, *BENCH)
    views, lines = [], []
    for _ in range(5):
        tracker = started()
        begun = time.process_time()
        tracker.apply(real_log())
        lines.append((time.process_time() - begun) / len(real_log()))
        tracker = started()
        begun = time.process_time()
        for _ in range(20):
            tracker.view(document)
        views.append((time.process_time() - begun) / 20)
    assert min(lines) < 0.1 * MILLISECOND
    assert min(views) < MILLISECOND


def test_the_page_on_views_lists_every_exception() -> None:
    page = (Path(__file__).parents[4] / "docs" / "view.md").read_text(encoding="utf-8")
    for name, reason in EXCEPTIONS.items():
        assert f"| {name} | {reason} |" in page
