"""Plays one matchup: its battles in order, a window of them at once, each put back until it ends.

With Long-Term KAG, battle i reads only what battles up to i − c have written, c being the
matchup's concurrency: then the order in which battles happen to finish changes nothing.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from porimon.config.player import PlayerConfig
from porimon.errors import BattleAborted, ModelUnavailable, RunStopped
from porimon.llm.model import Completion, LanguageModel
from porimon.memory.retrieval import Memory, MemorySnapshot
from porimon.stats.sequential import StoppingRule
from porimon.tournament.asker import JournalledAsker
from porimon.tournament.calls import CallsUnderWay
from porimon.tournament.early import EarlyDecision
from porimon.tournament.failures import FailuresInARow
from porimon.tournament.game import BattleSpec, Game, Seat
from porimon.tournament.plan import Matchup, planned_battles
from porimon.tournament.progress import ProgressListener
from porimon.tournament.record.run_record import BattleResult, JournalKey, RunRecord
from porimon.tournament.stop import StopSignal

SEATS: tuple[Seat, Seat] = ("a", "b")
_LONGEST_PAUSE = 30.0


CardMaker = Callable[[PlayerConfig], Mapping[str, Any]]
"""A player's harness card: everything that shapes its results."""


@dataclass(slots=True)
class RunContext:
    """What all matchups of a run share."""

    game: Game
    record: RunRecord
    models: Mapping[str, LanguageModel]
    stop: StopSignal
    listener: ProgressListener
    places: asyncio.Semaphore
    """How many battles of the whole run may be played at once."""
    run_seed: int
    paired: bool
    per_matchup: int
    failures_before_pause: int
    card: CardMaker
    check_budget: Callable[[], None] = lambda: None
    """Raises ``BudgetExhausted`` when no further battle may be started."""
    early: StoppingRule | None = None
    failures: FailuresInARow = field(default_factory=FailuresInARow)
    calls: CallsUnderWay = field(default_factory=CallsUnderWay)


