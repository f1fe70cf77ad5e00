"""The endpoint's HTTP server: `/v1/chat/completions` and `/v1/models` on loopback."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections import Counter
from types import TracebackType
from typing import Any

from aiohttp import web

from porimon.errors import MachineSetupError
from porimon.llm.endpoint.faults import EndpointFault, FaultPlan, uniform
from porimon.llm.endpoint.policy import ChatRequest, Policy, RequestRefused, read_request
from porimon.llm.endpoint.responses import (
    ODD_ANSWERS,
    ODD_BODIES,
    completion_body,
    error_body,
    fault_body,
    models_body,
)
from porimon.llm.secrets import Secret

HOST = "127.0.0.1"
LARGEST_REQUEST_BYTES = 16 * 1024 * 1024
NEVER_SECONDS = 86_400.0
"""How long the fault ``never`` keeps silent, if the caller does not hang up before."""
STOP_SECONDS = 1.0
"""How long a stop waits for requests in progress."""


class FakeEndpoint:
    """An OpenAI-compatible endpoint, used as an asynchronous context manager.

    Parameters
    ----------
    policy:
        What decides the answers; the offline reader by default.
    faults:
        Which requests fail, and how; none by default.
    latency_ms:
        Milliseconds before each answer: one number, or the two ends of a range from which the
        request's content and ``seed`` choose.
    seed:
        Chooses the latencies.
    port:
        0 takes a free one.
    required_key:
        If given, requests must carry it as bearer token, or get status 401.

    Raises ``MachineSetupError`` where the port is taken.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        faults: FaultPlan | None = None,
        latency_ms: float | tuple[float, float] = 0.0,
        *,
        seed: int = 0,
        port: int = 0,
        required_key: str | None = None,
    ) -> None:
        if policy is None:
            from porimon.llm.offline.reader import OfflineReader

            policy = OfflineReader()
        self._policy = policy
        self._faults = faults or FaultPlan()
        self._latency = latency_ms if isinstance(latency_ms, tuple) else (latency_ms, latency_ms)
        self._seed = seed
        self._port = port
        self._key = Secret(required_key)
        self._runner: web.AppRunner | None = None
        self._last_answer = "{}"
        self.counts: Counter[str] = Counter()
        """What became of the requests so far: ``answered``, ``abandoned`` (the caller hung up),
        ``refused``, ``unauthorised``, and each fault's kind."""
        self.in_progress = 0
        self.most_in_progress = 0

    @property
    def base_url(self) -> str:
        """What a client's ``base_url`` must be."""
        return f"http://{HOST}:{self.port}/v1"

    @property
    def port(self) -> int:
        """The port that it listens on. Raises ``RuntimeError`` before the start."""
        if self._runner is None:
            raise RuntimeError("the endpoint has not been started")
        return int(self._runner.addresses[0][1])

    async def __aenter__(self) -> FakeEndpoint:
        application = web.Application(client_max_size=LARGEST_REQUEST_BYTES)
        application.router.add_post("/v1/chat/completions", self._chat)
        application.router.add_get("/v1/models", self._models)
        # A handler is cancelled when its caller hangs up: silence must not outlive the caller.
        self._runner = web.AppRunner(
            application, handler_cancellation=True, shutdown_timeout=STOP_SECONDS, access_log=None
        )
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, HOST, self._port, backlog=1024).start()
        except OSError as error:
            await self._runner.cleanup()
            self._runner = None
            raise MachineSetupError(
                f"the endpoint cannot listen: {error.strerror}",
                where=f"{HOST}:{self._port}",
                remedy="choose another port with --port, or 0 for a free one",
            ) from None
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _models(self, request: web.Request) -> web.StreamResponse:
        if not self._authorised(request):
            return self._unauthorised()
        return _json(models_body(self._policy.name))

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        if not self._authorised(request):
            return self._unauthorised()
        self.in_progress += 1
        self.most_in_progress = max(self.most_in_progress, self.in_progress)
        try:
            return await self._respond(request, await request.read())
        except asyncio.CancelledError:
            self.counts["abandoned"] += 1
            raise
        finally:
            self.in_progress -= 1

    async def _respond(self, request: web.Request, body: bytes) -> web.StreamResponse:
        loop = asyncio.get_running_loop()
        arrived = loop.time()
        try:
            asked = read_request(body)
        except RequestRefused as refusal:
            self.counts["refused"] += 1
            explained = error_body(str(refusal), "invalid_request_error", None, refusal.parameter)
            return _json(explained, status=400)
        content = _content(asked)
        fault = self._faults.next_fault(content)
        answer = self._answer(asked, content) if fault is None else b""
        # What the answer took is part of its latency, as it is with a real model.
        await asyncio.sleep(arrived + self._latency_seconds(content) - loop.time())
        if fault is None:
            self.counts["answered"] += 1
            return _json(answer)
        self.counts[fault.kind] += 1
        return await self._fail(request, asked, fault, content)

    def _answer(self, asked: ChatRequest, content: bytes) -> bytes:
        self._last_answer = self._policy.answer(asked.messages, asked.answer_format)
        return completion_body(asked.model, asked.messages, self._last_answer, content)

    async def _fail(
        self, request: web.Request, asked: ChatRequest, fault: EndpointFault, content: bytes
    ) -> web.StreamResponse:
        if fault.status is not None:
            headers = {}
            if fault.retry_after_seconds is not None:
                headers["Retry-After"] = f"{fault.retry_after_seconds:g}"
            return _json(fault_body(fault), status=fault.status, headers=headers)
        if fault.kind in ODD_BODIES:
            return _json(ODD_BODIES[fault.kind])
        if fault.kind == "never":
            await asyncio.sleep(NEVER_SECONDS)
        text = self._last_answer if fault.kind == "last-answer" else ODD_ANSWERS.get(fault.kind, "")
        whole = completion_body(asked.model, asked.messages, text, content)
        if fault.kind == "cut-middle":
            return await _cut_in_the_middle(request, whole)
        if fault.kind == "cut-before":
            _abort(request)
        return _json(whole)

    def _latency_seconds(self, content: bytes) -> float:
        low, high = self._latency
        return (low + (high - low) * uniform(self._seed, content)) / 1000

    def _authorised(self, request: web.Request) -> bool:
        wanted = self._key.reveal()
        if wanted is None:
            return True
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(given.encode(), wanted.encode())

    def _unauthorised(self) -> web.StreamResponse:
        self.counts["unauthorised"] += 1
        text = error_body("Wrong or missing API key.", "invalid_request_error", "invalid_api_key")
        return _json(text, status=401)


def _json(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(
        body=body, status=status, headers=headers, content_type="application/json", charset="utf-8"
    )


def _content(asked: ChatRequest) -> bytes:
    """What makes two requests the same question: model, messages and format."""
    parts: list[Any] = [asked.model, asked.answer_format.kind]
    parts += [[message.role, message.content] for message in asked.messages]
    return json.dumps(parts).encode()


async def _cut_in_the_middle(request: web.Request, body: bytes) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = len(body)
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    # The half must leave before the connection is torn down.
    await asyncio.sleep(0.01)
    _abort(request)
    return response


def _abort(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()
