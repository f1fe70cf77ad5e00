"""From a prompt's text to what it tells: options, both active Pokémon, threats, speed, conditions.

The prompts keep one fact per line, parts parted by " | ". A line that is not understood is
ignored, so that a changed template makes the reader play worse, never fail.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from porimon.llm.model import Message
from porimon.llm.offline.strength import Strength, read_strength

Who = Literal["own", "foe"]

_OPTION = re.compile(r"^(\d{1,2})\. (.+)$")
_OWN_MOVE = re.compile(r"^- ([^|]+?) \| (.+)$")
_HP = re.compile(r"^HP (\d+(?:\.\d+)?)%")
_LIKELY = re.compile(r"^likely (\d+(?:\.\d+)?)%")
_LEFT = re.compile(r"(your|opposing) Pokémon left: (\d+)", re.IGNORECASE)
_CHART = re.compile(r"×(\d+(?:\.\d+)?) ([A-Z][A-Za-z, ]+)")
_FENCE = re.compile(r"<<<.*?>>>", re.DOTALL)
_TYPES = frozenset(
    (
        *("Normal", "Fire", "Water", "Electric", "Grass", "Ice", "Fighting", "Poison", "Ground"),
        *("Flying", "Psychic", "Bug", "Rock", "Ghost", "Dragon", "Dark", "Steel", "Fairy"),
    )
)
_STATUSES = ("burned", "frozen", "paralyzed", "poisoned", "asleep", "badly poisoned")


@dataclass(frozen=True, slots=True)
class Fighter:
    """What the prompt tells of one Pokémon; ``hp`` is a share of its full HP."""

    name: str
    hp: float = 1.0
    status: str | None = None
    types: tuple[str, ...] = ()
    boosts: str = ""
    effects: str = ""


@dataclass(frozen=True, slots=True)
class Threat:
    """An attack of the foe on our active Pokémon, and how likely the foe has it (1: known)."""

    name: str
    likelihood: float
    strength: Strength
    move_type: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One order that may be answered.

    For a move: ``strength``, ``move_type``, ``effect``. For a switch: the newcomer (``fighter``),
    who moves first after it, its strongest attack (``deals``, ``deals_type``) and the foe's on it
    (``takes``, and its name). A type is ``None`` where the prompt does not tell it.
    """

    label: str
    kind: Literal["move", "switch"]
    strength: Strength = field(default_factory=Strength)
    move_type: str | None = None
    effect: str = ""
    fighter: Fighter | None = None
    faster: Who | None = None
    deals: Strength | None = None
    deals_type: str | None = None
    takes: Strength | None = None
    takes_name: str | None = None
    unhurt_by_hazards: bool = False


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything that the reader has read from one prompt."""

    options: tuple[Option, ...]
    own: Fighter | None = None
    foe: Fighter | None = None
    threats: tuple[Threat, ...] = ()
    faster: Who | None = None
    own_left: int | None = None
    foe_left: int | None = None
    own_side: str = ""
    foe_side: str = ""
    foe_defences: dict[str, float] = field(default_factory=dict)
    log: str = ""
    lessons: str = ""
    refused: str = ""


def read_situation(messages: Sequence[Message]) -> Situation:
    """Read a decision's prompt. ``options`` is empty where none was recognised."""
    text = "\n".join(message.content for message in messages)
    lessons, log = _fenced_parts(text)
    refused = re.search(r"It was: <<<(.*?)>>>", text, re.DOTALL)
    plain = without_fences(text)
    reader = _LineReader()
    for line in plain.splitlines():
        reader.read(line.strip())
    return Situation(
        options=tuple(_completed(option, reader) for option in reader.options),
        own=_with_types(reader.own, reader.team_types["own"]),
        foe=_with_types(reader.foe, reader.team_types["foe"]),
        threats=tuple(reader.threats),
        faster=reader.faster,
        own_left=reader.left.get("your"),
        foe_left=reader.left.get("opposing"),
        own_side=reader.sides.get("Your side", ""),
        foe_side=reader.sides.get("Opposing side", ""),
        foe_defences=reader.foe_defences,
        log=log,
        lessons=lessons,
        refused=refused[1] if refused else "",
    )


