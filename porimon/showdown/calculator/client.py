"""The asynchronous client of the damage calculator: one request for a decision's queries.

A decision never waits for the calculator beyond a deadline. Where no answer comes in time the
decision goes on without damage ranges, and the service is replaced for the next one.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol

import orjson

from porimon.errors import PorimonError
from porimon.showdown.calculator.batch import QueryBatch, QueryKey
from porimon.showdown.calculator.model import (
    DamageAnswer,
    DamageQuery,
    answer_from_document,
    query_document,
)

CALL_DEADLINE_SECONDS = 10.0
"""How long a decision waits for its damage ranges, one restart of the service included."""

_LOG = logging.getLogger(__name__)


class Answerer(Protocol):
    """Gives the answer to a request, both as JSON."""

    async def ask(self, request: bytes) -> bytes: ...


class ReplaceableService(Protocol):
    """What the client needs of a service: how to ask it now, and how to get a new one."""

    starts: int

    @property
    def exchange(self) -> Answerer: ...

    async def replace(self, life: int) -> None: ...


class Calculator:
    """Asks a calculator service. Use as an asynchronous context manager; shared by all battles.

    ``deadline`` bounds a call in seconds, everything included.
    """

    def __init__(
        self, service: ReplaceableService, *, deadline: float = CALL_DEADLINE_SECONDS
    ) -> None:
        self._service = service
        self._deadline = deadline
        self._replacements: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Calculator:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for replacement in self._replacements:
            replacement.cancel()
        await asyncio.gather(*self._replacements, return_exceptions=True)

    def for_decision(self) -> DecisionCalculator:
        """A view of this client that asks no query twice: make one for each decision."""
        return DecisionCalculator(self)

    async def calculate(self, queries: Sequence[DamageQuery]) -> list[DamageAnswer] | None:
        """The answers in the queries' order; ``None`` if none came within the deadline.

        A service that died is replaced and asked again while time remains; one that is frozen
        costs this call its answers and is replaced in the background.
        """
        documents = [query_document(query) for query in queries]
        answers = await self.answers({"queries": documents})
        return None if answers is None else [answer_from_document(answer) for answer in answers]

    async def answers(self, request: Mapping[str, Any]) -> list[dict[str, Any]] | None:
        """``calculate`` on the service's own JSON documents: a whole request and its answers."""
        if not request["queries"]:
            return []
        life = self._service.starts
        try:
            async with asyncio.timeout(self._deadline):
                try:
                    return await self._ask(request)
                except (PorimonError, OSError) as error:
                    _LOG.warning("the damage calculator failed (%s): it is started again", error)
                await asyncio.shield(self._replace(life))
                return await self._ask(request)
        except TimeoutError:
            _LOG.warning("the damage calculator gave no answer within %g s", self._deadline)
            self._replace(life)
        except (PorimonError, OSError) as error:
            _LOG.warning("no damage ranges for this decision: %s", error)
        return None

    async def _ask(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        document = orjson.loads(await self._service.exchange.ask(_dumped(request)))
        if "error" in document:
            raise PorimonError(f"it refused the request: {document['error']}")
        answers: list[dict[str, Any]] = document["answers"]
        return answers

    def _replace(self, life: int) -> asyncio.Task[None]:
        # The task outlives the call that started it, so somebody else must hold it.
        task = asyncio.create_task(self._service.replace(life))
        self._replacements.add(task)
        task.add_done_callback(self._replaced)
        return task

    def _replaced(self, task: asyncio.Task[None]) -> None:
        self._replacements.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.error("the damage calculator could not be started again: %s", error)


class DecisionCalculator:
    """The calculator of one decision: equal queries are asked once."""

    def __init__(self, calculator: Calculator) -> None:
        self._calculator = calculator
        self._batch = QueryBatch()
        self._known: dict[QueryKey, DamageAnswer] = {}

    async def calculate(self, queries: Sequence[DamageQuery]) -> list[DamageAnswer] | None:
        """As ``Calculator.calculate``; answers that this decision has already are not asked for."""
        keys = [self._batch.key(query) for query in queries]
        missing = [key for key in dict.fromkeys(keys) if key not in self._known]
        answers = await self._calculator.answers(self._batch.request(missing))
        if answers is None:
            return None
        for key, answer in zip(missing, answers, strict=True):
            self._known[key] = answer_from_document(answer)
        return [self._known[key] for key in keys]


def _dumped(request: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(request)
    except TypeError:  # a lone surrogate in what a server called a move: only an escape can hold it
        return json.dumps(request).encode("ascii")
