"""Typed events: one frozen dataclass for each battle message of the Showdown protocol.

Names follow the protocol's own (``-sidestart`` is ``SideStart``). Sides are told by ``p1``/``p2``.
Every event carries the ``Line`` it came from, with what any message may have: the effect that
caused it (``[from]``, here ``cause``), the Pokémon that effect belongs to (``[of]``, here ``of``)
and other bracketed tags. Source: the simulator's protocol document (``SIM-PROTOCOL``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from porimon.showdown.dex.identifier import to_id

SideRole = Literal["p1", "p2"]
EffectKind = Literal["move", "ability", "item"]

showdown_id = lru_cache(maxsize=8192)(to_id)
"""``to_id`` with a memory: a log says the same few names again and again."""


@dataclass(frozen=True, slots=True)
class PokemonIdent:
    """Which Pokémon a message speaks of: ``p1a: Rex`` (active) or ``p1: Rex`` (``position`` None).

    ``name`` is the nickname, or the species name where none was given.
    """

    side: SideRole
    position: str | None
    name: str


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect as the protocol names it: ``move: Wish``, ``item: Leftovers``, ``psn``.

    ``kind`` is ``None`` where the protocol gives no prefix.
    """

    kind: EffectKind | None
    name: str

    @property
    def id(self) -> str:
        """The Showdown id of the name."""
        return showdown_id(self.name)


@dataclass(frozen=True, slots=True)
class Details:
    """Species, level, gender and shininess as shown when a Pokémon comes in."""

    species: str
    level: int = 100
    gender: Literal["M", "F"] | None = None
    shiny: bool = False

    @property
    def species_id(self) -> str:
        """The Showdown id of the species."""
        return showdown_id(self.species)


@dataclass(frozen=True, slots=True)
class Condition:
    """HP and status: points for one's own Pokémon, hundredths (``max_hp`` 100) for a foe.

    ``max_hp`` is ``None`` when it fainted: the protocol writes ``0 fnt`` then.
    """

    hp: int
    max_hp: int | None
    status: str | None = None

    @property
    def fainted(self) -> bool:
        """Whether nothing is left."""
        return self.hp == 0

    @property
    def fraction(self) -> float:
        """What is left, 0 to 1."""
        return self.hp / self.max_hp if self.max_hp else 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """One protocol line, taken apart: positional arguments, and bracketed tags by name."""

    raw: str
    message_type: str
    arguments: tuple[str, ...] = ()
    cause: Effect | None = None
    of: PokemonIdent | None = None
    tags: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """What every event has."""

    line: Line

    @property
    def cause(self) -> Effect | None:
        """The effect behind it (``[from]``), if the server names one."""
        return self.line.cause

    @property
    def of(self) -> PokemonIdent | None:
        """The Pokémon that the causing effect belongs to (``[of]``)."""
        return self.line.of

    @property
    def silent(self) -> bool:
        """Whether the server asks that no message be shown for it."""
        return self.has_tag("silent")

    def has_tag(self, name: str) -> bool:
        """Whether the line holds the tag ``[name]``."""
        return any(tag == name for tag, _ in self.line.tags)

    def tag(self, name: str) -> str | None:
        """The text after the tag ``[name]``, ``None`` where the tag is missing."""
        return next((text for tag, text in self.line.tags if tag == name), None)


@dataclass(frozen=True, slots=True)
class UnknownEvent(Event):
    """A line of an unknown type, or one whose fields cannot be read; ``reason`` says which."""

    reason: str


# --- before the battle and around it -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """``player``: who sits on a side. ``user_name`` is "" when the seat is left."""

    side: SideRole
    user_name: str


@dataclass(frozen=True, slots=True)
class TeamSize(Event):
    """``teamsize``"""

    side: SideRole
    size: int


@dataclass(frozen=True, slots=True)
class GameType(Event):
    """``gametype``: ``singles`` here."""

    name: str


@dataclass(frozen=True, slots=True)
class Generation(Event):
    """``gen``"""

    number: int


@dataclass(frozen=True, slots=True)
class Tier(Event):
    """``tier``: the format's name."""

    name: str


@dataclass(frozen=True, slots=True)
class Rated(Event):
    """``rated``"""

    message: str


