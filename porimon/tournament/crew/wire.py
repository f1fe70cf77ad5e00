"""What coordinator and workers send each other: framed messages, after both have proved themselves.

Messages are pickles, which can do anything when they are read. So nothing is read before the other
side has shown that it knows the run's secret, which only the coordinator's own workers are given.
"""

from __future__ import annotations

import asyncio
import hmac
import pickle
import secrets
from dataclasses import dataclass
from typing import Any

from porimon import errors
from porimon.errors import ModelAnswerError, PorimonError

MOST_BYTES = 1 << 30
SECONDS_TO_GREET = 30.0
SECONDS_TO_SEND = 60.0
_NONCE_BYTES = 32
_LENGTH_BYTES = 8


class ConnectionEnded(Exception):
    """The other side is gone, or is not who it should be."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception as it is sent: the class's name in ``porimon.errors``, and its parts.

    ``kind`` is ``None`` for any other exception: ``what`` is its text then.
    """

    kind: str | None
    what: str
    where: str | None = None
    remedy: str | None = None
    reason: str | None = None


def failure_of(error: BaseException) -> Failure:
    """The exception as it is sent."""
    if isinstance(error, ModelAnswerError):
        return Failure(type(error).__name__, error.what, reason=error.reason)
    if isinstance(error, PorimonError):
        return Failure(type(error).__name__, error.what, error.where, error.remedy)
    notes = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
    return Failure(None, f"{type(error).__name__}: {error}{notes}")


def error_of(failure: Failure) -> Exception:
    """The exception again; one that is none of ours comes back as a ``RuntimeError``."""
    kind = getattr(errors, failure.kind, None) if failure.kind is not None else None
    if kind is ModelAnswerError:
        return ModelAnswerError(failure.reason or "unknown", failure.what)
    if isinstance(kind, type) and issubclass(kind, PorimonError):
        return kind(failure.what, where=failure.where, remedy=failure.remedy)
    return RuntimeError(f"in a worker: {failure.what}")


class Wire:
    """One connection, both ways. Messages of several tasks never mix."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._sending = asyncio.Lock()

    async def send(self, message: Any) -> None:
        """Send one message. Raises ``ConnectionEnded``."""
        data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        try:
            async with self._sending, asyncio.timeout(SECONDS_TO_SEND):
                self._writer.write(len(data).to_bytes(_LENGTH_BYTES, "big"))
                self._writer.write(data)
                await self._writer.drain()
        except (OSError, TimeoutError) as error:
            raise ConnectionEnded(str(error)) from error

    async def receive(self) -> Any:
        """The next message, however long it takes. Raises ``ConnectionEnded``."""
        try:
            length = int.from_bytes(await self._reader.readexactly(_LENGTH_BYTES), "big")
            if length > MOST_BYTES:
                raise ConnectionEnded(f"a message of {length} bytes")
            return pickle.loads(await self._reader.readexactly(length))
        except (OSError, asyncio.IncompleteReadError) as error:
            raise ConnectionEnded(str(error)) from error

    async def prove(self, secret: bytes) -> None:
        """Prove that both sides know ``secret`` without sending it. Raises ``ConnectionEnded``."""
        mine = secrets.token_bytes(_NONCE_BYTES)
        try:
            async with asyncio.timeout(SECONDS_TO_GREET):
                self._writer.write(mine)
                theirs = await self._reader.readexactly(_NONCE_BYTES)
                self._writer.write(_proof(secret, theirs, mine))
                await self._writer.drain()
                proof = await self._reader.readexactly(_NONCE_BYTES)
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            raise ConnectionEnded(str(error)) from error
        # A side that sends our own nonce back would get its proof from us.
        if theirs == mine or not hmac.compare_digest(proof, _proof(secret, mine, theirs)):
            self.close()
            raise ConnectionEnded("the other side does not know the run's secret")

    def close(self) -> None:
        """Close at once; what is being received ends with ``ConnectionEnded``."""
        self._writer.close()


def _proof(secret: bytes, asked: bytes, asker: bytes) -> bytes:
    return hmac.digest(secret, asked + asker, "sha256")
