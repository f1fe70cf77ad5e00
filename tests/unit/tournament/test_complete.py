"""A run counts as played only when every battle of its plan is there, and every winner."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from porimon.config.tournament import TournamentSettings
from porimon.errors import ModelAccessError
from porimon.tournament.complete import everything_played
from porimon.tournament.record.connect import record_path
from tests.unit.tournament.coin_game import EchoModel
from tests.unit.tournament.test_run import play, tournament

SELECTING: dict[str, Any] = {
    "name": "selecting",
    "battles": 4,
    "stages": [
        {
            "name": "window",
            "players": ["p-T1", "p-T5"],
            "selects": {"settings": ["window"], "passes_to": ["p"]},
        },
        {"name": "final", "players": ["h", "p"]},
    ],
}


async def test_a_run_is_complete_once_all_is_played(tmp_path: Path) -> None:
    settings = tournament(battles=4)
    plan = settings.model_dump(mode="json")
    assert not everything_played(tmp_path, settings, plan)
    await play(tmp_path, settings)
    assert everything_played(tmp_path, settings, plan)


async def test_a_run_that_stopped_is_not_complete(tmp_path: Path) -> None:
    settings = tournament(battles=4)
    model = EchoModel(delay=0.001)
    model.errors[30] = ModelAccessError("the key is refused", where="LUNA_KEY")
    with pytest.raises(ModelAccessError):
        await play(tmp_path, settings, model=model)
    assert not everything_played(tmp_path, settings, settings.model_dump(mode="json"))


async def test_another_plan_is_never_complete(tmp_path: Path) -> None:
    settings = tournament(battles=4)
    await play(tmp_path, settings)
    fewer = tournament(battles=2)
    assert not everything_played(tmp_path, fewer, fewer.model_dump(mode="json"))


async def test_a_winner_that_was_not_selected_is_missing(tmp_path: Path) -> None:
    settings = TournamentSettings.model_validate(SELECTING)
    plan = settings.model_dump(mode="json")
    await play(tmp_path, settings)
    assert everything_played(tmp_path, settings, plan)
    with sqlite3.connect(record_path(tmp_path)) as connection:
        connection.execute("UPDATE stages SET winner_name = NULL, winner_hash = NULL")
    assert not everything_played(tmp_path, settings, plan)
