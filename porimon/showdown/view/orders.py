"""The legal orders of a request: exactly what the server takes, moves first, then switches."""

from __future__ import annotations

from collections import Counter

from porimon.showdown.view.model import LegalOrder
from porimon.showdown.view.request import Request, RequestPokemon


def legal_orders(request: Request) -> tuple[LegalOrder, ...]:
    """Every order that the server would take now, in the request's order.

    Where the server itself only says "maybe trapped" or "maybe disabled", it may still refuse an
    order listed here, and sends a new request that leaves it out.
    """
    if request.wait:
        return ()
    return (*_moves(request), *_switches(request))


def _moves(request: Request) -> list[LegalOrder]:
    if request.forced_switch:
        return []
    return [
        LegalOrder("move", move.id, move.name, f"move {move.index}")
        for move in request.moves
        if not move.disabled
    ]


def _switches(request: Request) -> list[LegalOrder]:
    if request.trapped and not request.forced_switch:
        return []
    bench = [
        pokemon for pokemon in request.team if not pokemon.active and not pokemon.condition.fainted
    ]
    alike = Counter(pokemon.details.species for pokemon in bench)
    return [
        LegalOrder(
            kind="switch",
            target=pokemon.details.species_id,
            label=_switch_label(pokemon, alike[pokemon.details.species]),
            choice=f"switch {pokemon.slot}",
            slot=pokemon.slot,
        )
        for pokemon in bench
    ]


def _switch_label(pokemon: RequestPokemon, alike: int) -> str:
    species = pokemon.details.species
    return species if alike == 1 else f"{species} (slot {pokemon.slot})"
