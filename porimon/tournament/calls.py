"""Calls to models that outlive the battle that asked: what is being paid for is not thrown away.

When a battle breaks off, nobody waits any more for the calls that it had under way. They finish
all the same and are kept, and the battle, played again from its seed, waits for the same calls.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from porimon.llm.model import Completion
from porimon.tournament.record.run_record import JournalKey

Call = Callable[[], Coroutine[Any, Any, Completion]]
"""Asks a model and keeps its answer."""


class CallsUnderWay:
    """The calls of a run that are being made, and the answers that nobody has taken yet."""

    def __init__(self) -> None:
        self._tasks: dict[tuple[str, JournalKey], asyncio.Task[Completion]] = {}

    async def answer(self, battle_id: str, key: JournalKey, call: Call) -> Completion:
        """The answer to the call of this key that is under way, else of ``call``, started now.

        Raises what the call raises. Cancelling the wait leaves the call itself alone.
        """
        place = (battle_id, key)
        task = self._tasks.get(place)
        if task is None:
            task = self._tasks[place] = asyncio.create_task(call())
            task.add_done_callback(lambda done: self._forget_failed(place, done))
        completion = await asyncio.shield(task)
        self._tasks.pop(place, None)
        return completion

    def has(self, battle_id: str, key: JournalKey) -> bool:
        """Whether a call of this key is under way, or answered and not taken."""
        return (battle_id, key) in self._tasks

    def _forget_failed(self, place: tuple[str, JournalKey], done: asyncio.Task[Completion]) -> None:
        # Looking at the exception here also marks it as seen, where nobody waited for the call.
        if done.cancelled() or done.exception() is not None:
            self._tasks.pop(place, None)

    async def untaken(self, battle_id: str) -> dict[JournalKey, Completion]:
        """The answers that a battle paid for and did not take, once all its calls have come in.

        Bounded by the deadlines of the calls.
        """
        waiting = {place: task for place, task in self._tasks.items() if place[0] == battle_id}
        answers = await asyncio.gather(*waiting.values(), return_exceptions=True)
        for place in waiting:
            self._tasks.pop(place, None)
        return {
            key: answer
            for (_, key), answer in zip(waiting, answers, strict=True)
            if isinstance(answer, Completion)
        }

    async def close(self) -> None:
        """Cancel what is still under way."""
        tasks = tuple(self._tasks.values())
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
