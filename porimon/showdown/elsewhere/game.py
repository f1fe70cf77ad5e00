"""Battles against whoever is there as a tournament's ``Game``: record, budgets, memory as ever.

Seat ``a`` is our player, seat ``b`` stands for all opponents. The plan's seeds and sides mean
nothing here: teams, dice and sides are the server's.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Self

from porimon.config.player import PlayerConfig
from porimon.errors import BattleAborted, RunStopped
from porimon.memory.retrieval import MemorySnapshot
from porimon.showdown.arena_model import Role
from porimon.showdown.connection import ConnectionLost
from porimon.showdown.elsewhere.battle import BattleElsewhere, leave, play_battle
from porimon.showdown.elsewhere.kept_answers import KeptAnswers
from porimon.showdown.elsewhere.meeting import Meeting
from porimon.showdown.elsewhere.visit import Visit
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
from porimon.showdown.similarity import PokemonSimilarity
from porimon.tournament.game import Asker, BattleOutcome, BattleSpec, Reflection, Seat

OPPONENTS = "opponents"
"""What the record calls everybody who played against us."""

_GIVE_UP_SECONDS = 5.0


class GameElsewhere:
    """Plays one battle after the other on a server that is not ours.

    Parameters
    ----------
    visit:
        The stay on the server; it is begun and ended with the game.
    meeting:
        How each battle comes about.
    battle_format:
        What is played, for the player's card.
    wait_seconds, battle_seconds:
        Deadlines of a meeting and of a battle.
    timer:
        Whether the server's timer is asked for.
    say:
        Gets one line when a battle begins or a connection is lost.
    """

    def __init__(
        self,
        visit: Visit,
        meeting: Meeting,
        *,
        battle_format: str,
        wait_seconds: float,
        battle_seconds: float,
        timer: bool,
        say: Callable[[str], None],
    ) -> None:
        self._visit = visit
        self._meeting = meeting
        self._format = battle_format
        self._wait_seconds = wait_seconds
        self._battle_seconds = battle_seconds
        self._timer = timer
        self._say = say
        self._stack = contextlib.AsyncExitStack()
        self._knowledge: Knowledge | None = None
        self._one_at_a_time = asyncio.Lock()

    async def __aenter__(self) -> Self:
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(self._visit)
            parts = await asyncio.to_thread(prepare_node_parts)
            await asyncio.to_thread(load_game_data)
            self._knowledge = knowledge_with(await stack.enter_async_context(damage_ranges(parts)))
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self._stack.aclose()

    @property
    def similarity(self) -> PokemonSimilarity:
        """How alike two Pokémon are (Porimon §II-C)."""
        return PokemonSimilarity()

    def card(self, player: PlayerConfig) -> dict[str, Any]:
        """As on our own server; for the opponents, where and how they were met."""
        if player.base == OPPONENTS:
            return {"format": self._format, "server": self._visit.url, "way": self._meeting.way}
        return player_card(player, self._format)

    async def play(
        self,
        spec: BattleSpec,
        askers: Mapping[Seat, Asker],
        memories: Mapping[Seat, MemorySnapshot],
    ) -> BattleOutcome:
        """Meet somebody, play one battle, then reflect on it where our player has Long-Term KAG."""
        knowledge = self._knowledge
        if knowledge is None:
            raise RuntimeError("the game is used outside `async with`")

        kept = KeptAnswers(askers["a"]) if "a" in askers else None

        def make_player(role: Role) -> Player:
            return create_player(PlayerContext(spec, "a", role, knowledge, kept, memories.get("a")))

        loop = asyncio.get_running_loop()
        async with self._one_at_a_time:
            room = await self._meet()
            self._say(f"playing in {self._visit.url}/{room}")
            started = loop.time()
            ended = False
            try:
                async with asyncio.timeout(self._battle_seconds):
                    battle, player = await play_battle(
                        self._visit,
                        room,
                        make_player,
                        timer=self._timer,
                        seed=spec.seed,
                        kept=kept,
                        say=self._say,
                    )
                ended = True
            except TimeoutError as error:
                raise BattleAborted(
                    f"the battle was not over after {self._battle_seconds:g} s", where=room
                ) from error
            finally:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_GIVE_UP_SECONDS):
                        await leave(self._visit, room, forfeit=not ended)
                if kept is not None:
                    await kept.close()
            seconds = loop.time() - started
        reflections = await reflections_of(spec, {"a": player}, askers, knowledge.dex)
        return _outcome(battle, reflections, seconds)

    async def _meet(self) -> str:
        connection = await self._visit.renewed()
        met = False
        try:
            async with asyncio.timeout(self._wait_seconds):
                room = await self._meeting.room(connection)
            met = True
        except TimeoutError as error:
            raise RunStopped(
                f"nobody played with us within {self._wait_seconds:g} s",
                where=self._visit.url,
                remedy="wait longer (--wait), or ask somebody else",
            ) from error
        finally:
            if not met:
                with contextlib.suppress(ConnectionLost, TimeoutError):
                    async with asyncio.timeout(_GIVE_UP_SECONDS):
                        await self._meeting.give_up(connection)
        return room


def _outcome(
    battle: BattleElsewhere, reflections: dict[Seat, Reflection], seconds: float
) -> BattleOutcome:
    winner: Seat | None = None
    if battle.winner is not None:
        winner = "a" if battle.winner == battle.role else "b"
    notes = ["unseeded", f"log_of_{battle.role}", f"opponent {battle.opponent}"]
    if battle.reconnections:
        notes.append(f"reconnected {battle.reconnections}")
    return BattleOutcome(
        winner=winner,
        turns=battle.turns,
        end_reason=battle.end_reason,
        log=battle.log,
        choices=(),
        decisions=battle.decisions,
        reflections=reflections,
        seconds=seconds,
        notes=tuple(notes),
        first="a" if battle.role == "p1" else "b",
    )
