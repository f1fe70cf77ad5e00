"""Protocol line → typed event. Never raises: what cannot be read becomes an ``UnknownEvent``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, cast

from porimon.showdown.events import model
from porimon.showdown.events.model import (
    Condition,
    Details,
    Effect,
    EffectKind,
    Event,
    Line,
    PokemonIdent,
    SideRole,
    UnknownEvent,
)

_IDENT = re.compile(r"(p[12])([a-c])?: (.+)", re.DOTALL)
_SIDE = re.compile(r"(p[12])(?:$|: )")
_TAG = re.compile(r"\[([a-z]+)\] ?(.*)", re.DOTALL)
_EFFECT = re.compile(r"(move|ability|item): ?(.+)", re.DOTALL)
_CONDITION = re.compile(r"(\d{1,9})(?:/(\d{1,9}))?(?: ([a-z]+))?")
_NUMBER = re.compile(r"-?\d{1,9}")
_LEVEL = re.compile(r"L(\d{1,9})")

# Their text may hold anything, brackets and bars included: they are not taken apart.
_FREE_TEXT = frozenset(
    {"-hint", "-message", "bigerror", "rule", "request", "win", "inactive", "inactiveoff"}
)


class _UnreadableField(Exception):
    """A field is missing or malformed; caught in ``parse_line``, where the line becomes unknown."""


class _Fields:
    """The arguments of one line, read by position and meaning."""

    __slots__ = ("line",)

    def __init__(self, line: Line) -> None:
        self.line = line

    def text(self, index: int) -> str:
        found = self.optional_text(index)
        if found is None:
            raise _UnreadableField(f"field {index + 1} is missing")
        return found

    def optional_text(self, index: int) -> str | None:
        arguments = self.line.arguments
        return (arguments[index] or None) if index < len(arguments) else None

    def rest(self, index: int) -> tuple[str, ...]:
        return self.line.arguments[index:]

    def pokemon(self, index: int) -> PokemonIdent:
        found = self.optional_pokemon(index)
        if found is None:
            raise _UnreadableField(f"field {index + 1} names no Pokémon")
        return found

    def optional_pokemon(self, index: int) -> PokemonIdent | None:
        return parse_ident(self.optional_text(index) or "")

    def effect(self, index: int) -> Effect:
        return parse_effect(self.text(index))

    def optional_effect(self, index: int) -> Effect | None:
        text = self.optional_text(index)
        return parse_effect(text) if text is not None else None

    def side(self, index: int) -> SideRole:
        matched = _SIDE.match(self.text(index))
        if matched is None:
            raise _UnreadableField(f"field {index + 1} names no side")
        return cast(SideRole, matched.group(1))

    def number(self, index: int) -> int:
        text = self.text(index)
        if _NUMBER.fullmatch(text) is None:
            raise _UnreadableField(f"field {index + 1} is not a number")
        return int(text)

    def condition(self, index: int) -> Condition:
        found = parse_condition(self.text(index))
        if found is None:
            raise _UnreadableField(f"field {index + 1} is no HP condition")
        return found

    def optional_condition(self, index: int) -> Condition | None:
        return parse_condition(self.optional_text(index) or "")

    def details(self, index: int) -> Details:
        return parse_details(self.text(index))


# A log names the same few Pokémon and effects again and again.
@lru_cache(maxsize=4096)
def parse_ident(text: str) -> PokemonIdent | None:
    """``p1a: Rex`` or ``p1: Rex`` as an ident; ``None`` for anything else."""
    matched = _IDENT.fullmatch(text)
    if matched is None:
        return None
    side, position, name = matched.groups()
    return PokemonIdent(cast(SideRole, side), position, name)


@lru_cache(maxsize=4096)
def parse_effect(text: str) -> Effect:
    """``ability: Levitate`` with its kind; a bare name has none."""
    matched = _EFFECT.fullmatch(text)
    if matched is None:
        return Effect(None, text)
    return Effect(cast(EffectKind, matched.group(1)), matched.group(2))


@lru_cache(maxsize=4096)
def parse_details(text: str) -> Details:
    """``Rotom-Wash, L83, F, shiny``; parts of other kinds are passed over."""
    species, *parts = text.split(", ")
    level = 100
    for part in parts:
        matched = _LEVEL.fullmatch(part)
        if matched is not None:
            level = int(matched.group(1))
    gender = _gender(parts)
    return Details(species, level, gender, "shiny" in parts)


def _gender(parts: list[str]) -> Literal["M", "F"] | None:
    if "M" in parts:
        return "M"
    return "F" if "F" in parts else None


@lru_cache(maxsize=4096)
def parse_condition(text: str) -> Condition | None:
    """``54/100 par`` or ``0 fnt``; ``None`` for anything else."""
    matched = _CONDITION.fullmatch(text)
    if matched is None:
        return None
    hp, max_hp, status = matched.groups()
    if max_hp is None and int(hp) != 0:
        return None
    return Condition(int(hp), int(max_hp) if max_hp else None, None if status == "fnt" else status)


def take_apart(raw: str) -> Line:
    """A raw line's message type, arguments and trailing tags."""
    if not raw.startswith("|"):
        # The room's header (">battle-…") and bare text are the room's, not the battle's.
        return Line(raw, "", (raw,) if raw else ())
    message_type, *arguments = raw[1:].split("|")
    if message_type in _FREE_TEXT or message_type in _ROOM_TYPES:
        return Line(raw, message_type, ("|".join(arguments),) if arguments else ())
    if "|[" not in raw:  # most lines have no tags
        while arguments and not arguments[-1]:
            arguments.pop()
        return Line(raw, message_type, tuple(arguments))
    tags: list[tuple[str, str]] = []
    while arguments:
        matched = _TAG.fullmatch(arguments[-1])
        if matched is None and arguments[-1]:
            break
        arguments.pop()
        if matched is not None:
            tags.append((matched.group(1), matched.group(2)))
    tags.reverse()
    cause = next((text for tag, text in tags if tag == "from" and text), None)
    of = next((text for tag, text in tags if tag == "of"), None)
    return Line(
        raw,
        message_type,
        tuple(arguments),
        parse_effect(cause) if cause is not None else None,
        parse_ident(of) if of is not None else None,
        tuple(tag for tag in tags if tag[0] not in ("from", "of")),
    )


