"""`llm.toml`: what ships is valid, a user's file overrides it, errors name line and right word."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.errors import UserInputError
from porimon.llm.settings import OFFLINE_READER_LABEL, choose_model, load_models, read_models


def written(folder: Path, text: str) -> Path:
    file = folder / "llm.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_shipped_models_are_there_and_luna_is_the_papers() -> None:
    models = load_models()
    assert set(models) >= {"luna", "openrouter", "vllm", "ollama", "smollm2", "offline"}
    luna = models["luna"]
    assert (luna.model, luna.reasoning_effort, luna.key_env) == (
        "gpt-5.6-luna",
        "none",
        "OPENAI_API_KEY",
    )
    assert luna.sampling.model_dump(exclude_none=True) == {}
    assert not luna.prices.known
    assert models["offline"].label == OFFLINE_READER_LABEL


def test_a_users_file_replaces_a_model_as_a_whole_and_adds_others(tmp_path: Path) -> None:
    text = """
[luna]
base_urls = ["http://one/v1", "http://two/v1"]
model = "other"
[mine]
base_url = "https://mine.example/v1"
model = "m"
prices = { input = 1.5, output = 6 }
sampling = { temperature = 0.0 }
"""
    models = load_models(written(tmp_path, text))
    assert models["luna"].base_urls == ("http://one/v1", "http://two/v1")
    assert models["luna"].key_env is None, "nothing of the shipped model is left"
    assert models["mine"].base_urls == ("https://mine.example/v1",)
    assert models["mine"].prices.known
    assert models["mine"].sampling.temperature == 0.0
    assert "offline" in models


GOOD = '[a]\nbase_url = "http://a/v1"\nmodel = "m"\n'


@pytest.mark.parametrize(
    ("text", "line", "said", "remedy"),
    [
        (GOOD + "timeout_secs = 3\n", 4, "timeout_secs", "'timeout_seconds'"),
        (GOOD + "\n[a.prices]\ninput = 1\nouput = 3\n", 7, "ouput", "'output'"),
        (GOOD + "[a.sampling]\ntemprature = 1\n", 5, "temprature", "'temperature'"),
        ('[a]\nmodel = "m"\nstart = "ofline"\n', 3, "'ofline'", "'offline'"),
        (GOOD + "timeout_seconds = -1\n", 4, "greater than 0", None),
        (GOOD + "prices = { input = nan, output = 1 }\n", 4, "finite", None),
        ('[a]\nbase_url = "ftp://a"\nmodel = "m"\n', 2, "no address", None),
        ('[a]\nbase_url = "http://u:secret@a/v1"\nmodel = "m"\n', 2, "key_env", None),
        ('[a]\nbase_url = "http://a/v1"\n', 1, "'model' is missing", "model = …"),
        ('[a]\nmodel = "m"\n', 1, "base_url is missing", None),
        (GOOD + 'name = "b"\n', 4, "named by its table", "'name'"),
        ("loose = 1\n" + GOOD, 1, "outside of any model", "[loose]"),
    ],
)
def test_an_error_names_line_fault_and_remedy(
    tmp_path: Path, text: str, line: int, said: str, remedy: str | None
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(UserInputError) as caught:
        read_models(file)
    assert said in caught.value.what
    assert caught.value.where is not None
    assert caught.value.where.startswith(f"{file}:{line}")
    if remedy is not None:
        assert remedy in (caught.value.remedy or "")


def test_a_file_that_is_missing_or_no_toml_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserInputError, match="absent"):
        load_models(tmp_path / "absent.toml")
    with pytest.raises(UserInputError, match="line 2"):
        read_models(written(tmp_path, "[a]\nmodel = \n"))


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UserInputError, match="'offline'"):
        choose_model(load_models(), "ofline")
    with pytest.raises(UserInputError, match="luna"):
        choose_model(load_models(), "zzzzzz")


def test_a_file_nested_too_deep_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserInputError, match="nested too deep"):
        read_models(written(tmp_path, "[a]\nmodel = " + "[" * 5000 + "]" * 5000))


values = st.one_of(
    st.integers(-5, 5),
    st.floats().map(lambda number: number if number == number else 0.5),
    st.booleans(),
    st.text("ah:/.é ", max_size=8),
    st.just("http://a/v1"),
)
keys = st.sampled_from(["model", "base_url", "base_urls", "prices", "sampling", "extra_body", "x"])


@given(st.dictionaries(keys, st.one_of(values, st.lists(values, max_size=2)), max_size=4))
def test_any_values_give_settings_or_one_typed_error(table: dict[str, object]) -> None:
    """Whatever stands in a table: settings come out, or an error that names the file."""
    lines = [f"{key} = {as_toml(value)}" for key, value in table.items()]
    with tempfile.TemporaryDirectory() as folder:
        file = written(Path(folder), "[a]\n" + "\n".join(lines) + "\n")
        models, where = {}, None
        try:
            models = read_models(file)
        except UserInputError as error:
            where = error.where
        assert models or str(file) in (where or "")


def as_toml(value: object) -> str:
    """A value in TOML's notation, which differs from JSON's only in infinities."""
    return json.dumps(value, ensure_ascii=False).replace("Infinity", "inf")
