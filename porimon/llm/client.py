"""The client of OpenAI-compatible endpoints: one call in, one completion or one clear error out.

Attempts, pauses, time limits and concurrency are ours, so that they are bounded, cancellable and
the same for every endpoint.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from porimon.errors import ModelAccessError, ModelUnavailable
from porimon.llm.answer_body import AnswerBody, BodyFault, read_body
from porimon.llm.faults import Fault, backoff, classify_status
from porimon.llm.model import Completion, CompletionRequest
from porimon.llm.pool import EndpointPool, Lease
from porimon.llm.pricing import call_cost
from porimon.llm.request_body import request_fields
from porimon.llm.secrets import Secret, read_key
from porimon.llm.settings import ModelSettings
from porimon.llm.transport import ConnectionFailed, EndpointConnection, connect

logger = logging.getLogger(__name__)

CLOSE_SECONDS = 5.0
"""Time limit for closing the connections."""


@dataclass(slots=True)
class _Progress:
    """How one call fares: HTTP attempts, those that count against the bound, and rate limits."""

    attempts: int = 0
    failures: int = 0
    rate_limits: int = 0
    limited_since: float | None = None


class OpenAIModel:
    """A ``LanguageModel`` behind one or several OpenAI-compatible endpoints.

    Raises ``ModelAccessError`` on construction where the key's environment variable is not set.
    ``complete`` raises ``ModelAccessError`` where asking again cannot help (key, model's name,
    quota, a request that the endpoint refuses) and ``ModelUnavailable`` after bounded attempts.

    Parameters
    ----------
    settings:
        The model. ``base_urls`` must be there.
    key:
        The key; by default read from the environment variable that the settings name.
    chance:
        Source of the jitter between attempts.
    """

    def __init__(
        self,
        settings: ModelSettings,
        *,
        key: Secret | None = None,
        chance: random.Random | None = None,
    ) -> None:
        self._settings = settings
        self._key = read_key(settings) if key is None else key
        # Jitter must differ between processes; it decides nothing that a run records.
        self._chance = chance or random.Random()
        self._pool = EndpointPool(settings.base_urls, settings.concurrency)
        self._connections: dict[str, EndpointConnection] = {}
        self._connecting = asyncio.Lock()
        self.fault_counts: Counter[str] = Counter()
        """Failed attempts so far, by kind of fault."""

    @property
    def name(self) -> str:
        """The model's name in ``llm.toml``."""
        return self._settings.name

    @property
    def settings(self) -> ModelSettings:
        """What the model was made from."""
        return self._settings

    @property
    def concurrency_limit(self) -> float:
        """Calls that may be in flight now, over all endpoints; falls and recovers by itself."""
        return sum(endpoint.limit for endpoint in self._pool.endpoints)

    @property
    def served(self) -> dict[str, int]:
        """Answers so far, by base URL."""
        return {endpoint.base_url: endpoint.served for endpoint in self._pool.endpoints}

    def __repr__(self) -> str:
        return f"OpenAIModel({self._settings.name!r})"

    async def close(self) -> None:
        """Close every connection. Calls that wait for their turn are cancelled."""
        self._pool.close()
        connections, self._connections = self._connections, {}
        for connection in connections.values():
            try:
                async with asyncio.timeout(CLOSE_SECONDS):
                    await connection.close()
            except TimeoutError:
                logger.warning("%s: a connection did not close in time", self.name)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Ask, again if need be, and give the answer as it came."""
        fields = request_fields(request, self._settings)
        progress = _Progress()
        while True:
            lease = await self._turn()
            progress.attempts += 1
            started = time.monotonic()
            try:
                outcome = await self._attempt(lease, fields)
                self._tell_pool(lease, outcome)
            finally:
                self._pool.release(lease)
            if isinstance(outcome, AnswerBody):
                latency = time.monotonic() - started
                return self._completion(outcome, progress.attempts, latency)
            self.fault_counts[outcome.kind] += 1
            if outcome.kind == "filtered":
                return Completion(
                    text="",
                    model=self._settings.model,
                    finish_reason="content_filter",
                    attempts=progress.attempts,
                )
            pause = self._pause_after(outcome, progress, lease.endpoint.base_url)
            logger.info("%s: %s; again in %.1f s", self.name, outcome.what, pause)
            await asyncio.sleep(pause)

    async def _turn(self) -> Lease:
        try:
            return await self._pool.acquire(self._settings.queue_seconds)
        except TimeoutError:
            raise ModelUnavailable(
                f"no call could start within {self._settings.queue_seconds:g} s",
                where=f"language model {self.name!r}",
                remedy="raise concurrency or queue_seconds, or play fewer battles at once",
            ) from None

    def _tell_pool(self, lease: Lease, outcome: AnswerBody | Fault) -> None:
        if isinstance(outcome, AnswerBody) or outcome.kind == "filtered":
            self._pool.succeeded(lease)
        elif outcome.kind == "rate_limit":
            self._pool.rate_limited(lease, outcome.retry_after_seconds)
        elif outcome.kind == "passing":
            self._pool.failed(lease)

    def _pause_after(self, fault: Fault, progress: _Progress, base_url: str) -> float:
        """Seconds until the next attempt. Raises where there is to be none."""
        where = f"language model {self.name!r} at {base_url}"
        if fault.kind in ("access", "refused_request"):
            raise ModelAccessError(
                fault.what, where=where, remedy=f"check {fault.setting} ({self.name!r} in llm.toml)"
            )
        if fault.kind == "rate_limit":
            now = time.monotonic()
            if progress.limited_since is None:
                progress.limited_since = now
            progress.rate_limits += 1
            left = self._settings.patience_seconds - (now - progress.limited_since)
            # A told wait is kept by the pool, for every call; a little jitter spreads the herd.
            told = fault.retry_after_seconds
            if left <= 0 or (told or 0.0) > left:
                raise ModelUnavailable(
                    f"still rate limited after {progress.attempts} attempts: {fault.what}",
                    where=where,
                    remedy="raise patience_seconds, lower concurrency, or go on later",
                )
            if told is not None:
                return self._chance.uniform(0.0, min(self._settings.backoff_seconds, 1.0))
            return backoff(progress.rate_limits, self._settings.backoff_seconds, self._chance)
        progress.failures += 1
        if progress.failures >= self._settings.max_attempts:
            raise ModelUnavailable(
                f"no answer after {progress.failures} failed attempts, the last: {fault.what}",
                where=where,
                remedy="see that the endpoint is up, then go on",
            )
        jitter = backoff(progress.failures, self._settings.backoff_seconds, self._chance)
        return max(jitter, min(fault.retry_after_seconds or 0.0, self._settings.patience_seconds))

    async def _attempt(self, lease: Lease, fields: dict[str, Any]) -> AnswerBody | Fault:
        """One HTTP attempt. Cancelling it, or its time limit, closes the connection."""
        limit = self._settings.timeout_seconds
        try:
            async with asyncio.timeout(limit):
                connection = await self._connection(lease.endpoint.base_url)
                reply = await connection.post("/chat/completions", fields)
        except TimeoutError:
            return Fault("passing", f"no answer within {limit:g} s")
        except ConnectionFailed as error:
            return Fault("passing", self._key.scrub(f"connection failed ({error!s:.300})"))
        if not reply.succeeded:
            fault = classify_status(reply.status, reply.headers, reply.document(), self._settings)
            return Fault(
                fault.kind, self._key.scrub(fault.what), fault.setting, fault.retry_after_seconds
            )
        try:
            return read_body(reply.body)
        except BodyFault as error:
            return Fault("passing", f"the endpoint sent no completion: {error}")

    async def _connection(self, base_url: str) -> EndpointConnection:
        async with self._connecting:
            if base_url not in self._connections:
                self._connections[base_url] = await connect(base_url, self._key)
            return self._connections[base_url]

    def _completion(self, answer: AnswerBody, attempts: int, latency: float) -> Completion:
        cost = call_cost(
            self._settings.prices,
            answer.input_tokens,
            answer.cached_input_tokens,
            answer.output_tokens,
        )
        return Completion(
            text=answer.text,
            model=answer.model or self._settings.model,
            finish_reason=answer.finish_reason,
            input_tokens=answer.input_tokens,
            cached_input_tokens=answer.cached_input_tokens,
            output_tokens=answer.output_tokens,
            cost=cost,
            latency_seconds=latency,
            attempts=attempts,
        )