def parse_line(line: str | Sequence[str]) -> Event:
    """The event of one protocol line, given raw or split at its bars.

    A line of an unknown type, or of a known one with unreadable fields, gives an ``UnknownEvent``
    that keeps the raw text. No input raises.
    """
    raw = line if isinstance(line, str) else "|".join(line)
    taken = take_apart(raw)
    build = _BUILDERS.get(taken.message_type)
    if build is None:
        return UnknownEvent(taken, f"unknown message type {taken.message_type!r}")
    try:
        return build(_Fields(taken))
    except _UnreadableField as error:
        return UnknownEvent(taken, str(error))


def parse_lines(lines: Iterable[str]) -> Iterator[Event]:
    """The events of several lines, in order."""
    return map(parse_line, lines)


def _boost(fields: _Fields, raises: bool) -> Event:
    amount = fields.number(2)
    signed = amount if raises else -amount
    return model.Boost(fields.line, fields.pokemon(0), fields.text(1), signed, raises)


def _swap_boost(fields: _Fields) -> Event:
    named = fields.optional_text(2) or ""
    stats = tuple(stat.strip() for stat in named.split(",") if stat.strip())
    return model.SwapBoost(fields.line, fields.pokemon(0), fields.pokemon(1), stats)


def _weather(fields: _Fields) -> Event:
    name = fields.text(0)
    return model.Weather(fields.line, None if name == "none" else name)


def _switch(fields: _Fields, dragged: bool) -> Event:
    return model.Switch(
        fields.line, fields.pokemon(0), fields.details(1), fields.condition(2), dragged
    )


def _no_prefix(fields: _Fields) -> Event:
    """A line without message type: a spacer, or text of the room."""
    text = fields.line.raw.strip("|")
    return model.RoomMessage(fields.line, text) if text else model.Spacer(fields.line)


def _room(fields: _Fields) -> Event:
    return model.RoomMessage(fields.line, fields.optional_text(0) or "")


def _power_up(fields: _Fields) -> Event:
    return model.PowerUp(fields.line, fields.optional_pokemon(0))


