"""Plays battles between two choosers on a Showdown server, many at once.

Connections are kept in pairs ("lanes") and used again, one battle at a time. Whatever happens to
the server or a connection, a battle ends: with a result, with its chooser's exception, or with
``BattleAborted``. A server of ours that died is started again for the next battle.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Coroutine, Sequence
from types import TracebackType
from typing import Any, Self

from porimon.errors import BattleAborted, UserInputError
from porimon.showdown.arena_challenge import start_by_challenge
from porimon.showdown.arena_lanes import Lane, Lanes
from porimon.showdown.arena_log import clean_choices, clean_log
from porimon.showdown.arena_model import (
    FORFEIT,
    BattleEnding,
    Chooser,
    DecisionMoment,
    EndReason,
    PlayedBattle,
    Role,
)
from porimon.showdown.arena_seed import python_dice, showdown_seed
from porimon.showdown.arena_side import BattleSide, Pace
from porimon.showdown.server import Server

__all__ = [
    "BATTLE_FORMAT",
    "FORFEIT",
    "Arena",
    "BattleEnding",
    "Chooser",
    "DecisionMoment",
    "EndReason",
    "PlayedBattle",
    "Role",
]

BATTLE_FORMAT = "gen8randombattle@@@Dynamax Clause"
"""Gen 8 Random Battle, Dynamax off by a battle rule (Porimon §III-A)."""

FIRST: Role = "p1"
SECOND: Role = "p2"

TURN_LIMIT = 1000
"""The turn at which Showdown ends a battle as a tie."""

# One battle that gets no message while others do waits for a busy server as well.
_LONGEST_WAIT_SECONDS = 60
_CLEANUP_DEADLINE_SECONDS = 2.0


class Arena:
    """Plays battles on one server. Used as an asynchronous context manager.

    Parameters
    ----------
    server:
        A started server. One without our plugin gives battles with teams and dice of its own.
    concurrency:
        How many battles run at once at most; further calls of ``play`` wait for their turn.
    """

    def __init__(self, server: Server, *, concurrency: int = 8) -> None:
        if concurrency < 1:
            raise UserInputError(
                f"the concurrency is {concurrency}", where="concurrency", remedy="1 or more"
            )
        self._server = server
        self._turnstile = asyncio.Semaphore(concurrency)
        self._lanes = Lanes(server)
        self._messages = 0

    async def __aenter__(self) -> Self:
        await self._lanes.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._lanes.close()

    async def play(
        self,
        seed: int,
        battle_format: str,
        first: Chooser,
        second: Chooser,
        *,
        swap_teams: bool = False,
        deadline_seconds: float = 3600.0,
    ) -> PlayedBattle:
        """Play one battle; ``first`` is p1.

        ``seed`` fixes both teams and all dice; ``swap_teams`` gives each side the other's team.
        Raises ``BattleAborted`` when the server is lost, stalls, or the deadline passes;
        ``UserInputError`` for a format that does not exist or lacks the Dynamax Clause;
        ``MachineSetupError`` when the server cannot be started again. An exception of a chooser
        comes out as it is, after the battle was given up.
        """
        generation = check_format(battle_format)
        async with self._turnstile, self._lanes.take() as lane:
            started = time.monotonic()
            try:
                async with asyncio.timeout(deadline_seconds):
                    played = await self._play_on(
                        lane, seed, battle_format, generation, (first, second), swap_teams
                    )
            except TimeoutError as error:
                raise BattleAborted(
                    f"the battle was not over after {deadline_seconds:g} s",
                    where=f"seed {seed}",
                    remedy="allow more time for a battle",
                ) from error
            self._lanes.battle_is_over()
            return _with_seconds(played, time.monotonic() - started)

    async def restart(self) -> None:
        """Start the server again. Battles in flight are aborted."""
        await self._lanes.restart()

    async def _play_on(
        self,
        lane: Lane,
        seed: int,
        battle_format: str,
        generation: int,
        choosers: tuple[Chooser, Chooser],
        swap_teams: bool,
    ) -> PlayedBattle:
        room = await self._start(lane, seed, battle_format, swap_teams)
        ended = False
        try:
            pace = Pace(count_message=self._count_message)
            dynamax_possible = generation == 8
            sides: list[BattleSide] = []
            for role, connection, chooser in (
                (FIRST, lane.first, choosers[0]),
                (SECOND, lane.second, choosers[1]),
            ):
                side = BattleSide(
                    connection,
                    room,
                    names={lane.first.name: FIRST, lane.second.name: SECOND},
                    role=role,
                    chooser=chooser,
                    battle_tag=f"battle-{_format_id(battle_format)}-{seed}",
                    generation=generation,
                    require_clause=dynamax_possible,
                    dice=python_dice(seed, f"order {role}"),
                    pace=pace,
                )
                sides.append(side)
            first, second = sides
            await _all_or_first_error([first.play(), second.play()], self._watch_pace(pace))
            played = await self._record(lane, room, first, second)
            ended = True
            return played
        finally:
            await _leave(lane, room, drop=self._server.seeded and not ended)

    async def _start(self, lane: Lane, seed: int, battle_format: str, swap_teams: bool) -> str:
        try:
            async with asyncio.timeout(self._lanes.patience_seconds):
                if not self._server.seeded:
                    return await start_by_challenge(lane.first, lane.second, battle_format)
                order = {
                    "format": battle_format,
                    "p1": lane.first.name,
                    "p2": lane.second.name,
                    "seed": showdown_seed(seed, "battle"),
                    "team_seeds": [showdown_seed(seed, "team 1"), showdown_seed(seed, "team 2")],
                    "swap_teams": swap_teams,
                }
                answer = await lane.first.ask_plugin("battle", order)
        except TimeoutError as error:
            await lane.close()
            raise BattleAborted("the server did not start the battle in time") from error
        if "room" in answer:
            return str(answer["room"])
        if answer.get("kind") == "format":
            raise UserInputError(
                f"the server refuses the format: {answer.get('error')}",
                where=battle_format,
                remedy=f"use {BATTLE_FORMAT}",
            )
        await lane.close()
        if answer.get("kind") == "lockdown":
            await self._lanes.restart()
        raise BattleAborted(f"the server did not start the battle: {answer.get('error')}")

    async def _record(
        self, lane: Lane, room: str, first: BattleSide, second: BattleSide
    ) -> PlayedBattle:
        player_logs: dict[Role, str] = {
            "p1": "\n".join(first.log).strip("\n"),
            "p2": "\n".join(second.log).strip("\n"),
        }
        if not self._server.seeded:
            return PlayedBattle(
                winner=first.winner,
                turns=first.turns,
                end_reason=_end_reason(
                    first.winner, first.turns, " forfeited." in player_logs["p1"]
                ),
                log=player_logs["p1"],
                player_logs=player_logs,
                choices=(),
                notes=("unseeded", "log_of_p1"),
            )
        try:
            async with asyncio.timeout(self._lanes.patience_seconds):
                ended = await lane.first.ending(room)
        except TimeoutError as error:
            await lane.close()
            raise BattleAborted("the server did not hand over the battle's record") from error
        winner: Role | None = ended["winner"]
        return PlayedBattle(
            winner=winner,
            turns=int(ended["turns"]),
            end_reason=_end_reason(winner, int(ended["turns"]), ended["end_type"] == "forfeit"),
            log=clean_log(ended["log"], {lane.first.name: "p1", lane.second.name: "p2"}),
            player_logs=player_logs,
            choices=clean_choices(ended["choices"]),
        )

    def _count_message(self) -> None:
        self._messages += 1

    async def _watch_pace(self, pace: Pace) -> None:
        """Raise ``BattleAborted`` when nobody thinks and nothing comes from the server.

        Counted in rounds of the event loop, not by the clock: when our own loop was busy, messages
        may be waiting unread.
        """
        seen_here = seen_anywhere = -1
        silent_here = silent_anywhere = 0
        while (
            silent_anywhere < self._lanes.patience_seconds and silent_here < _LONGEST_WAIT_SECONDS
        ):
            await asyncio.sleep(1)
            waiting = pace.thinking == 0
            silent_here = silent_here + 1 if waiting and pace.messages == seen_here else 0
            silent_anywhere = (
                silent_anywhere + 1 if silent_here and self._messages == seen_anywhere else 0
            )
            seen_here, seen_anywhere = pace.messages, self._messages
        raise BattleAborted(
            f"nothing came from the Showdown server for {max(silent_here, silent_anywhere)} s"
        )


def check_format(battle_format: str) -> int:
    """The generation of a battle format; ``UserInputError`` unless Dynamax is off by a rule."""
    match = re.match(r"gen(\d+)[a-z0-9]+(?:@@@|$)", battle_format)
    if match is None:
        raise UserInputError(
            f"{battle_format!r} is not a battle format",
            where="format",
            remedy=f"use {BATTLE_FORMAT}",
        )
    generation = int(match[1])
    if generation == 8 and not re.search(r"@@@(?:.*,)?Dynamax Clause(?:,|$)", battle_format):
        raise UserInputError(
            f"the format {battle_format!r} allows Dynamax",
            where="format",
            remedy=f"use {BATTLE_FORMAT}",
        )
    return generation


def _format_id(battle_format: str) -> str:
    return battle_format.partition("@@@")[0]


def _end_reason(winner: Role | None, turns: int, forfeited: bool) -> EndReason:
    if forfeited:
        return "forfeit"
    if winner is not None:
        return "normal"
    return "turn_limit" if turns >= TURN_LIMIT else "tie"


def _with_seconds(played: PlayedBattle, seconds: float) -> PlayedBattle:
    return PlayedBattle(
        winner=played.winner,
        turns=played.turns,
        end_reason=played.end_reason,
        log=played.log,
        player_logs=played.player_logs,
        choices=played.choices,
        notes=played.notes,
        seconds=seconds,
    )


async def _all_or_first_error(
    works: Sequence[Coroutine[Any, Any, None]], watch: Coroutine[Any, Any, None]
) -> None:
    """Wait for all of ``works``; the first exception of any, or of the watch, ends all of them."""
    watching = asyncio.create_task(watch)
    working = [asyncio.create_task(work) for work in works]
    tasks = [*working, watching]
    for task in tasks:
        # Both sides may fail, and we may be cancelled while we wait for them: one failure is told.
        task.add_done_callback(_mark_as_seen)
    try:
        pending = set(working)
        while pending:
            done, _ = await asyncio.wait({*pending, watching}, return_when=asyncio.FIRST_COMPLETED)
            # A chooser's own exception tells more than what it led to on the other side.
            for task in sorted(done, key=_is_aborted):
                task.result()
            pending -= done
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=_CLEANUP_DEADLINE_SECONDS)


def _mark_as_seen(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        task.exception()


def _is_aborted(task: asyncio.Task[None]) -> bool:
    return not task.cancelled() and isinstance(task.exception(), BattleAborted)


async def _leave(lane: Lane, room: str, *, drop: bool) -> None:
    """Make a lane ready for its next battle, whatever became of this one."""
    try:
        async with asyncio.timeout(_CLEANUP_DEADLINE_SECONDS):
            for connection in (lane.first, lane.second):
                if connection.lost:
                    continue
                if drop:
                    await connection.send(f"/porimon drop {room}")
                elif room in connection.rooms():
                    await connection.send(f"/leave {room}")
    except (BattleAborted, TimeoutError):
        await lane.close()
    for connection in (lane.first, lane.second):
        connection.forget(room)
