"""A decision's queries as one compact request: each Pokémon and each field stands once.

A decision asks for some dozens of hits between a few combatants. Queries name them by their places
in two shared lists, so the service checks and builds each of them once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
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
QueryKey = tuple[int, int, str, int, bool, int | None, bool, bool, bool]
"""What tells one query of a batch from another: places in the shared lists, and the rest of it."""


@dataclass(slots=True)
class _Shared(Generic[Spec]):
    """The distinct documents of specifications, and the place of each.

    ``values_of`` are the values of a specification that can be compared and hashed: equal ones
    make equal documents.
    """

    document_of: Callable[[Spec], dict[str, Any]]
    values_of: Callable[[Spec], Hashable]
    documents: list[dict[str, Any]] = field(default_factory=list)
    _by_values: dict[Hashable, int] = field(default_factory=dict)
    _by_identity: dict[int, tuple[int, Spec]] = field(default_factory=dict)

    def place(self, spec: Spec) -> int:
        known = self._by_identity.get(id(spec))
        if known is not None:
            return known[0]
        place = self._by_values.setdefault(self.values_of(spec), len(self.documents))
        if place == len(self.documents):
            self.documents.append(self.document_of(spec))
        # The specification is kept with its place: another object must not get its identity.
        self._by_identity[id(spec)] = (place, spec)
        return place


def _values(spec: CombatantSpec) -> Hashable:
    return (
        spec.species,
        spec.level,
        spec.ability,
        spec.ability_on,
        spec.item,
        spec.types,
        spec.gender,
        spec.status,
        spec.toxic_counter,
        spec.boosts,
        tuple(spec.evs.items()),
        tuple(spec.ivs.items()),
        None if spec.stats is None else tuple(spec.stats.items()),
        spec.hp_fraction,
    )


def _itself(spec: FieldSpec) -> Hashable:
    return spec


class QueryBatch:
    """Queries whose combatants and fields are shared."""

    def __init__(self) -> None:
        self._combatants: _Shared[CombatantSpec] = _Shared(combatant_document, _values)
        self._fields: _Shared[FieldSpec] = _Shared(field_document, _itself)

    def key(self, query: DamageQuery) -> QueryKey:
        """The query's key; equal queries have equal keys."""
        attacker, defender, move, field, critical, hits, detail, description, rolls = query
        combatant = self._combatants.place
        return (
            combatant(attacker),
            combatant(defender),
            move,
            self._fields.place(field),
            critical,
            hits,
            detail,
            description,
            rolls,
        )

    def request(self, keys: Iterable[QueryKey]) -> dict[str, Any]:
        """The service's JSON document that asks for the queries with these keys."""
        return {
            "combatants": self._combatants.documents,
            "fields": self._fields.documents,
            "queries": [dict(zip(_FIELDS, key, strict=True)) for key in keys],
        }


_FIELDS = (
    "attacker", "defender", "move", "field", "critical", "hits", "detail", "description", "rolls",
)  # fmt: skip
"""The service's names of a key's parts, in their order."""