# What the chat room, its page and the server's administration say: nothing of the battle itself.
# fmt: off
_ROOM_TYPES = frozenset({
    ":", "J", "L", "N", "askreg", "b", "battle", "c", "c:", "chat", "choice", "controlshtml",
    "debug", "deinit", "error", "expire", "fieldhtml", "hidelines", "html", "init", "inputlog",
    "j", "join", "l", "leave", "message", "n", "name", "noinit", "notify", "pm", "popup", "raw",
    "refresh", "seed", "selectorhtml", "sentchoice", "showteam", "tempnotify", "tempnotifyoff",
    "title", "uhtml", "uhtmlchange", "unlink", "updatechallenges", "updatesearch", "updateuser",
    "userlist", "users", "variation", "warning",
})
# fmt: on

_BUILDERS: dict[str, Callable[[_Fields], Event]] = {
    "": _no_prefix,
    **dict.fromkeys(_ROOM_TYPES, _room),
    # before the battle and around it
    "player": lambda f: model.PlayerJoined(f.line, f.side(0), f.optional_text(1) or ""),
    "teamsize": lambda f: model.TeamSize(f.line, f.side(0), f.number(1)),
    "gametype": lambda f: model.GameType(f.line, f.text(0)),
    "gen": lambda f: model.Generation(f.line, f.number(0)),
    "tier": lambda f: model.Tier(f.line, f.text(0)),
    "rated": lambda f: model.Rated(f.line, f.optional_text(0) or ""),
    "rule": lambda f: model.Rule(f.line, f.text(0)),
    "clearpoke": lambda f: model.ClearPreview(f.line),
    "poke": lambda f: model.PreviewPokemon(f.line, f.side(0), f.details(1)),
    "teampreview": lambda f: model.TeamPreview(f.line),
    "start": lambda f: model.BattleStart(f.line),
    "request": lambda f: model.Request(f.line, f.optional_text(0) or ""),
    "inactive": lambda f: model.TimerMessage(f.line, f.optional_text(0) or "", True),
    "inactiveoff": lambda f: model.TimerMessage(f.line, f.optional_text(0) or "", False),
    "upkeep": lambda f: model.Upkeep(f.line),
    "turn": lambda f: model.Turn(f.line, f.number(0)),
    "win": lambda f: model.Win(f.line, f.text(0)),
    "tie": lambda f: model.Tie(f.line),
    "t:": lambda f: model.Timestamp(f.line),
    # major actions
    "move": lambda f: model.Move(f.line, f.pokemon(0), f.text(1), f.optional_pokemon(2)),
    "switch": lambda f: _switch(f, False),
    "drag": lambda f: _switch(f, True),
    "replace": lambda f: model.IllusionEnded(
        f.line, f.pokemon(0), f.details(1), f.optional_condition(2)
    ),
    "detailschange": lambda f: model.DetailsChange(
        f.line, f.pokemon(0), f.details(1), f.optional_condition(2)
    ),
    "-formechange": lambda f: model.FormeChange(f.line, f.pokemon(0), f.text(1)),
    "cant": lambda f: model.Cant(f.line, f.pokemon(0), f.effect(1), f.optional_text(2)),
    "faint": lambda f: model.Faint(f.line, f.pokemon(0)),
    "swap": lambda f: model.Swap(f.line, f.pokemon(0)),
    # hits and HP
    "-damage": lambda f: model.Damage(f.line, f.pokemon(0), f.condition(1)),
    "-heal": lambda f: model.Heal(f.line, f.pokemon(0), f.condition(1)),
    "-sethp": lambda f: model.SetHp(f.line, f.pokemon(0), f.condition(1)),
    "-fail": lambda f: model.Fail(f.line, f.optional_pokemon(0), f.optional_effect(1), f.rest(2)),
    "-block": lambda f: model.Block(f.line, f.pokemon(0), f.optional_effect(1), f.rest(2)),
    "-notarget": lambda f: model.NoTarget(f.line, f.optional_pokemon(0)),
    "-miss": lambda f: model.Miss(f.line, f.pokemon(0), f.optional_pokemon(1)),
    "-crit": lambda f: model.CriticalHit(f.line, f.pokemon(0)),
    "-supereffective": lambda f: model.SuperEffective(f.line, f.pokemon(0)),
    "-resisted": lambda f: model.Resisted(f.line, f.pokemon(0)),
    "-immune": lambda f: model.Immune(f.line, f.pokemon(0)),
    "-ohko": lambda f: model.OneHitKnockOut(f.line),
    "-hitcount": lambda f: model.HitCount(f.line, f.pokemon(0), f.number(1)),
    # statuses and stat stages
    "-status": lambda f: model.Status(f.line, f.pokemon(0), f.text(1)),
    "-curestatus": lambda f: model.CureStatus(f.line, f.pokemon(0), f.text(1)),
    "-cureteam": lambda f: model.CureTeam(f.line, f.pokemon(0)),
    "-boost": lambda f: _boost(f, True),
    "-unboost": lambda f: _boost(f, False),
    "-setboost": lambda f: model.SetBoost(f.line, f.pokemon(0), f.text(1), f.number(2)),
    "-swapboost": _swap_boost,
    "-invertboost": lambda f: model.InvertBoost(f.line, f.pokemon(0)),
    "-clearboost": lambda f: model.ClearBoost(f.line, f.pokemon(0)),
    "-clearallboost": lambda f: model.ClearAllBoost(f.line),
    "-clearpositiveboost": lambda f: model.ClearPositiveBoost(
        f.line, f.pokemon(0), f.optional_pokemon(1), f.optional_effect(2)
    ),
    "-clearnegativeboost": lambda f: model.ClearNegativeBoost(f.line, f.pokemon(0)),
    "-copyboost": lambda f: model.CopyBoost(f.line, f.pokemon(0), f.pokemon(1)),
    # field and sides
    "-weather": _weather,
    "-fieldstart": lambda f: model.FieldStart(f.line, f.effect(0)),
    "-fieldend": lambda f: model.FieldEnd(f.line, f.effect(0)),
    "-fieldactivate": lambda f: model.FieldActivate(f.line, f.effect(0)),
    "-sidestart": lambda f: model.SideStart(f.line, f.side(0), f.effect(1)),
    "-sideend": lambda f: model.SideEnd(f.line, f.side(0), f.effect(1)),
    "-swapsideconditions": lambda f: model.SwapSideConditions(f.line),
    # volatile effects, abilities, items, formes
    "-start": lambda f: model.VolatileStart(f.line, f.pokemon(0), f.effect(1), f.rest(2)),
    "-end": lambda f: model.VolatileEnd(f.line, f.pokemon(0), f.effect(1), f.rest(2)),
    "-activate": lambda f: model.Activate(f.line, f.optional_pokemon(0), f.effect(1), f.rest(2)),
    "-singlemove": lambda f: model.SingleMove(f.line, f.pokemon(0), f.effect(1)),
    "-singleturn": lambda f: model.SingleTurn(f.line, f.pokemon(0), f.effect(1)),
    "-ability": lambda f: model.Ability(f.line, f.pokemon(0), f.text(1), f.optional_text(2)),
    "-endability": lambda f: model.AbilityEnd(f.line, f.pokemon(0), f.optional_text(1)),
    "-item": lambda f: model.Item(f.line, f.pokemon(0), f.text(1)),
    "-enditem": lambda f: model.ItemEnd(f.line, f.pokemon(0), f.text(1)),
    "-transform": lambda f: model.Transform(f.line, f.pokemon(0), f.pokemon(1)),
    "-prepare": lambda f: model.Prepare(f.line, f.pokemon(0), f.text(1), f.optional_pokemon(2)),
    "-mustrecharge": lambda f: model.MustRecharge(f.line, f.pokemon(0)),
    "-nothing": lambda f: model.NothingHappened(f.line),
    "-combine": lambda f: model.Combine(f.line),
    "-waiting": lambda f: model.Waiting(f.line, f.pokemon(0)),
    "-anim": lambda f: model.Animation(f.line),
    "-center": lambda f: model.Animation(f.line),
    "-hint": lambda f: model.Hint(f.line, f.optional_text(0) or ""),
    "bigerror": lambda f: model.BattleMessage(f.line, f.optional_text(0) or ""),
    "-message": lambda f: model.BattleMessage(f.line, f.optional_text(0) or ""),
    **dict.fromkeys(
        (
            "-mega",
            "-primal",
            "-burst",
            "-zpower",
            "-zbroken",
            "-terastallize",
            "-candynamax",
        ),
        _power_up,
    ),
}

KNOWN_MESSAGE_TYPES: frozenset[str] = frozenset(_BUILDERS)
"""Every message type that ``parse_line`` reads ("" is the empty one)."""

ROOM_MESSAGE_TYPES: frozenset[str] = _ROOM_TYPES
"""Those of the room and its page: they tell nothing of the battle."""