@dataclass(frozen=True, slots=True)
class Rule(Event):
    """``rule``: ``Dynamax Clause: You cannot dynamax``."""

    text: str


@dataclass(frozen=True, slots=True)
class ClearPreview(Event):
    """``clearpoke``: a team preview begins."""


@dataclass(frozen=True, slots=True)
class PreviewPokemon(Event):
    """``poke``: one Pokémon of a team preview."""

    side: SideRole
    details: Details


@dataclass(frozen=True, slots=True)
class TeamPreview(Event):
    """``teampreview``"""


@dataclass(frozen=True, slots=True)
class BattleStart(Event):
    """``start``"""


@dataclass(frozen=True, slots=True)
class Request(Event):
    """``request``: the server asks for an order; ``text`` is its JSON document ("" when none)."""

    text: str


@dataclass(frozen=True, slots=True)
class TimerMessage(Event):
    """``inactive`` and ``inactiveoff``: the battle timer speaks."""

    text: str
    timer_on: bool


@dataclass(frozen=True, slots=True)
class Upkeep(Event):
    """``upkeep``: the end-of-turn phase is over."""


@dataclass(frozen=True, slots=True)
class Turn(Event):
    """``turn``: a turn begins."""

    number: int


@dataclass(frozen=True, slots=True)
class Win(Event):
    """``win``: the winner's user name (compare it with ``PlayerJoined`` to get the side)."""

    user_name: str


@dataclass(frozen=True, slots=True)
class Tie(Event):
    """``tie``"""


@dataclass(frozen=True, slots=True)
class Timestamp(Event):
    """``t:``"""


@dataclass(frozen=True, slots=True)
class Spacer(Event):
    """An empty line, which only spaces the log."""


@dataclass(frozen=True, slots=True)
class RoomMessage(Event):
    """A message of the chat room and its page (joins, chat, HTML, notices), not of the battle."""

    text: str


# --- major actions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move(Event):
    """``move``: a move is used. ``target`` may be a fainted Pokémon, or missing."""

    pokemon: PokemonIdent
    move: str
    target: PokemonIdent | None

    @property
    def move_id(self) -> str:
        """The Showdown id of the move."""
        return showdown_id(self.move)

    @property
    def missed(self) -> bool:
        """Whether it missed."""
        return self.has_tag("miss")

    @property
    def no_target(self) -> bool:
        """Whether there was nobody to hit."""
        return self.has_tag("notarget")


@dataclass(frozen=True, slots=True)
class Switch(Event):
    """``switch`` and, when it was forced by the other side, ``drag`` (``dragged``)."""

    pokemon: PokemonIdent
    details: Details
    condition: Condition
    dragged: bool


@dataclass(frozen=True, slots=True)
class IllusionEnded(Event):
    """``replace``: the active Pokémon shows itself as ``pokemon``. No condition may be given."""

    pokemon: PokemonIdent
    details: Details
    condition: Condition | None


@dataclass(frozen=True, slots=True)
class DetailsChange(Event):
    """``detailschange``: a permanent change of forme."""

    pokemon: PokemonIdent
    details: Details
    condition: Condition | None


@dataclass(frozen=True, slots=True)
class FormeChange(Event):
    """``-formechange``: a change of forme that ends with switching out."""

    pokemon: PokemonIdent
    species: str

    @property
    def species_id(self) -> str:
        """The Showdown id of the new forme."""
        return showdown_id(self.species)


@dataclass(frozen=True, slots=True)
class Cant(Event):
    """``cant``: a Pokémon could not move. ``move`` is what it would have used, where told."""

    pokemon: PokemonIdent
    reason: Effect
    move: str | None


@dataclass(frozen=True, slots=True)
class Faint(Event):
    """``faint``"""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class Swap(Event):
    """``swap``: active Pokémon change places (not in singles)."""

    pokemon: PokemonIdent


# --- minor actions: hits and HP ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Damage(Event):
    """``-damage``: HP is lost; ``condition`` is what is left."""

    pokemon: PokemonIdent
    condition: Condition


@dataclass(frozen=True, slots=True)
class Heal(Event):
    """``-heal``: HP is restored; ``condition`` is what there is now."""

    pokemon: PokemonIdent
    condition: Condition


@dataclass(frozen=True, slots=True)
class SetHp(Event):
    """``-sethp``: HP is set (Pain Split)."""

    pokemon: PokemonIdent
    condition: Condition


