"""A decision's queries as one compact request: each Pokémon and each field stands once.

A decision asks for some dozens of hits between a few combatants. Queries name them by their places
in two shared lists, so the service checks and builds each of them once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from porimon.showdown.calculator.model import (
    CombatantSpec,
    DamageQuery,
    FieldSpec,
    combatant_document,
    field_document,
)

Spec = TypeVar("Spec")
QueryKey = tuple[int, int, str, int, bool, int | None, bool, bool]
"""What tells one query of a batch from another: places in the shared lists, and the rest of it."""


@dataclass(slots=True)
class _Shared(Generic[Spec]):
    """The distinct documents of specifications, and the place of each."""

    document_of: Callable[[Spec], dict[str, Any]]
    documents: list[dict[str, Any]] = field(default_factory=list)
    _by_text: dict[str, int] = field(default_factory=dict)
    _by_identity: dict[int, tuple[int, Spec]] = field(default_factory=dict)

    def place(self, spec: Spec) -> int:
        known = self._by_identity.get(id(spec))
        if known is not None:
            return known[0]
        document = self.document_of(spec)
        place = self._by_text.setdefault(json.dumps(document, sort_keys=True), len(self.documents))
        if place == len(self.documents):
            self.documents.append(document)
        # The specification is kept with its place: another object must not get its identity.
        self._by_identity[id(spec)] = (place, spec)
        return place


class QueryBatch:
    """Queries whose combatants and fields are shared."""

    def __init__(self) -> None:
        self._combatants: _Shared[CombatantSpec] = _Shared(combatant_document)
        self._fields: _Shared[FieldSpec] = _Shared(field_document)

    def key(self, query: DamageQuery) -> QueryKey:
        """The query's key; equal queries have equal keys."""
        return (
            self._combatants.place(query.attacker),
            self._combatants.place(query.defender),
            query.move,
            self._fields.place(query.field),
            query.critical,
            query.hits,
            query.detail,
            query.rolls,
        )

    def request(self, keys: Iterable[QueryKey]) -> dict[str, Any]:
        """The service's JSON document that asks for the queries with these keys."""
        queries = [
            {
                "attacker": attacker,
                "defender": defender,
                "move": move,
                "field": place,
                "critical": critical,
                "hits": hits,
                "detail": detail,
                "rolls": rolls,
            }
            for attacker, defender, move, place, critical, hits, detail, rolls in keys
        ]
        return {
            "combatants": self._combatants.documents,
            "fields": self._fields.documents,
            "queries": queries,
        }
