"""Faults that the endpoint makes on request, and the plan of when.

A plan is deterministic: a scripted sequence comes first; after it, whether a request meets a fault
follows from its content, how often this content was asked before, and the plan's seed. Two runs
that ask the same questions meet the same faults, and a question asked again may fare better.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from porimon.errors import UserInputError

TRANSPORT_KINDS = {
    "cut-before": "the connection is cut before any byte of the response",
    "cut-middle": "the connection is cut in the middle of the body",
    "never": "no response ever comes",
}
BODY_KINDS = {
    "body-empty": "status 200 with an empty body",
    "body-not-json": "status 200 with an HTML page",
    "body-null": "status 200 with the JSON value null",
    "body-nested": "status 200 with JSON nested 10,000 deep",
}
ANSWER_KINDS = {
    "empty": "an empty answer",
    "not-json": "an answer in prose",
    "long": "an answer of a megabyte",
    "wrong-language": "an answer in another language",
    "illegal-order": "an order that does not exist",
    "null": "the answer null",
    "nested": "an answer of JSON nested 10,000 deep",
    "invalid-utf8": "an answer with bytes that are not UTF-8",
    "last-answer": "the answer to the question before this one",
}
STATUS_KINDS = {
    "quota": "status 429 with the code insufficient_quota",
    "context-length": "status 400 with the code context_length_exceeded",
}
KINDS = {**TRANSPORT_KINDS, **BODY_KINDS, **ANSWER_KINDS, **STATUS_KINDS}
"""Every named kind and what it does; beside them any HTTP status from 400 to 599 is a kind."""


@dataclass(frozen=True, slots=True)
class EndpointFault:
    """One kind of fault. ``retry_after_seconds`` goes with statuses only.

    Raises ``UserInputError`` for a kind that does not exist.
    """

    kind: str
    retry_after_seconds: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS and self.status is None:
            known = ", ".join((*KINDS, "an HTTP status such as 429"))
            raise UserInputError(f"there is no fault {self.kind!r}", remedy=f"one of: {known}")

    @property
    def status(self) -> int | None:
        """The HTTP status that this fault answers with; ``None`` for faults of other kinds."""
        if self.kind.isascii() and self.kind.isdigit() and 400 <= int(self.kind[:4]) <= 599:
            return int(self.kind)
        return {"quota": 429, "context-length": 400}.get(self.kind)


def parse_fault(text: str) -> tuple[EndpointFault, float]:
    """A fault and its rate from ``KIND[@SECONDS]:RATE`` (``429@2:0.1``: Retry-After 2, one in ten).

    Raises ``UserInputError`` for anything else.
    """
    name, colon, rate_text = text.partition(":")
    kind, at, seconds_text = name.partition("@")
    try:
        rate = float(rate_text) if colon else 1.0
        seconds = float(seconds_text) if at else None
    except ValueError:
        rate, seconds = -1.0, None
    if not 0 <= rate <= 1 or (seconds is not None and not 0 <= seconds < float("inf")):
        raise UserInputError(
            f"{text!r} is no fault",
            remedy="write KIND:RATE or STATUS@SECONDS:RATE, as in 429@2:0.1",
        )
    return EndpointFault(kind, seconds), rate


class FaultPlan:
    """Which requests meet which fault.

    Parameters
    ----------
    rates:
        The share of requests that meet each fault; together at most 1.
    script:
        Faults of the first requests in order of arrival; ``None`` stands for a good answer.
    seed:
        Chooses, with the content, which requests the rates hit.
    """

    def __init__(
        self,
        rates: Mapping[EndpointFault, float] | None = None,
        *,
        script: Sequence[EndpointFault | None] = (),
        seed: int = 0,
    ) -> None:
        self._rates = dict(rates or {})
        if sum(self._rates.values()) > 1 + 1e-9:
            raise UserInputError("the faults' rates add up to more than 1")
        self._script = tuple(script)
        self._arrivals = 0
        self._seed = seed
        self._asked: Counter[bytes] = Counter()

    def next_fault(self, content: bytes) -> EndpointFault | None:
        """The fault that a request with this content meets now, ``None`` for a good answer."""
        if self._arrivals < len(self._script):
            self._arrivals += 1
            return self._script[self._arrivals - 1]
        if not self._rates:
            return None
        digest = hashlib.blake2b(content, digest_size=16).digest()
        draw = uniform(self._seed, digest, self._asked[digest])
        self._asked[digest] += 1
        for fault, rate in self._rates.items():
            if draw < rate:
                return fault
            draw -= rate
        return None


def uniform(seed: int, content: bytes, count: int = 0) -> float:
    """A number in [0, 1) that follows from its arguments alone."""
    material = f"{seed}:{count}:".encode() + content
    return int.from_bytes(hashlib.blake2b(material, digest_size=8).digest()) / 2**64
