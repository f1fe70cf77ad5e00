"""Answers that outlive a lost connection: a decision that is begun anew does not pay twice.

After a reconnection the server puts its open question again, and a fresh player decides it from
the beginning. It asks its model what was asked before, and gets the same answers, those included
that are still under way.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

from porimon.llm.model import Completion, CompletionRequest
from porimon.showdown.arena_model import BattleEnding, Chooser, DecisionMoment
from porimon.tournament.game import Asker


@dataclass(frozen=True, slots=True)
class _Asked:
    request: CompletionRequest
    answer: asyncio.Task[Completion]

    @property
    def failed(self) -> bool:
        return self.answer.done() and (
            self.answer.cancelled() or self.answer.exception() is not None
        )


class KeptAnswers:
    """An ``Asker`` that remembers the questions of the latest decision and their answers."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._latest: list[_Asked] = []
        self._lost: list[_Asked] = []
        self._again: deque[_Asked] = deque()

    def begin_decision(self) -> None:
        """The player begins to decide: anew if the connection was lost, else something else."""
        self._again, self._lost = deque(self._lost), []
        self._latest = []

    def connection_lost(self) -> None:
        """What the latest decision was told may be asked for again.

        Even where it was decided: its order may not have reached the server.
        """
        # A second loss before the decision is begun anew must not forget what the first one kept.
        self._lost = self._latest or self._lost
        self._latest = []

    async def ask(self, request: CompletionRequest) -> Completion:
        """The answer given before, as long as the same is asked in the same order; else a new one.

        Raises what the asker raises.
        """
        asked = self._kept(request)
        if asked is None:
            asked = _Asked(request, asyncio.create_task(_answer(self._asker, request)))
        self._latest.append(asked)
        # When the connection is lost, nobody waits any more, but what is being paid for goes on.
        return await asyncio.shield(asked.answer)

    def _kept(self, request: CompletionRequest) -> _Asked | None:
        if self._again and self._again[0].request == request and not self._again[0].failed:
            return self._again.popleft()
        self._again.clear()  # the question has become another one
        return None

    async def close(self) -> None:
        """Give up what is still under way and nobody waits for."""
        answers = [asked.answer for asked in (*self._latest, *self._lost, *self._again)]
        for answer in answers:
            answer.cancel()
        await asyncio.gather(*answers, return_exceptions=True)


async def _answer(asker: Asker, request: CompletionRequest) -> Completion:
    return await asker.ask(request)


class AnnouncingChooser:
    """A player that tells ``KeptAnswers`` of each decision that it begins."""

    def __init__(self, player: Chooser, kept: KeptAnswers) -> None:
        self._player = player
        self._kept = kept

    async def choose(self, moment: DecisionMoment) -> str:
        """The player's answer."""
        self._kept.begin_decision()
        return await self._player.choose(moment)

    async def finished(self, ending: BattleEnding) -> None:
        """Passed on."""
        await self._player.finished(ending)