@dataclass(frozen=True, slots=True)
class Fail(Event):
    """``-fail``: ``effect`` is what failed or the reason, ``arguments`` what else is told."""

    pokemon: PokemonIdent | None
    effect: Effect | None
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block(Event):
    """``-block``: an effect is blocked by another."""

    pokemon: PokemonIdent
    effect: Effect | None
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoTarget(Event):
    """``-notarget``"""

    pokemon: PokemonIdent | None


@dataclass(frozen=True, slots=True)
class Miss(Event):
    """``-miss``: ``pokemon`` missed ``target``."""

    pokemon: PokemonIdent
    target: PokemonIdent | None


@dataclass(frozen=True, slots=True)
class CriticalHit(Event):
    """``-crit``: ``pokemon`` was hit."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class SuperEffective(Event):
    """``-supereffective``: ``pokemon`` was hit."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class Resisted(Event):
    """``-resisted``: ``pokemon`` was hit."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class Immune(Event):
    """``-immune``"""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class OneHitKnockOut(Event):
    """``-ohko``"""


@dataclass(frozen=True, slots=True)
class HitCount(Event):
    """``-hitcount``: a move of several hits hit ``count`` times."""

    pokemon: PokemonIdent
    count: int


# --- minor actions: statuses and stat stages -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Status(Event):
    """``-status``: ``brn``, ``par``, ``slp``, ``frz``, ``psn`` or ``tox``."""

    pokemon: PokemonIdent
    status: str


@dataclass(frozen=True, slots=True)
class CureStatus(Event):
    """``-curestatus``: also of benched Pokémon, and of ``confusion`` by an item."""

    pokemon: PokemonIdent
    status: str


@dataclass(frozen=True, slots=True)
class CureTeam(Event):
    """``-cureteam``: every status of the side of ``pokemon`` is cured."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class Boost(Event):
    """``-boost`` and ``-unboost``: ``amount`` is signed; 0 means: at its limit already.

    ``raises`` keeps which of the two it was, since ``amount`` 0 does not tell.
    """

    pokemon: PokemonIdent
    stat: str
    amount: int
    raises: bool


@dataclass(frozen=True, slots=True)
class SetBoost(Event):
    """``-setboost``: a stage is set to ``amount`` (Belly Drum, Anger Point)."""

    pokemon: PokemonIdent
    stat: str
    amount: int


@dataclass(frozen=True, slots=True)
class SwapBoost(Event):
    """``-swapboost``: stages change places; ``stats`` empty means all of them."""

    pokemon: PokemonIdent
    target: PokemonIdent
    stats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InvertBoost(Event):
    """``-invertboost``"""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class ClearBoost(Event):
    """``-clearboost``: all stages of ``pokemon`` back to 0."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class ClearAllBoost(Event):
    """``-clearallboost``: all stages of both sides back to 0."""


@dataclass(frozen=True, slots=True)
class ClearPositiveBoost(Event):
    """``-clearpositiveboost``: raised stages of ``pokemon`` are lost to ``source``."""

    pokemon: PokemonIdent
    source: PokemonIdent | None
    effect: Effect | None


@dataclass(frozen=True, slots=True)
class ClearNegativeBoost(Event):
    """``-clearnegativeboost``: lowered stages of ``pokemon`` back to 0."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class CopyBoost(Event):
    """``-copyboost``: ``pokemon`` takes over the stages of ``target``."""

    pokemon: PokemonIdent
    target: PokemonIdent


# --- minor actions: field and sides --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Weather(Event):
    """``-weather``: ``weather`` is ``None`` when it ends; ``upkeep`` when it merely goes on."""

    weather: str | None

    @property
    def upkeep(self) -> bool:
        """Whether the line only says that the weather goes on."""
        return self.has_tag("upkeep")


@dataclass(frozen=True, slots=True)
class FieldStart(Event):
    """``-fieldstart``: terrain, Trick Room, Gravity …"""

    effect: Effect


@dataclass(frozen=True, slots=True)
class FieldEnd(Event):
    """``-fieldend``"""

    effect: Effect


