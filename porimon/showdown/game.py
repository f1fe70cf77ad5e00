"""Pokémon Showdown as a tournament's ``Game``: server, arena, knowledge, players, reflections."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

from porimon.config.player import PlayerConfig
from porimon.memory.retrieval import MemorySnapshot
from porimon.showdown.arena import Arena
from porimon.showdown.arena_model import PlayedBattle, Role
from porimon.showdown.game_parts import (
    damage_ranges,
    knowledge_with,
    load_game_data,
    player_card,
    reflections_of,
)
from porimon.showdown.node import prepare_node_parts
from porimon.showdown.players.base import Knowledge, Player, PlayerContext
from porimon.showdown.players.registry import create_player
from porimon.showdown.server import ExternalServer, Server, ShowdownServer
from porimon.showdown.similarity import PokemonSimilarity
from porimon.tournament.game import Asker, BattleOutcome, BattleSpec, Reflection, Seat

DYNAMAX_CLAUSE = "Dynamax Clause"
"""The rule that switches Dynamax off for both sides (Porimon §III-A)."""


def battle_format(name: str) -> str:
    """The format as the server takes it, with the Dynamax Clause as a rule."""
    if DYNAMAX_CLAUSE in name:
        return name
    return f"{name},{DYNAMAX_CLAUSE}" if "@@@" in name else f"{name}@@@{DYNAMAX_CLAUSE}"


class ShowdownGame:
    """Plays a tournament's battles on a server of its own, or on the one at ``server``.

    Parameters
    ----------
    folder:
        The run's folder; the server's output goes to ``server/`` in it.
    battle_seconds:
        Deadline of one battle, thinking included.
    concurrency:
        How many battles may be played at once.
    server:
        Address of another Showdown server; ``None``: start the pinned one.
    simulators:
        Simulator processes of the server that is started.
    progress:
        Gets one line for each step of set-up that takes time.
    """

    def __init__(
        self,
        *,
        folder: Path,
        battle_format: str,
        battle_seconds: float,
        concurrency: int,
        server: str | None = None,
        simulators: int = 1,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self._folder = folder
        self._format = battle_format
        self._battle_seconds = battle_seconds
        self._concurrency = concurrency
        self._address = server
        self._simulators = simulators
        self._progress = progress
        self._stack = contextlib.AsyncExitStack()
        self._arena: Arena | None = None
        self._knowledge: Knowledge | None = None
        self._similarity = PokemonSimilarity()

    async def __aenter__(self) -> Self:
        async with contextlib.AsyncExitStack() as stack:
            # Set-up may run npm for a while: never on the event loop.
            parts = await asyncio.to_thread(prepare_node_parts, self._progress)
            # Loaded on first use, all this would hold up the event loop in the first battles. The
            # server and the calculator come up meanwhile, in processes of their own.
            loading = asyncio.create_task(asyncio.to_thread(load_game_data))
            stack.push_async_callback(asyncio.wait, {loading})
            server: Server
            if self._address is None:
                server = await stack.enter_async_context(
                    ShowdownServer(
                        self._folder / "server", simulators=self._simulators, parts=parts
                    )
                )
            else:
                server = await stack.enter_async_context(ExternalServer(self._address))
            damage = await stack.enter_async_context(damage_ranges(parts))
            self._arena = await stack.enter_async_context(
                Arena(server, concurrency=self._concurrency)
            )
            await loading
            self._knowledge = knowledge_with(damage)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self._stack.aclose()

    @property
    def similarity(self) -> PokemonSimilarity:
        """How alike two Pokémon are (Porimon §II-C)."""
        return self._similarity

    def card(self, player: PlayerConfig) -> dict[str, Any]:
        """See ``player_card``."""
        return player_card(player, battle_format(self._format))

    async def play(
        self,
        spec: BattleSpec,
        askers: Mapping[Seat, Asker],
        memories: Mapping[Seat, MemorySnapshot],
    ) -> BattleOutcome:
        """Play one battle, then let each seat with Long-Term KAG reflect on it."""
        if self._arena is None or self._knowledge is None:
            raise RuntimeError("the game is used outside `async with`")
        second: Seat = "b" if spec.first == "a" else "a"
        seats: dict[Role, Seat] = {"p1": spec.first, "p2": second}
        players: dict[Seat, Player] = {
            seat: create_player(
                PlayerContext(
                    spec, seat, role, self._knowledge, askers.get(seat), memories.get(seat)
                )
            )
            for role, seat in seats.items()
        }
        played = await self._arena.play(
            spec.seed,
            battle_format(self._format),
            players[seats["p1"]],
            players[seats["p2"]],
            deadline_seconds=self._battle_seconds,
        )
        reflections = await reflections_of(spec, players, askers, self._knowledge.dex)
        return _outcome(played, seats, players, reflections)


def _outcome(
    played: PlayedBattle,
    seats: Mapping[Role, Seat],
    players: Mapping[Seat, Player],
    reflections: dict[Seat, Reflection],
) -> BattleOutcome:
    return BattleOutcome(
        winner=None if played.winner is None else seats[played.winner],
        turns=played.turns,
        end_reason=played.end_reason,
        log=played.log,
        choices=played.choices,
        decisions=tuple(
            decision for seat in seats.values() for decision in players[seat].decisions
        ),
        reflections=reflections,
        seconds=played.seconds,
        notes=played.notes,
    )
