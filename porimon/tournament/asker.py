"""How a player asks its model inside a battle: stored answers first, then paid ones, kept at once.

A battle that broke off is played again from its seed. Until the point where it broke off it asks
the same questions, and gets the answers that were paid for the first time, those included that
were still under way when it broke off.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable

from porimon.errors import RunStopped
from porimon.llm.model import Completion, CompletionRequest, LanguageModel
from porimon.tournament.calls import CallsUnderWay
from porimon.tournament.game import Seat
from porimon.tournament.record.run_record import JournalKey, RunRecord
from porimon.tournament.stop import StopSignal


def request_hash(request: CompletionRequest, model: str) -> str:
    """Hash of everything that is asked, and of whom (SHA-256, hex)."""
    document = {
        "model": model,
        "messages": [[message.role, message.content] for message in request.messages],
        "format": [request.answer_format.kind, request.answer_format.schema],
    }
    text = json.dumps(document, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class JournalledAsker:
    """The ``Asker`` of one seat in one battle."""

    def __init__(
        self,
        *,
        battle_id: str,
        seat: Seat,
        model: LanguageModel,
        record: RunRecord,
        stop: StopSignal,
        calls: CallsUnderWay,
        journal: dict[JournalKey, Completion],
        answered: Callable[[Completion], None],
    ) -> None:
        self._battle_id = battle_id
        self._seat = seat
        self._model = model
        self._record = record
        self._stop = stop
        self._calls = calls
        self._journal = journal
        self._answered = answered
        self._asked: Counter[str] = Counter()

    async def ask(self, request: CompletionRequest) -> Completion:
        """The answer to ``request``: the journal's if it is there, else the model's, now stored.

        Raises what the model raises, and the run's reason to stop before a new call is paid for.
        """
        key_hash = request_hash(request, self._model.name)
        key: JournalKey = (self._seat, key_hash, self._asked[key_hash])
        self._asked[key_hash] += 1
        stored = self._journal.pop(key, None)
        if stored is not None:
            return stored
        if not self._calls.has(self._battle_id, key):
            await self._stop.check()
        try:
            return await self._calls.answer(self._battle_id, key, lambda: self._pay(request, key))
        except RunStopped:
            # Those calls that others wait for are not lost.
            await self._stop.check()
            raise

    async def _pay(self, request: CompletionRequest, key: JournalKey) -> Completion:
        try:
            with self._stop:
                completion = await self._model.complete(request)
                await self._record.add_answer(self._battle_id, key, request.purpose, completion)
        except RunStopped as reason:
            # From here on nobody starts a call, whether or not somebody still waits for this one.
            self._stop.request(reason)
            raise
        self._answered(completion)
        return completion
