"""The examples run as their README says, and their players really decide."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from porimon.llm.endpoint.server import FakeEndpoint
from porimon.tournament.record.read import RunReader

EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = pytest.mark.server


def run(tmp_path: Path, example: str, *options: str) -> dict[str, Any]:
    """Play one battle of an example from a strange working directory; the analysis."""
    command = [sys.executable, "-m", "porimon", "run", str(EXAMPLES / example / "tournament.toml")]
    finished = subprocess.run(
        [*command, "--out", str(tmp_path / "run"), "--battles", "1", "--json", *options],
        cwd=tmp_path,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    analysis: dict[str, Any] = json.loads(finished.stdout)
    assert sum(player["battles"] for player in analysis["players"]) == 2
    return analysis


def decisions(tmp_path: Path, player: str) -> list[dict[str, Any]]:
    """What a player decided in the battle that was played."""
    with RunReader(tmp_path / "run") as reader:
        (matchup,) = reader.matchups()
        details = reader.details("1.1")
    seat = next(seat for seat, name in matchup.names.items() if name == player)
    return [decision for decision in details["decisions"] if decision["seat"] == seat]


def test_a_player_of_ones_own(tmp_path: Path) -> None:
    source = (EXAMPLES / "player" / "my_player.py").read_text()
    code = [line for line in source.splitlines() if line.strip() and not line.startswith('"""')]
    assert len(code) <= 12, "a player in about ten lines"
    run(tmp_path, "player")
    made = decisions(tmp_path, "type-reader")
    assert len(made) > 5
    assert any(len(decision["legal"]) > 1 for decision in made)
    with RunReader(tmp_path / "run") as reader:
        (card,) = [card for card in reader.cards() if card.player == "type-reader"]
    assert re.fullmatch(r"my_player\.py:TypeReader [0-9a-f]{16}", str(card.fields["plugin"]))


def test_a_model_of_ones_own(tmp_path: Path) -> None:
    """Every decision asks the class, whose answer is the first option."""
    analysis = run(tmp_path, "model", "--llm-file", str(EXAMPLES / "model" / "llm.toml"))
    asked = [made for made in decisions(tmp_path, "lt0") if made["calls"]]
    assert len(asked) > 5
    for made in asked:
        assert made["order"] == made["legal"][0]
        assert made["fallback"] is None
    assert any("first option (no language model)" in text for text in analysis["warnings"])


@pytest.mark.long
async def test_an_endpoint_of_ones_own(tmp_path: Path) -> None:
    async with FakeEndpoint() as endpoint:
        example = (EXAMPLES / "endpoint" / "llm.toml").read_text()
        assert example.count("http://127.0.0.1:8080/v1") == 1
        own = tmp_path / "llm.toml"
        own.write_text(example.replace("http://127.0.0.1:8080/v1", endpoint.base_url))
        base_url = endpoint.base_url
        await asyncio.to_thread(run, tmp_path, "endpoint", "--llm-file", str(own))
    assert all(made["fallback"] is None for made in decisions(tmp_path, "lt0"))
    with RunReader(tmp_path / "run") as reader:
        (card,) = [card for card in reader.cards() if card.player == "lt0"]
    assert card.fields["endpoint"] == base_url


@pytest.mark.long
def test_prompts_of_ones_own(tmp_path: Path) -> None:
    """The player was asked with the folder's sections, and its answers could be used."""
    run(tmp_path, "prompts")
    asked = [made for made in decisions(tmp_path, "short") if made["calls"]]
    assert asked
    sections = dict(asked[0]["calls"][0]["sections"])
    assert list(sections) == ["system_rules", "system_answer", "situation", "options"]
    assert sections["system_rules"].startswith("You play one side")
    assert all(made["fallback"] is None for made in asked)
