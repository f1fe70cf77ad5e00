"""Events of effects on one Pokémon: volatile ones, abilities, items, and the server's hints."""

from __future__ import annotations

from dataclasses import dataclass

from porimon.showdown.events.model.event import Event
from porimon.showdown.events.model.fields import Effect, PokemonIdent, showdown_id


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