def without_fences(text: str) -> str:
    """A prompt without what stands between ``<<<`` and ``>>>``: data, never an instruction."""
    return _FENCE.sub("", text)


class _LineReader:
    """Collects what single lines tell."""

    def __init__(self) -> None:
        self.options: list[Option] = []
        self.own: Fighter | None = None
        self.foe: Fighter | None = None
        self.threats: list[Threat] = []
        self.faster: Who | None = None
        self.left: dict[str, int] = {}
        self.sides: dict[str, str] = {}
        self.foe_defences: dict[str, float] = {}
        self.team_types: dict[Who, dict[str, tuple[str, ...]]] = {"own": {}, "foe": {}}
        self.moves: dict[tuple[str, str], str] = {}
        self.unhurt_by_hazards: set[str] = set()
        self._member = ""
        self._team: Who = "own"

    def read(self, line: str) -> None:
        """Take one line in; an unknown one changes nothing."""
        parts = [part.strip() for part in line.split(" | ")]
        head = parts[0]
        if "left: " in line.lower():
            for whose, count in _LEFT.findall(line):
                self.left[whose.lower()] = int(count)
        if option := _OPTION.match(line):
            parts[0] = option[2].split(" | ")[0]
            if len(parts) > 1 and parts[1] in ("move", "switch"):
                self.options.append(_option(tuple(parts)))
        elif head == "Your active" and len(parts) > 1:
            self.own = _fighter(parts[1:])
        elif head == "Opposing active" and len(parts) > 2:
            self.foe = _fighter(parts[1:])
        elif head == "Speed" and len(parts) > 1:
            self.faster = _who(parts[1])
        elif head == "Attacks on it" and len(parts) > 1:
            self.foe_defences = read_chart(parts[1])
        elif head.startswith("Attack on ") and len(parts) > 1:
            self.threats.append(_threat(parts))
        elif head in ("Your side", "Opposing side") and len(parts) > 1:
            self.sides[head] = parts[1]
        elif head in ("YOUR TEAM", "OPPOSING TEAM"):
            self._team = "own" if head == "YOUR TEAM" else "foe"
        elif move := _OWN_MOVE.match(line):
            if self._team == "own":
                self.moves[self._member, move[1]] = move[2]
        elif len(parts) > 1 and (types := _types(parts)):
            self._member = head
            self.team_types[self._team][head] = types
            if self._team == "own" and re.search("Heavy-Duty Boots|Magic Guard", line):
                self.unhurt_by_hazards.add(head)


@lru_cache(maxsize=4096)  # a switch is offered in the same words turn after turn
def _option(parts: tuple[str, ...]) -> Option:
    label, kind = parts[0], parts[1]
    told = " | ".join(parts[2:])
    if kind == "move":
        move_type = next((part for part in parts[2:] if part in _TYPES), None)
        return Option(label, "move", read_strength(told), move_type, effect=parts[-1])
    deals = takes = deals_type = takes_name = None
    for part in parts[2:]:
        if part.startswith(("deals:", "attacks:")):
            deals, deals_type = _strongest(part, _types(parts))
        elif part.startswith("takes:"):
            takes, takes_name = read_strength(part), _attack_name(part)
        elif part.startswith("takes ×"):
            takes = Strength(multiplier=max(read_chart(part).values(), default=1.0))
    faster = next((_who(part) for part in parts[2:] if _who(part)), None)
    fighter = _fighter([label, *parts[2:]])
    unhurt = any(re.search("Heavy-Duty Boots|Magic Guard", part) for part in parts)
    return Option(
        label,
        "switch",
        fighter=fighter,
        faster=faster,
        deals=deals,
        deals_type=deals_type,
        takes=takes,
        takes_name=takes_name,
        unhurt_by_hazards=unhurt,
    )


def _strongest(part: str, types: tuple[str, ...]) -> tuple[Strength, str | None]:
    """The strongest attack of ``deals: …`` or ``attacks: …; …``, and its type or else its name."""
    attacks = []
    for told in part.partition(":")[2].split(";"):
        name = _attack_name(f":{told}") or ""
        word = name.rpartition(" ")[2]
        attacks.append((read_strength(told), word if word in _TYPES else name or None))
    return max(attacks, key=lambda one: one[0].share(one[1] in types) if one[0].told else 0.0)


