"""The legal orders of a request: exactly what the server takes, moves first, then switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from porimon.showdown.events.model import Details
from porimon.showdown.view.model import LegalOrder
from porimon.showdown.view.request import RequestMove


class Offered(Protocol):
    """What a request lets a player do: a ``Request``, or an ``Offer`` without all else."""

    @property
    def moves(self) -> Sequence[RequestMove]:
        """The active Pokémon's moves, disabled ones included."""
        ...

    @property
    def bench(self) -> Sequence[tuple[int, Details]]:
        """Slot and details of each Pokémon that can come in."""
        ...

    @property
    def forced_switch(self) -> bool:
        """A Pokémon must come in."""
        ...

    @property
    def trapped(self) -> bool:
        """The active Pokémon cannot leave."""
        ...

    @property
    def wait(self) -> bool:
        """Nothing is asked now."""
        ...


def legal_orders(offered: Offered) -> tuple[LegalOrder, ...]:
    """Every order that the server would take now, in the request's order.

    Where the server itself only says "maybe trapped" or "maybe disabled", it may still refuse an
    order listed here, and sends a new request that leaves it out.
    """
    if offered.wait:
        return ()
    return (*_moves(offered), *_switches(offered))


def _moves(offered: Offered) -> list[LegalOrder]:
    if offered.forced_switch:
        return []
    return [
        _move_order(move.id, move.name, move.index) for move in offered.moves if not move.disabled
    ]


def _switches(offered: Offered) -> list[LegalOrder]:
    if offered.trapped and not offered.forced_switch:
        return []
    alike = Counter([details.species for _, details in offered.bench])
    return [
        _switch_order(slot, details, alike[details.species] > 1) for slot, details in offered.bench
    ]


# A battle offers the same few orders again and again.
@lru_cache(maxsize=4096)
def _move_order(move_id: str, name: str, index: int) -> LegalOrder:
    return LegalOrder("move", move_id, name, f"move {index}")


@lru_cache(maxsize=4096)
def _switch_order(slot: int, details: Details, with_slot: bool) -> LegalOrder:
    species = details.species
    return LegalOrder(
        kind="switch",
        target=details.species_id,
        label=f"{species} (slot {slot})" if with_slot else species,
        choice=f"switch {slot}",
        slot=slot,
    )
