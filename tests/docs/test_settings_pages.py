"""Tables of settings in the documentation against the models that read the settings."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from porimon.config.load import load_tournament
from porimon.config.player import LANGUAGE_MODEL_PLAYERS, PLAIN_PLAYERS, PlayerConfig
from porimon.config.tournament import (
    BudgetSettings,
    Concurrency,
    EarlyStopping,
    PlayerOverrides,
    Stage,
    TournamentSettings,
)
from porimon.llm.settings import ModelSettings, load_models
from porimon.paths import shipped_tournaments
from tests.docs.markdown import ROOT, MarkdownTable, blocks, tables

TOURNAMENTS = ROOT / "docs" / "tournament-files.md"
MODELS = ROOT / "docs" / "models.md"
PLAYERS = ROOT / "docs" / "players.md"


def table(page: Path, heading: str, first: str = "setting") -> MarkdownTable:
    (found,) = [
        each for each in tables(page) if each.heading == heading and each.header[0] == first
    ]
    return found


def told(found: MarkdownTable) -> dict[str, str]:
    return {row[0].strip("`"): row[1].strip("`") for row in found.rows}


def defaults(model: type[BaseModel]) -> dict[str, Any]:
    return {name: field.default for name, field in model.model_fields.items()}


def agrees(text: str, default: Any) -> bool:
    """Whether a default is told as it is: in words where it is none or a table of its own."""
    if default is PydanticUndefined:
        return text in ("required", "none", "unknown")  # a table that is made when left out
    if isinstance(default, bool | int | float | str):
        return text == json.dumps(default)
    return not any(character in text for character in '0123456789"')


SECTIONS = [
    ("All settings", TournamentSettings),
    ("`[concurrency]`", Concurrency),
    ("`[budget]`", BudgetSettings),
    ("`[early_stopping]`", EarlyStopping),
    ("`[[stages]]`", Stage),
]


@pytest.mark.parametrize(("heading", "model"), SECTIONS, ids=[row[0] for row in SECTIONS])
def test_every_setting_of_a_tournament_file_is_told_with_its_default(
    heading: str, model: type[BaseModel]
) -> None:
    documented = told(table(TOURNAMENTS, heading))
    actual = defaults(model)
    assert set(documented) == set(actual)
    for name, default in actual.items():
        assert agrees(documented[name], default), f"{name}: {documented[name]} is {default!r}"


def test_every_setting_of_a_player_is_told() -> None:
    documented = told(table(TOURNAMENTS, "Players: `[defaults]` and `[players.NAME]`"))
    assert set(documented) == set(PlayerOverrides.model_fields)
    actual = defaults(PlayerConfig)
    for name in ("window", "retries", "mode", "answer_format"):
        assert documented[name] == json.dumps(actual[name])


def test_every_setting_of_a_model_is_told() -> None:
    documented = told(table(MODELS, "Settings"))
    actual = {**defaults(ModelSettings), "base_url": PydanticUndefined}
    del actual["name"]
    assert set(documented) == set(actual)
    for name, default in actual.items():
        assert agrees(documented[name], default), f"{name}: {documented[name]} is {default!r}"


def test_every_shipped_model_is_told_with_its_key() -> None:
    rows = {row[0].strip("`"): row[2] for row in table(MODELS, "Shipped models", "name").rows}
    shipped = load_models()
    assert set(rows) == set(shipped)
    for name, model in shipped.items():
        if model.key_env:
            assert rows[name] == f"`{model.key_env}`"


def test_every_player_is_told() -> None:
    names = {
        name.strip("` ")
        for row in table(PLAYERS, "Those that exist", "name").rows
        for name in row[0].split(",")
    }
    assert names == {*PLAIN_PLAYERS, *LANGUAGE_MODEL_PLAYERS}


def test_every_shipped_tournament_is_named_and_can_be_read() -> None:
    text = TOURNAMENTS.read_text(encoding="utf-8")
    for path in shipped_tournaments().glob("*.toml"):
        assert f"`{path.stem}`" in text
        load_tournament(path)


@pytest.mark.parametrize(
    "block",
    [
        block
        for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
        for block in blocks(page)
        if block.language == "toml"
    ],
    ids=lambda block: block.place,
)
def test_toml_of_the_pages_is_toml_and_its_tables_hold_known_settings(block: Any) -> None:
    document = tomllib.loads(block.text)
    for stage in document.get("stages", []):
        Stage.model_validate(stage)
    for player in document.get("players", {}).values():
        PlayerOverrides.model_validate(player)