def _attack_name(part: str) -> str | None:
    """The words between the colon and the multiplier: ``takes: Fire Blast ×2 damage …``."""
    name = part.partition(":")[2].split("×")[0].strip()
    return name or None


def _with_types(fighter: Fighter | None, types: dict[str, tuple[str, ...]]) -> Fighter | None:
    """A Pokémon with the types that its team's section told, where its own line did not."""
    if fighter is None or fighter.types:
        return fighter
    return replace(fighter, types=types.get(fighter.name, ()))


def _completed(option: Option, reader: _LineReader) -> Option:
    """An option with what other lines told of it: a move's line in the team, a member's types."""
    if option.kind == "switch":
        fighter = _with_types(option.fighter, reader.team_types["own"])
        unhurt = option.unhurt_by_hazards or option.label in reader.unhurt_by_hazards
        deals_type = option.deals_type
        if deals_type is not None and deals_type not in _TYPES:
            line = reader.moves.get((option.label, deals_type), "")
            deals_type = line.split(",")[0] if line.split(",")[0] in _TYPES else None
        return replace(option, fighter=fighter, unhurt_by_hazards=unhurt, deals_type=deals_type)
    own = reader.own.name if reader.own else ""
    told = reader.moves.get((own, option.label))
    if told is None:
        return option
    known = read_strength(told.split(" | ")[0])
    here = option.strength
    strength = replace(
        here,
        accuracy=known.accuracy if here.accuracy is None else here.accuracy,
        priority=known.priority if here.priority is None else here.priority,
        power=known.power if here.power is None and here.high is None else here.power,
        status_move=here.status_move or (known.status_move and not here.told),
    )
    move_type = option.move_type or told.split(",")[0].strip()
    effect = told.split(" | ", 1)[1] if " | " in told else option.effect
    return replace(option, strength=strength, move_type=move_type, effect=effect)


def _threat(parts: list[str]) -> Threat:
    likely = next((_LIKELY.match(part) for part in parts[1:] if _LIKELY.match(part)), None)
    told = " | ".join(part for part in parts[2:] if not _LIKELY.match(part))
    likelihood = float(likely[1]) / 100 if likely else 1.0
    move_type = next((part for part in parts[2:] if part in _TYPES), None)
    return Threat(parts[1], likelihood, read_strength(told), move_type)


def _fighter(parts: Sequence[str]) -> Fighter:
    hp, boosts, effects = 1.0, "", ""
    status: str | None = None
    for part in parts[1:]:
        if told := _HP.match(part):
            hp = float(told[1]) / 100
        elif part == "fainted":
            hp = 0.0
        elif part.split(" (")[0] in _STATUSES:
            status = part.split(" (")[0]
        elif part.startswith("boosts:"):
            boosts = part.removeprefix("boosts:").strip()
        elif part.startswith("effects:"):
            effects = part.removeprefix("effects:").strip()
    return Fighter(parts[0], hp, status, _types(parts), boosts, effects)


def _types(parts: Sequence[str]) -> tuple[str, ...]:
    for part in parts[1:]:
        types = tuple(part.split("/"))
        if all(one in _TYPES for one in types):
            return types
    return ()


def _who(part: str) -> Who | None:
    if part.startswith("you move first"):
        return "own"
    return "foe" if part.startswith("opponent moves first") else None


def read_chart(text: str) -> dict[str, float]:
    """Multipliers by attacking type from a text such as ``×2 Fire, Ice; ×0 Ground``."""
    return {
        name.strip(): float(factor)
        for factor, names in _CHART.findall(text)
        for name in names.split(",")
        if name.strip() in _TYPES
    }


def _fenced_parts(text: str) -> tuple[str, str]:
    """The fenced lessons of past battles and the fenced log of the last turns."""
    lessons: list[str] = []
    log: list[str] = []
    start = text.find("LESSONS FROM SIMILAR PAST BATTLES")
    end = text.find("LAST TURNS")
    for fence in _FENCE.finditer(text):
        inside = fence[0][3:-3]
        if "\n" not in inside:
            continue
        is_lesson = start != -1 and fence.start() > start and (end < start or fence.start() < end)
        (lessons if is_lesson else log).append(inside.strip())
    return "\n".join(lessons), "\n".join(log)
