"""Runs a tournament: stages as soon as what they inherit is known, resumable at any moment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass

from porimon.config.player import PlayerConfig
from porimon.config.resolve import Found, depends_on, resolve_player
from porimon.config.tournament import Stage, TournamentSettings
from porimon.errors import PorimonError, RunStopped
from porimon.tournament.game import Seat
from porimon.tournament.matchup_run import MatchupRun, RunContext
from porimon.tournament.plan import Matchup, planned_matchups
from porimon.tournament.selection import best_of


@dataclass(slots=True)
class TournamentRun:
    """One run of a tournament: ``play`` comes back when all is played, or raises why not."""

    settings: TournamentSettings
    context: RunContext

    async def play(self) -> None:
        """Play every stage. Raises ``RunStopped`` where the run stopped early and can go on."""
        started = time.monotonic()
        stages = asyncio.create_task(self._play_stages())
        stopping = asyncio.create_task(self.context.stop.wait())
        try:
            # Bounded by the deadlines of the battles and by the stop signal.
            await asyncio.wait({stages, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if self.context.stop.reason is not None:
                await self.context.stop.idle()
                stages.cancel()
                await asyncio.gather(stages, return_exceptions=True)
                raise self.context.stop.reason
            try:
                await stages
            except BaseExceptionGroup as group:
                raise purposeful(group) from group
            await self.context.stop.idle()
        finally:
            for task in (stages, stopping):
                task.cancel()
            await asyncio.gather(stages, stopping, return_exceptions=True)
            await self.context.calls.close()
            await self.context.record.add_seconds(time.monotonic() - started)

    async def _play_stages(self) -> None:
        stages = self.settings.stages
        done = {stage.name: asyncio.Event() for stage in stages}
        findings: dict[str, tuple[Stage, PlayerConfig]] = {}

        async def play_when_ready(position: int) -> None:
            stage = stages[position]
            needed = depends_on(stage, stages[:position], self.settings)
            for name in needed:
                await done[name].wait()
            # Findings are laid in the file's order, so what was found last in the file wins.
            found = Found()
            for earlier in stages[:position]:
                if earlier.name in findings and earlier.name in needed:
                    selecting, winner = findings[earlier.name]
                    assert selecting.selects is not None
                    found = found.with_winner(selecting.selects, winner)
            winner_config = await self._play_stage(stage, found)
            if winner_config is not None:
                findings[stage.name] = (stage, winner_config)
            done[stage.name].set()

        async with asyncio.TaskGroup() as group:
            for position in range(len(stages)):
                group.create_task(play_when_ready(position))

    async def _play_stage(self, stage: Stage, found: Found) -> PlayerConfig | None:
        matchups = [
            matchup for matchup in planned_matchups(self.settings) if matchup.stage == stage.name
        ]
        players = {name: resolve_player(name, self.settings, found) for name in stage.names()}
        runs = [self._matchup_run(matchup, players) for matchup in matchups]
        results: list[dict[int, Seat | None]] = [{} for _ in runs]

        async def play(position: int) -> None:
            run = runs[position]
            cards = {seat: self.context.card(player) for seat, player in run.players.items()}
            results[position] = await run.play(cards)

        async with asyncio.TaskGroup() as group:
            for position in range(len(runs)):
                group.create_task(play(position))
        if stage.selects is None or self.context.stop.reason is not None:
            return None
        winner, rates = best_of(zip(matchups, results, strict=True))
        await self.context.record.select(stage.name, winner, players[winner])
        self.context.listener.selected(stage.name, winner, rates)
        return players[winner]

    def _matchup_run(self, matchup: Matchup, players: Mapping[str, PlayerConfig]) -> MatchupRun:
        seats: dict[Seat, PlayerConfig] = {
            "a": players[matchup.name_a],
            "b": players[matchup.name_b],
        }
        return MatchupRun(self.context, matchup, seats)


def operator_stop(resume: str) -> RunStopped:
    """The reason to stop when the operator pressed Ctrl-C; ``resume`` is the command to go on."""
    return RunStopped("stopped by the operator", remedy=f"go on with: {resume}")


def purposeful(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error raised on purpose that hides in a task group's, or the group itself."""
    for error in group.exceptions:
        found = purposeful(error) if isinstance(error, BaseExceptionGroup) else error
        if isinstance(found, PorimonError):
            return found
    return group
