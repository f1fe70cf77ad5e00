"""What a game is made of on our own server as elsewhere: data, damage, cards, reflections.

Kept apart from ``game.py``, so that playing elsewhere needs no arena.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from porimon.config.player import PlayerConfig
from porimon.plugins import plugin_version
from porimon.showdown.answers.lexicon import game_lexicon
from porimon.showdown.calculator.client import Calculator
from porimon.showdown.calculator.service import CalculatorService
from porimon.showdown.candidates.samples import samples
from porimon.showdown.dex.store import Dex, dex
from porimon.showdown.facts.damage import CalculatedDamage, candidates_of
from porimon.showdown.node import NodeParts
from porimon.showdown.players.base import Knowledge, Player
from porimon.showdown.players.registry import ENTRY_POINT_GROUP, player_factory
from porimon.showdown.prompts.digest import prompt_hash
from porimon.showdown.reflection import reflect
from porimon.showdown.versions import data_versions
from porimon.tournament.game import Asker, BattleSpec, Reflection, Seat


def load_game_data() -> None:
    """Load what the first decisions need: game data, sampled sets, poke-env, scipy's distances."""
    import poke_env.player  # noqa: F401
    import scipy.spatial.distance  # noqa: F401

    dex()
    samples()
    game_lexicon()


@asynccontextmanager
async def damage_ranges(parts: NodeParts) -> AsyncIterator[CalculatedDamage]:
    """Damage from a calculator that runs as long as the context."""
    async with CalculatorService(parts) as service, Calculator(service) as calculator:
        yield CalculatedDamage(calculator)


def knowledge_with(damage: CalculatedDamage) -> Knowledge:
    """All sources of facts. ``load_game_data`` must have been called."""
    return Knowledge(dex(), candidates_of, damage)


def player_card(player: PlayerConfig, played_format: str) -> dict[str, Any]:
    """Hash of the player's prompts, and versions of everything that the game is made of.

    Raises ``UserInputError`` for a plugin or templates that cannot be loaded.
    """
    player_factory(player)
    card: dict[str, Any] = {"format": played_format, "data_versions": data_versions()}
    if player.plugin is not None:
        card["plugin"] = plugin_version(player.plugin, ENTRY_POINT_GROUP, "player")
    if player.asks_model:
        card["prompt_hash"] = prompt_hash(player)
    return card


async def reflections_of(
    spec: BattleSpec,
    players: Mapping[Seat, Player],
    askers: Mapping[Seat, Asker],
    game_data: Dex,
) -> dict[Seat, Reflection]:
    """What each player with Long-Term KAG takes from the battle that has ended.

    Raises whatever an asker raises.
    """
    reflecting = {
        seat: finished
        for seat, player in players.items()
        if (finished := player.finished_battle()) is not None and seat in askers
    }
    # Not a task group: what an asker raises must come out as it is, not inside a group.
    found = await asyncio.gather(
        *(
            reflect(askers[seat], spec.players[seat], finished, game_data)
            for seat, finished in reflecting.items()
        ),
        return_exceptions=True,
    )
    reflections: dict[Seat, Reflection] = {}
    for seat, reflection in zip(reflecting, found, strict=True):
        if isinstance(reflection, BaseException):
            raise reflection
        reflections[seat] = reflection
    return reflections