@dataclass(frozen=True, slots=True)
class FieldActivate(Event):
    """``-fieldactivate``: a single event of the whole field (Perish Song)."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class SideStart(Event):
    """``-sidestart``: hazards, screens, Tailwind …"""

    side: SideRole
    effect: Effect


@dataclass(frozen=True, slots=True)
class SideEnd(Event):
    """``-sideend``"""

    side: SideRole
    effect: Effect


@dataclass(frozen=True, slots=True)
class SwapSideConditions(Event):
    """``-swapsideconditions``: Court Change."""


# --- minor actions: volatile effects, abilities, items, formes -----------------------------------


@dataclass(frozen=True, slots=True)
class VolatileStart(Event):
    """``-start``: an effect begins on a Pokémon; ``arguments`` hold its type or move, if any."""

    pokemon: PokemonIdent
    effect: Effect
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VolatileEnd(Event):
    """``-end``"""

    pokemon: PokemonIdent
    effect: Effect
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Activate(Event):
    """``-activate``: an effect shows itself once; ``arguments`` are its own."""

    pokemon: PokemonIdent | None
    effect: Effect
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SingleMove(Event):
    """``-singlemove``: an effect until the Pokémon's next move (Destiny Bond)."""

    pokemon: PokemonIdent
    effect: Effect


@dataclass(frozen=True, slots=True)
class SingleTurn(Event):
    """``-singleturn``: an effect for this turn (Protect, Focus Punch, Roost)."""

    pokemon: PokemonIdent
    effect: Effect


@dataclass(frozen=True, slots=True)
class Ability(Event):
    """``-ability``: an ability is revealed, or changed (with a cause).

    ``former`` is the ability that it replaced, or the word ``boost`` where the protocol puts that.
    """

    pokemon: PokemonIdent
    ability: str
    former: str | None

    @property
    def ability_id(self) -> str:
        """The Showdown id of the ability."""
        return showdown_id(self.ability)


@dataclass(frozen=True, slots=True)
class AbilityEnd(Event):
    """``-endability``: an ability is suppressed; its name is ``None`` where not told."""

    pokemon: PokemonIdent
    ability: str | None


@dataclass(frozen=True, slots=True)
class Item(Event):
    """``-item``: an item is revealed, or changed hands (with a cause)."""

    pokemon: PokemonIdent
    item: str

    @property
    def item_id(self) -> str:
        """The Showdown id of the item."""
        return showdown_id(self.item)


@dataclass(frozen=True, slots=True)
class ItemEnd(Event):
    """``-enditem``: an item is used up, knocked off or taken away."""

    pokemon: PokemonIdent
    item: str

    @property
    def item_id(self) -> str:
        """The Showdown id of the item."""
        return showdown_id(self.item)


@dataclass(frozen=True, slots=True)
class Transform(Event):
    """``-transform``: ``pokemon`` becomes a copy of ``target``."""

    pokemon: PokemonIdent
    target: PokemonIdent


@dataclass(frozen=True, slots=True)
class PowerUp(Event):
    """A change that Gen 8 Random Battles without Dynamax never show.

    ``-mega``, ``-primal``, ``-burst``, ``-zpower``, ``-zbroken``, ``-terastallize``,
    ``-candynamax``: known to the parser so that no log of another format surprises it.
    """

    pokemon: PokemonIdent | None


@dataclass(frozen=True, slots=True)
class Prepare(Event):
    """``-prepare``: the first turn of a two-turn move."""

    pokemon: PokemonIdent
    move: str
    target: PokemonIdent | None


@dataclass(frozen=True, slots=True)
class MustRecharge(Event):
    """``-mustrecharge``: the next turn is lost."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class NothingHappened(Event):
    """``-nothing``: Splash."""


@dataclass(frozen=True, slots=True)
class Combine(Event):
    """``-combine``: pledge moves join (not in singles)."""


@dataclass(frozen=True, slots=True)
class Waiting(Event):
    """``-waiting``: a pledge move waits for its partner (not in singles)."""

    pokemon: PokemonIdent


@dataclass(frozen=True, slots=True)
class Animation(Event):
    """``-anim``, ``-center``: only something to look at."""


@dataclass(frozen=True, slots=True)
class Hint(Event):
    """``-hint``: the server explains why something happened or did not."""

    text: str


@dataclass(frozen=True, slots=True)
class BattleMessage(Event):
    """``-message`` and ``bigerror``: free text of a rule (Sleep Clause, the turn limit)."""

    text: str
