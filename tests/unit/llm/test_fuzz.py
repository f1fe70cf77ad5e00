"""Whatever comes from outside, only the typed errors come out: thousands of examples (long)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porimon.errors import UserInputError
from porimon.llm.answer_body import AnswerBody, BodyFault, read_body
from porimon.llm.endpoint.policy import RequestRefused, read_request
from porimon.llm.model import AnswerFormat, Message
from porimon.llm.offline.reader import OfflineReader
from porimon.llm.settings import ModelSettings, read_models
from porimon.paths import shipped_configs

pytestmark = [pytest.mark.long, pytest.mark.timeout(1200)]
THOROUGH = settings(
    max_examples=10_000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
PROMPTS = sorted((Path(__file__).parents[2] / "data" / "golden_prompts").glob("*.txt"))
SHIPPED = (shipped_configs() / "llm.toml").read_text(encoding="utf-8")


def damaged(text: str) -> st.SearchStrategy[str]:
    """A text with a piece replaced by something else."""
    places = st.tuples(st.integers(0, len(text)), st.integers(0, 40), st.text(max_size=12))
    return places.map(lambda cut: text[: cut[0]] + cut[2] + text[cut[0] + cut[1] :])


@THOROUGH
@given(text=damaged(SHIPPED) | st.text(max_size=200))
def test_any_file_of_models(tmp_path: Path, text: str) -> None:
    file = tmp_path / "llm.toml"
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        models = read_models(file)
    except UserInputError as error:
        found = error.where or ""
        models = {}
    else:
        found = str(file)
    assert found.startswith(str(file))
    assert all(isinstance(model, ModelSettings) for model in models.values())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "usage", "prompt_tokens", "model"])
            | st.sampled_from(
                ["messages", "role", "response_format", "type", "json_schema", "schema"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
bodies = json_values.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=100)


@THOROUGH
@given(bodies)
def test_any_body_of_an_endpoint(body: bytes) -> None:
    try:
        read = read_body(body)
    except BodyFault:
        return
    assert isinstance(read, AnswerBody)
    read.text.encode("utf-8")


@THOROUGH
@given(bodies)
def test_any_request_to_the_endpoint(body: bytes) -> None:
    try:
        asked = read_request(body)
    except RequestRefused:
        return
    assert OfflineReader().answer(asked.messages, asked.answer_format)


@settings(THOROUGH, max_examples=2_000)
@given(st.sampled_from(PROMPTS).flatmap(lambda file: damaged(file.read_text(encoding="utf-8"))))
def test_any_damaged_prompt_to_the_reader(text: str) -> None:
    said = OfflineReader().answer((Message("user", text),), AnswerFormat())
    assert isinstance(json.loads(said), dict)