@dataclass(slots=True)
class MatchupRun:
    """The state of one matchup while it is played."""

    context: RunContext
    matchup: Matchup
    players: dict[Seat, PlayerConfig]
    results: dict[int, Seat | None] = field(default_factory=dict)
    """Winner by position, of every finished battle (``None``: a tie)."""
    _memories: dict[Seat, Memory] = field(default_factory=dict)
    _prefix: int = 0
    _progress: asyncio.Condition = field(default_factory=asyncio.Condition)
    _stopped_after: int | None = None
    _early: EarlyDecision | None = None

    async def play(self, cards: Mapping[Seat, Mapping[str, Any]]) -> dict[int, Seat | None]:
        """Play what is missing; the results of all its battles.

        Raises ``RunStopped`` (through the context's stop signal) or a programming error; battles
        that break off are played again.
        """
        context = self.context
        finished = await context.record.enter_matchup(self.matchup, self.players, cards)
        self._take_over(finished)
        for seat in SEATS:
            player = self.players[seat]
            if player.memory is not None:
                memory = Memory(context.game.similarity, player.memory)
                memory.extend(await context.record.experiences(self.matchup.matchup_id, seat))
                self._memories[seat] = memory
        if context.early is not None:
            self._early = EarlyDecision(context.early, paired=context.paired)
        context.listener.matchup_started(self.matchup, len(self.results))
        self._decide_early()
        waiting = self._missing()
        async with asyncio.TaskGroup() as group:
            for _ in range(min(context.per_matchup, self.matchup.battles)):
                group.create_task(self._worker(waiting))
        if self._stopped_after is not None:
            await context.record.stop_matchup(self.matchup.matchup_id, self._stopped_after)
        if len(self.results) == self.matchup.battles or self._stopped_after is not None:
            context.listener.matchup_finished(self.matchup, self._stopped_after)
        counted = self._stopped_after or self.matchup.battles
        return {position: won for position, won in self.results.items() if position < counted}

    def _take_over(self, finished: Mapping[int, BattleResult]) -> None:
        self.results.update({result.position: result.winner for result in finished.values()})
        self._advance()

    def _advance(self) -> None:
        while self._prefix in self.results:
            self._prefix += 1

    def _missing(self) -> Iterator[BattleSpec]:
        context = self.context
        for spec in planned_battles(
            self.matchup, self.players, run_seed=context.run_seed, paired=context.paired
        ):
            if spec.index not in self.results:
                yield spec

    async def _worker(self, waiting: Iterator[BattleSpec]) -> None:
        context = self.context
        for spec in waiting:
            if context.stop.reason is not None or self._stopped_after is not None:
                return
            await self._until_readable(spec.index)
            async with context.places:
                await self._play_to_the_end(spec)

    def _limit(self, index: int) -> int:
        """The last battle whose experience battle ``index`` may read.

        Never the other battle of its own pair: that was played with the same two teams.
        """
        limit = index - self.context.per_matchup
        return min(limit, 2 * (index // 2) - 1) if self.context.paired else limit

    async def _until_readable(self, index: int) -> None:
        if not self._memories:
            return
        async with self._progress:
            # Bounded by the deadlines of the battles that are waited for.
            await self._progress.wait_for(lambda: self._prefix > self._limit(index))

    async def _play_to_the_end(self, spec: BattleSpec) -> None:
        context = self.context
        pause = 0.5
        while context.stop.reason is None and self._stopped_after is None:
            context.listener.battle_started(self.matchup, spec)
            started = time.monotonic()
            try:
                context.check_budget()
                await self._play_once(spec)
            except RunStopped as reason:
                context.stop.request(reason)
                return
            except (BattleAborted, ModelUnavailable) as error:
                await context.record.put_back(spec.battle_id, str(error))
                context.listener.battle_put_back(self.matchup, spec, error.what)
                if context.failures.add(started) >= context.failures_before_pause:
                    context.stop.request(
                        RunStopped(
                            f"{context.failures.count} times in a row battles broke off; "
                            f"the last one because: {error.what}",
                            where=error.where,
                            remedy=error.remedy or "see to the cause, then go on with the run",
                        )
                    )
                    return
                # Jitter: battles that broke off together should not start again together.
                await asyncio.sleep(pause * (0.5 + random.random()))
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                context.failures.clear()
                return

    async def _play_once(self, spec: BattleSpec) -> None:
        context = self.context
        snapshots: dict[Seat, MemorySnapshot] = {
            seat: memory.snapshot(self._limit(spec.index))
            for seat, memory in self._memories.items()
        }
        asking = {seat: name for seat in SEATS if (name := self.players[seat].llm) is not None}
        journal: dict[JournalKey, Completion] = (
            await context.record.journal(spec.battle_id) if asking else {}
        )
        askers = {
            seat: JournalledAsker(
                battle_id=spec.battle_id,
                seat=seat,
                model=context.models[name],
                record=context.record,
                stop=context.stop,
                calls=context.calls,
                journal=journal,
                answered=context.listener.answered,
            )
            for seat, name in asking.items()
        }
        outcome = await context.game.play(spec, askers, snapshots)
        journal.update(await context.calls.untaken(spec.battle_id))
        hashes: dict[Seat, str] = {seat: found.hash for seat, found in snapshots.items()}
        experiences = await context.record.finish_battle(spec, outcome, hashes, journal)
        for seat, experience in experiences.items():
            self._memories[seat].add(experience)
        self.results[spec.index] = outcome.winner
        context.listener.battle_finished(self.matchup, spec, outcome)
        async with self._progress:
            self._advance()
            self._progress.notify_all()
        self._decide_early()

    def _decide_early(self) -> None:
        if self._early is None or self._stopped_after is not None:
            return
        # Only the unbroken beginning counts: what finished first must not decide.
        beginning = {position: self.results[position] for position in range(self._prefix)}
        self._stopped_after = self._early.battles_that_decided(beginning)
