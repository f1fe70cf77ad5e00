"""A battle's decisions in full as one compressed document; repeated prompt parts stand once.

Consecutive prompts of a battle share most of their text. Each distinct section is kept once in
``texts`` and referred to by position, and the whole is compressed together. Decisions lie field by
field (all views, then all facts …), since like compresses best beside like. The
report's ``unpack.js`` reads the same form.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from functools import lru_cache
from typing import Any

import zstandard
from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from porimon.llm.model import Completion
from porimon.tournament.game import BattleOutcome, CallRecord, DecisionRecord

_LEVEL = 6
_COMPLETION = tuple(field.name for field in fields(Completion))
_FOLLOWS = "follows"
"""What earlier records hold in place of a view's hash that follows from the view."""
_JSON: TypeAdapter[Any] = TypeAdapter(Any)
# A corrupt or hostile record must not ask for all memory: no honest part comes near this.
_MOST_BYTES = 512 * 1024 * 1024


_COMPRESSING = threading.Lock()
"""Held by whoever uses the compressor, which threads may not share."""


@lru_cache(maxsize=1)
def _compressor() -> zstandard.ZstdCompressor:
    # Kept: the megabytes that it works with take as long to get as its work.
    return zstandard.ZstdCompressor(level=_LEVEL)


def compress(text: str | bytes) -> bytes:
    """``text`` (UTF-8) compressed with Zstandard."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return _compressed([data])


def _compressed(parts: Sequence[bytes]) -> bytes:
    """The parts one after the other, compressed without ever standing in memory as a whole."""
    with _COMPRESSING:
        work = _compressor().compressobj(size=sum(len(part) for part in parts))
        return b"".join([*[work.compress(part) for part in parts], work.flush()])


def decompress(data: bytes) -> bytes:
    """The inverse of ``compress``. Raises ``zstandard.ZstdError`` for damaged data."""
    return zstandard.ZstdDecompressor().decompress(data, max_output_size=_MOST_BYTES)


class _Texts:
    def __init__(self) -> None:
        self.all: list[str] = []
        self._position: dict[str, int] = {}

    def place(self, text: str) -> int:
        position = self._position.get(text)
        if position is None:
            position = self._position[text] = len(self.all)
            self.all.append(text)
        return position


def _call(call: CallRecord, texts: _Texts) -> dict[str, Any]:
    return {
        "purpose": call.purpose,
        "attempt": call.attempt,
        "sections": [[name, texts.place(text)] for name, text in call.sections],
        "completion": {name: getattr(call.completion, name) for name in _COMPLETION},
        "refused": call.refused,
    }


def _dumped(document: Any) -> bytes:
    """Compact JSON. pydantic writes it in half the time that ``json`` takes."""
    try:
        return _JSON.dump_json(document)
    except PydanticSerializationError:  # a lone surrogate, which only an escape can hold
        return json.dumps(document, separators=(",", ":")).encode("ascii")


def _columns(decisions: Sequence[DecisionRecord], texts: _Texts) -> dict[str, list[bytes]]:
    """Each field of all decisions as JSON, in parts: what the game has written stays as it is."""
    if not decisions:
        return {}
    return {
        "seat": [_dumped([made.seat for made in decisions])],
        "number": [_dumped([made.number for made in decisions])],
        "turn": [_dumped([made.turn for made in decisions])],
        "view": _array(made.view for made in decisions),
        "legal": [_dumped([made.legal for made in decisions])],
        "order": [_dumped([made.order for made in decisions])],
        "choice": [_dumped([made.choice for made in decisions])],
        "fallback": [_dumped([made.fallback for made in decisions])],
        "notes": [_dumped([made.notes for made in decisions])],
        "facts": _array(made.facts for made in decisions),
        "retrieved": [_dumped([[asdict(found) for found in made.retrieved] for made in decisions])],
        "seconds": [_dumped([made.seconds for made in decisions])],
        "calls": [_dumped([[_call(call, texts) for call in made.calls] for made in decisions])],
    }


def pack_details(outcome: BattleOutcome) -> bytes:
    """Every decision and reflection of a battle, compressed."""
    texts = _Texts()
    columns = _columns(outcome.decisions, texts)
    reflections = {
        seat: {
            "experience": reflection.experience,
            "calls": [_call(call, texts) for call in reflection.calls],
        }
        for seat, reflection in outcome.reflections.items()
    }
    parts = [b'{"decisions":{']
    for field, column in columns.items():
        parts += [b"," if len(parts) > 1 else b"", _dumped(field), b":", *column]
    parts += [b'},"reflections":', _dumped(reflections), b',"texts":', _dumped(texts.all), b"}"]
    return _compressed(parts)


def _array(documents: Iterable[bytes | None]) -> list[bytes]:
    """A JSON array of documents that are JSON already; ``null`` for those that are not there."""
    parts = [b"["]
    for document in documents:
        parts += [b"," if len(parts) > 1 else b"", document or b"null"]
    return [*parts, b"]"]


def unpack_details(data: bytes) -> dict[str, Any]:
    """The document of ``pack_details``, with each call's sections as [name, text] pairs.

    Each decision has its ``view_hash`` beside its view: SHA-256 (hex) of the view as compact JSON,
    ``None`` without a view. It is computed here, since it follows from the view.
    """
    document: dict[str, Any] = json.loads(decompress(data))
    texts = document.pop("texts")
    columns = document["decisions"]
    if isinstance(columns, dict):  # records made before 0.1 was finished hold a list already
        document["decisions"] = [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ]
    for decision in document["decisions"]:
        # Records made before 0.1 was finished hold the hash where it did not follow from the view.
        if decision.get("view_hash") in (None, _FOLLOWS):
            decision["view_hash"] = _hash_of(decision["view"])
    holders = [*document["decisions"], *document["reflections"].values()]
    for holder in holders:
        for call in holder["calls"]:
            call["sections"] = [[name, texts[position]] for name, position in call["sections"]]
    return document


def _hash_of(view: Any) -> str | None:
    if view is None:
        return None
    text = json.dumps(view, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
