"""Classes of users: found by file or by name, checked, and part of what a player is."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from porimon.config.load import load_tournament
from porimon.errors import ModelAccessError, ModelUnavailable, UserInputError
from porimon.launch import used_models
from porimon.llm.model import CompletionRequest, Message
from porimon.llm.plugin import PluginModel
from porimon.llm.settings import ModelSettings, Prices, read_models
from porimon.plugins import anchored, load_plugin, plugin_version
from porimon.showdown.players.registry import plugin_factory
from porimon.showdown.prompts.render import load_templates
from porimon.tournament.cards import harness_card

EXAMPLES = Path(__file__).parents[2] / "examples"
REQUEST = CompletionRequest((Message("user", "1. Surf | move | Water"),))

MODELS = """
import asyncio
from porimon.llm.model import Completion

class Good:
    closed = []
    def __init__(self, settings):
        self.settings = settings
    async def complete(self, request):
        return Completion("yes", "m", input_tokens=1000, output_tokens=10)
    async def close(self):
        self.closed.append(True)

class Slow(Good):
    async def complete(self, request):
        await asyncio.sleep(30)

class Broken(Good):
    async def complete(self, request):
        raise KeyError("wits")

class Wordy(Good):
    async def complete(self, request):
        return "yes"

class Refusing(Good):
    def __init__(self, settings):
        raise RuntimeError("no GPU")

class Counting(Good):
    now = most = 0
    async def complete(self, request):
        Counting.now += 1
        Counting.most = max(Counting.most, Counting.now)
        await asyncio.sleep(0.01)
        Counting.now -= 1
        return Completion("yes", "m")
"""


@pytest.fixture
def models(tmp_path: Path) -> Path:
    (tmp_path / "models.py").write_text(MODELS)
    return tmp_path / "models.py"


def settings(file: Path, name: str, **changes: Any) -> ModelSettings:
    return ModelSettings(name="mine", model="m", plugin=f"{file}:{name}", **changes)


async def test_a_models_cost_and_latency_are_filled_in(models: Path) -> None:
    """1,000 tokens at 2 dollars a million and 10 at 5 are 0.00205 dollars."""
    model = PluginModel(settings(models, "Good", prices=Prices(input=2, output=5)))
    answer = await model.complete(REQUEST)
    assert answer.text == "yes"
    assert answer.cost == pytest.approx(0.00205)
    assert answer.latency_seconds is not None
    await model.close()
    unpriced = PluginModel(settings(models, "Good"))
    assert (await unpriced.complete(REQUEST)).cost is None


async def test_a_model_that_gives_no_answer_is_left(models: Path) -> None:
    model = PluginModel(settings(models, "Slow", timeout_seconds=0.05))
    with pytest.raises(ModelUnavailable, match=r"no answer in 0\.05 s"):
        await asyncio.wait_for(model.complete(REQUEST), 5)


@pytest.mark.parametrize("name, told", [("Broken", "KeyError: 'wits'"), ("Wordy", "with str")])
async def test_a_model_that_fails_stops_the_run(models: Path, name: str, told: str) -> None:
    with pytest.raises(ModelAccessError, match=told):
        await PluginModel(settings(models, name)).complete(REQUEST)


def test_a_model_that_cannot_be_made_says_why(models: Path) -> None:
    with pytest.raises(UserInputError, match="RuntimeError: no GPU"):
        PluginModel(settings(models, "Refusing"))


async def test_no_more_calls_at_once_than_are_allowed(models: Path) -> None:
    model = PluginModel(settings(models, "Counting", concurrency=3))
    await asyncio.gather(*(model.complete(REQUEST) for _ in range(12)))
    assert type(model._model).most == 3  # type: ignore[attr-defined]


def test_a_model_is_a_plugin_or_an_endpoint() -> None:
    with pytest.raises(ValueError, match="neither base_url nor start"):
        ModelSettings(name="x", model="m", plugin="a.py:B", base_urls=("http://host/v1",))


def test_files_are_found_beside_the_file_that_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever a run is started: plugins of players and models, and prompts."""
    monkeypatch.chdir(tmp_path)
    tournament = load_tournament(EXAMPLES / "player" / "tournament.toml")
    player = tournament.players["round robin", "type-reader"]
    assert player.plugin == f"{EXAMPLES / 'player' / 'my_player.py'}:TypeReader"
    prompts = load_tournament(EXAMPLES / "prompts" / "tournament.toml").players
    assert prompts["round robin", "short"].prompts == str(EXAMPLES / "prompts" / "short")
    model = read_models(EXAMPLES / "model" / "llm.toml")["first-option"]
    assert model.plugin == f"{EXAMPLES / 'model' / 'my_model.py'}:FirstOption"
    base = tmp_path / "below" / "base.toml"
    base.parent.mkdir()
    base.write_text('name = "x"\nround_robin = ["mine", "h"]\n[players.mine]\nplugin = "p.py:P"\n')
    own = tmp_path / "own.toml"
    own.write_text('extends = "below/base.toml"\nname = "own"\n')
    extended = load_tournament(own).players["round robin", "mine"]
    assert extended.plugin == f"{base.parent.resolve() / 'p.py'}:P"
    assert anchored("an-entry-point", tmp_path) == "an-entry-point"


def test_the_examples_prompts_and_models_can_be_used() -> None:
    """What the long test plays with, looked at without a server."""
    short = load_tournament(EXAMPLES / "prompts" / "tournament.toml").players[
        "round robin", "short"
    ]
    templates = load_templates(short.style, short.prompts)
    assert [section.name for section in templates.sections] == [
        *("system_rules", "system_answer", "situation", "options", "again"),
    ]
    tournament = load_tournament(EXAMPLES / "endpoint" / "tournament.toml")
    used = used_models(tournament, EXAMPLES / "endpoint" / "llm.toml")
    assert [model.base_urls for model in used.values()] == [("http://127.0.0.1:8080/v1",)]


def test_a_changed_class_changes_the_card(tmp_path: Path, models: Path) -> None:
    player = load_tournament(EXAMPLES / "model" / "tournament.toml").players["round robin", "lt0"]
    before = harness_card(player, settings(models, "Good"), {})["endpoint"]
    assert before.startswith("plugin models.py:Good ")
    models.write_text(MODELS + "\n# another\n")
    assert harness_card(player, settings(models, "Good"), {})["endpoint"] != before


def test_packages_offer_classes_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed distribution's entry points, for players and for models."""
    (tmp_path / "their_package.py").write_text(
        (EXAMPLES / "player" / "my_player.py").read_text() + MODELS
    )
    metadata = tmp_path / "their_package-1.2.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: their-package\nVersion: 1.2\n")
    (metadata / "entry_points.txt").write_text(
        "[porimon.players]\ntheirs = their_package:TypeReader\n"
        "[porimon.models]\ntheirs = their_package:Good\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    try:
        assert plugin_factory("theirs").__name__ == "TypeReader"  # type: ignore[attr-defined]
        found = load_plugin("theirs", "porimon.models", ("complete",), "model")
        assert found.__name__ == "Good"
        assert plugin_version("theirs", "porimon.models", "model") == (
            "theirs of their-package 1.2"
        )
    finally:
        sys.modules.pop("their_package", None)
        load_plugin.cache_clear()
