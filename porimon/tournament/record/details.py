"""A battle's decisions in full as one compressed document; repeated prompt parts stand once.

Consecutive prompts of a battle share most of their text. Each distinct section is kept once in
``texts`` and referred to by position, and the whole is compressed together.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import zstandard

from porimon.tournament.game import BattleOutcome, CallRecord, DecisionRecord

_LEVEL = 9
# A corrupt or hostile record must not ask for all memory: no honest part comes near this.
_MOST_BYTES = 512 * 1024 * 1024


def compress(text: str | bytes) -> bytes:
    """``text`` (UTF-8) compressed with Zstandard."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return zstandard.ZstdCompressor(level=_LEVEL).compress(data)


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
        "completion": asdict(call.completion),
        "refused": call.refused,
    }


def _decision(decision: DecisionRecord, texts: _Texts) -> dict[str, Any]:
    return {
        "seat": decision.seat,
        "number": decision.number,
        "turn": decision.turn,
        "view": json.loads(decision.view) if decision.view is not None else None,
        "view_hash": decision.view_hash,
        "legal": list(decision.legal),
        "order": decision.order,
        "choice": decision.choice,
        "fallback": decision.fallback,
        "notes": list(decision.notes),
        "facts": decision.facts,
        "retrieved": [asdict(found) for found in decision.retrieved],
        "seconds": decision.seconds,
        "calls": [_call(call, texts) for call in decision.calls],
    }


def pack_details(outcome: BattleOutcome) -> bytes:
    """Every decision and reflection of a battle, compressed."""
    texts = _Texts()
    document = {
        "decisions": [_decision(decision, texts) for decision in outcome.decisions],
        "reflections": {
            seat: {
                "experience": reflection.experience,
                "calls": [_call(call, texts) for call in reflection.calls],
            }
            for seat, reflection in outcome.reflections.items()
        },
        "texts": texts.all,
    }
    return compress(json.dumps(document, ensure_ascii=True, separators=(",", ":")))


def unpack_details(data: bytes) -> dict[str, Any]:
    """The document of ``pack_details``, with each call's sections as [name, text] pairs."""
    document: dict[str, Any] = json.loads(decompress(data))
    texts = document.pop("texts")
    holders = [*document["decisions"], *document["reflections"].values()]
    for holder in holders:
        for call in holder["calls"]:
            call["sections"] = [[name, texts[position]] for name, position in call["sections"]]
    return document
