"""Putting a run together: what is refused before anything is played."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from porimon.config.load import load_tournament
from porimon.errors import UserInputError
from porimon.launch import PreparedRun, plan_document, play_prepared, used_models
from porimon.llm.model import Completion
from porimon.tournament.progress import Silent
from porimon.tournament.record.run_record import RunRecord
from tests.unit.tournament.coin_game import CoinGame


@contextlib.asynccontextmanager
async def coin_game():  # type: ignore[no-untyped-def]
    yield CoinGame()


async def test_a_cost_budget_needs_to_know_what_was_spent_before(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text('name = "x"\nbattles = 2\nround_robin = ["h", "p"]\n[budget]\ncost = 1.0\n')
    tournament = load_tournament(file)
    folder = tmp_path / "run"
    folder.mkdir()
    prepared = PreparedRun(
        tournament, plan_document(tournament), folder, used_models(tournament, None), "go on"
    )
    record = await RunRecord.open(folder, prepared.plan, {})
    unknown = Completion("{}", "offline", input_tokens=10, output_tokens=1, cost=None)
    await record.add_answer("1.1", ("b", "hash", 0), "decision", unknown)
    await record.close()
    with pytest.raises(UserInputError, match="unknown") as caught:
        await play_prepared(prepared, coin_game(), Silent())
    assert "budget.tokens" in str(caught.value)
