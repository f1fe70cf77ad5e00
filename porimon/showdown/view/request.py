"""The server's request, read: one's own team exactly, and what may be ordered now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from porimon.errors import BattleAborted
from porimon.showdown.events.model import Condition, Details
from porimon.showdown.events.parse import parse_condition, parse_details, parse_ident
from porimon.showdown.view.model import NO_ITEM, StatName

_POWER_SUFFIX = re.compile(r"(hiddenpower|return|frustration)[a-z]*\d+")


@dataclass(frozen=True, slots=True)
class RequestPokemon:
    """One Pokémon of one's own team. ``slot`` counts from 1. ``stats`` are those of the species
    in ``details``, unboosted, without HP."""

    slot: int
    name: str
    details: Details
    condition: Condition
    active: bool
    stats: Mapping[StatName, int]
    moves: tuple[str, ...]
    item: str
    ability: str
    base_ability: str


@dataclass(frozen=True, slots=True)
class RequestMove:
    """One entry of the active Pokémon's move list. PP are ``None`` while it is locked in."""

    index: int
    id: str
    name: str
    pp: int | None
    max_pp: int | None
    disabled: bool


@dataclass(frozen=True, slots=True)
class Request:
    """A request. ``wait``: nothing is asked of this player now."""

    team: tuple[RequestPokemon, ...]
    moves: tuple[RequestMove, ...]
    forced_switch: bool = False
    trapped: bool = False
    maybe_trapped: bool = False
    maybe_disabled: bool = False
    wait: bool = False

    @property
    def active(self) -> RequestPokemon | None:
        """The Pokémon in battle (fainted or not)."""
        return next((pokemon for pokemon in self.team if pokemon.active), None)

    @property
    def bench(self) -> tuple[tuple[int, Details], ...]:
        """Slot and details of each Pokémon that can come in."""
        return tuple(
            (pokemon.slot, pokemon.details)
            for pokemon in self.team
            if not pokemon.active and not pokemon.condition.fainted
        )


@dataclass(frozen=True, slots=True)
class Offer:
    """Of a request only what may be ordered; the fields mean the same as in ``Request``."""

    moves: tuple[RequestMove, ...]
    bench: tuple[tuple[int, Details], ...]
    forced_switch: bool
    trapped: bool
    wait: bool


def read_request(document: Mapping[str, Any]) -> Request:
    """The request's JSON document as data.

    Raises
    ------
    BattleAborted
        If a field is missing or cannot be read, or a team order is asked for (team preview), which
        Random Battles never do.
    """
    with _reading(document):
        active = _active(document)
        return Request(
            team=tuple(
                _pokemon(slot, entry)
                for slot, entry in enumerate(document["side"]["pokemon"], start=1)
            ),
            moves=_moves(active),
            forced_switch=any(document.get("forceSwitch") or ()),
            trapped=bool(active.get("trapped")),
            maybe_trapped=bool(active.get("maybeTrapped")),
            maybe_disabled=bool(active.get("maybeDisabled") or active.get("maybeLocked")),
            wait=bool(document.get("wait")),
        )


def read_offer(document: Mapping[str, Any]) -> Offer:
    """What may be ordered, for players that need no view: much less is read than for a request.

    Raises
    ------
    BattleAborted
        As ``read_request`` does.
    """
    with _reading(document):
        active = _active(document)
        return Offer(
            moves=_moves(active),
            bench=tuple(
                (slot, parse_details(entry["details"]))
                for slot, entry in enumerate(document["side"]["pokemon"], start=1)
                if not entry["active"] and not _condition(entry).fainted
            ),
            forced_switch=any(document.get("forceSwitch") or ()),
            trapped=bool(active.get("trapped")),
            wait=bool(document.get("wait")),
        )


@contextmanager
def _reading(document: Mapping[str, Any]) -> Iterator[None]:
    """Turn what a strange document leads to into ``BattleAborted``."""
    if document.get("teamPreview"):
        raise BattleAborted("the server asks for a team order, which Random Battles do not have")
    try:
        yield
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise BattleAborted(
            f"a request of the server cannot be read: {error!r}", where="request JSON"
        ) from error


def _active(document: Mapping[str, Any]) -> Mapping[str, Any]:
    active: Mapping[str, Any] = (document.get("active") or [{}])[0]
    return active


def _moves(active: Mapping[str, Any]) -> tuple[RequestMove, ...]:
    return tuple(_move(index, entry) for index, entry in enumerate(active.get("moves", ()), 1))


def _condition(entry: Mapping[str, Any]) -> Condition:
    condition = parse_condition(entry["condition"])
    if condition is None:
        raise TypeError(f"condition {entry['condition']!r}")
    return condition


def _pokemon(slot: int, entry: Mapping[str, Any]) -> RequestPokemon:
    ident, condition = parse_ident(entry["ident"]), _condition(entry)
    if ident is None:
        raise TypeError(f"ident {entry['ident']!r}")
    stats: dict[StatName, int] = dict(entry["stats"])
    return RequestPokemon(
        slot=slot,
        name=ident.name,
        details=parse_details(entry["details"]),
        condition=condition,
        active=bool(entry["active"]),
        stats=stats,
        moves=tuple(_move_id(move) for move in entry["moves"]),
        item=entry["item"] or NO_ITEM,
        ability=entry.get("ability") or entry["baseAbility"],
        base_ability=entry["baseAbility"],
    )


def _move_id(told: str) -> str:
    """The move's id: the server appends type and power to some (``return102``)."""
    if not told[-1:].isdecimal():
        return told
    matched = _POWER_SUFFIX.fullmatch(told)
    return matched.group(1) if matched is not None else told


def _move(index: int, entry: Mapping[str, Any]) -> RequestMove:
    return RequestMove(
        index=index,
        id=entry["id"],
        name=entry["move"],
        pp=entry.get("pp"),
        max_pp=entry.get("maxpp"),
        disabled=bool(entry.get("disabled")),
    )
