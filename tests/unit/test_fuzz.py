"""Whatever comes from outside, only the typed errors come out: 10,000 examples each (long).

The files of models, the endpoint's requests and bodies have theirs in ``llm/test_fuzz.py``, the
calculator's HTTP input in ``integration/know/test_calculator_service.py``.
"""

from __future__ import annotations

import gzip
import itertools
import json
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porimon.config.load import load_tournament
from porimon.errors import ModelAnswerError, UserInputError
from porimon.paths import shipped_tournaments
from porimon.showdown.answers.lexicon import game_lexicon
from porimon.showdown.answers.parse import parse_order, parse_proposals
from porimon.showdown.events.parse import parse_line
from porimon.showdown.events.turn_log import TurnLog
from porimon.showdown.reflection_answer import ReflectionAnswer, parse_reflection
from porimon.stats.battles import MatchupCounts
from porimon.stats.counts_csv import HEADER, read_counts
from tests.unit.answers.test_parse import LEGAL

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]
THOROUGH = settings(
    max_examples=10_000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
LOGS = Path(__file__).parents[1] / "data" / "battle_logs" / "random.jsonl.gz"
TOURNAMENTS = [path.read_text(encoding="utf-8") for path in shipped_tournaments().glob("*.toml")]

ANY_TEXT = st.text(st.characters(codec=None), max_size=200)
LABELS = [order.label for order in LEGAL]
WORDS = st.sampled_from([*LABELS, "order", "move", "switch", "options", "why", "thought"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | ANY_TEXT,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(WORDS | ANY_TEXT, inner, max_size=4)
    ),
    max_leaves=15,
)


def damaged(text: str) -> st.SearchStrategy[str]:
    """A text with a piece replaced by something else."""
    places = st.tuples(st.integers(0, len(text)), st.integers(0, 40), ANY_TEXT)
    return places.map(lambda cut: text[: cut[0]] + cut[2][:20] + text[cut[0] + cut[1] :])


ANSWERS = (
    JSON.map(json.dumps)
    | JSON.map(json.dumps).flatmap(damaged)
    | ANY_TEXT
    | st.binary(max_size=200).map(lambda data: data.decode("utf-8", "replace"))
    | st.builds(lambda mark, depth: mark * depth, st.sampled_from("[{(\"'"), st.integers(0, 20_000))
)


@THOROUGH
@given(ANSWERS)
def test_any_answer(text: str) -> None:
    for parse in (parse_order, parse_proposals):
        reason, orders = "", ()
        try:
            found = parse(text, LEGAL, game_lexicon())
            orders = found if isinstance(found, tuple) else (found,)
        except ModelAnswerError as error:
            reason = error.reason
        assert set(orders) <= set(LEGAL)
        assert bool(orders) != reason.isidentifier()


@THOROUGH
@given(ANSWERS)
def test_any_reflection(text: str) -> None:
    try:
        assert isinstance(parse_reflection(text, ("Garchomp",), ("Blissey",)), ReflectionAnswer)
    except ModelAnswerError as error:
        reason = error.reason
    else:
        reason = "none"
    assert reason.isidentifier()


@lru_cache(maxsize=1)
def real_lines() -> tuple[str, ...]:
    """The lines of ten real battles, as the first player received them."""
    with gzip.open(LOGS, "rt", encoding="utf-8") as file:
        logs = [json.loads(line)["p1"] for line in itertools.islice(file, 10)]
    return tuple(itertools.chain.from_iterable(logs))


ANY_BYTES = st.binary(max_size=12).map(lambda data: data.decode("utf-8", "replace"))


@THOROUGH
@given(st.data())
def test_any_bytes_in_any_field_of_real_events(data: st.DataObject) -> None:
    lines = real_lines()
    start = data.draw(st.integers(0, len(lines) - 1))
    log = TurnLog("p1")
    for line in lines[start : start + 8]:
        fields = line.split("|")
        position = data.draw(st.integers(0, len(fields) - 1))
        fields[position] = data.draw(ANY_BYTES | st.just(fields[position]))
        changed = "|".join(fields)
        assert parse_line(changed).line.raw == changed
        log.apply([changed])


@THOROUGH
@given(text=st.sampled_from(TOURNAMENTS).flatmap(damaged) | ANY_TEXT)
def test_any_tournament_file(tmp_path: Path, text: str) -> None:
    for shipped in shipped_tournaments().glob("*.toml"):
        if not (tmp_path / shipped.name).exists():
            (tmp_path / shipped.name).write_bytes(shipped.read_bytes())  # files may be extended
    file = tmp_path / "fuzzed.toml"
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        where = str(load_tournament(file).path)
    except UserInputError as error:
        where = error.where or ""
    assert str(tmp_path) in where


COUNTS = f'{HEADER}\nh,p,10,5,1\np,lt0,7,7,0\n"a,b",h,3,4,0\n'


@THOROUGH
@given(
    data=damaged(COUNTS).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.binary(max_size=120)
)
def test_any_csv(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "counts.csv"
    file.write_bytes(data)
    counts: list[MatchupCounts] = []
    where = str(file)
    try:
        counts = read_counts(file)
    except UserInputError as error:
        where = error.where or ""
    assert str(file) in where
    assert all(isinstance(each, MatchupCounts) for each in counts)
