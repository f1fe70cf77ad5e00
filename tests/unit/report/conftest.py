"""A recorded run of stored battles, played once for all tests of the report."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.unit.report.stored_game import StoredGame
from tests.unit.tournament.test_run import play, tournament


@pytest.fixture(scope="session")
def stored_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run: h, p and two settings of α, six battles a matchup. Not to be changed."""
    folder = tmp_path_factory.mktemp("stored") / "run"
    folder.mkdir()
    players = ["h", "p", "lt1-uniform-a0.3", "lt1-uniform-a0.7"]
    settings = tournament(name='<b>"stored"</b>', battles=6, round_robin=players)
    asyncio.run(play(folder, settings, StoredGame(), per_matchup=1))
    return folder
