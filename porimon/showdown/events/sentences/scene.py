"""What the narrator must remember between two lines: who is active, and with how many HP."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from porimon.showdown.events import model
from porimon.showdown.events.model import (
    Condition,
    Event,
    PokemonIdent,
    SideRole,
    showdown_id,
)
from porimon.showdown.events.sentences.naming import Names


class Silence(Enum):
    """Why a line gives no sentence, on purpose."""

    ROOM = "It belongs to the chat room and its page, not to the battle."
    SETUP = "It is known before the battle; the prompt's fixed part says it where it matters."
    SPACING = "It only structures the log."
    LOOKS = "It only concerns what is shown on a screen."
    GOES_ON = "It repeats that an effect goes on; the prompt's picture of the battle says so."
    MARKED = "The server marks it as not to be shown; the picture of the battle keeps its effect."
    TOLD_NEARBY = "Another line of the same action tells it."
    OTHER_FORMAT = "It cannot happen in Gen 8 singles without Dynamax."
    UNKNOWN = "Its type or its fields are unknown; it is counted and kept raw."


_CHANGING = frozenset(
    {
        model.PlayerJoined,
        model.Switch,
        model.Damage,
        model.Heal,
        model.SetHp,
        model.IllusionEnded,
        model.DetailsChange,
        model.FormeChange,
        model.Ability,
        model.Transform,
        model.Item,
        model.ItemEnd,
        model.Activate,
        model.FieldStart,
        model.FieldEnd,
    }
)
"""The events that ``Scene.follow`` looks at: asked first, as most lines are others."""


@dataclass(slots=True)
class Active:
    """The active Pokémon of a side, as far as sentences need it."""

    ident: PokemonIdent
    species: str
    condition: Condition
    abilities: set[str] = field(default_factory=set)
    """Ids of abilities that it showed or was given since it came in."""
    transformed_from: str | None = None
    """The species whose abilities it may have copied."""
    item: str | None = None
    """Id of the item last seen on it."""


@dataclass(slots=True)
class Scene:
    """One player's picture, kept up to date by ``follow``, which comes after the wording."""

    names: Names
    users: dict[SideRole, str] = field(default_factory=dict)
    actives: dict[SideRole, Active] = field(default_factory=dict)
    fields: set[str] = field(default_factory=set)
    """Ids of terrains and rooms that are up."""

    def active(self, ident: PokemonIdent) -> Active | None:
        """The active Pokémon that an ident means; ``None`` for a benched or unknown one."""
        return self.actives.get(ident.side) if ident.position is not None else None

    def side_of_user(self, user_name: str) -> SideRole | None:
        """The side of a user, by the exact name with which it joined this battle."""
        sides = [side for side, name in self.users.items() if name == user_name]
        return sides[0] if len(sides) == 1 else None

    def follow(self, event: Event) -> None:
        """Take in what an event changes."""
        if type(event) not in _CHANGING:
            return
        match event:
            case model.PlayerJoined(side=side, user_name=user_name):
                if user_name:
                    self.users[side] = user_name
            case model.Switch(pokemon=pokemon, details=details, condition=condition):
                self.actives[pokemon.side] = Active(pokemon, details.species_id, condition)
            case model.Damage() | model.Heal() | model.SetHp():
                if (active := self.active(event.pokemon)) is not None:
                    active.condition = event.condition
            case model.IllusionEnded() | model.DetailsChange():
                self._change_forme(event)
            case model.FormeChange(pokemon=pokemon):
                if (active := self.active(pokemon)) is not None:
                    active.species = event.species_id
            case model.Ability(pokemon=pokemon):
                if (active := self.active(pokemon)) is not None:
                    active.abilities.add(event.ability_id)
            case model.Transform(pokemon=pokemon, target=target):
                copied = self.active(target)
                if (active := self.active(pokemon)) is not None and copied is not None:
                    active.transformed_from = copied.species
                    active.abilities |= copied.abilities
            case model.Item(pokemon=pokemon):
                if (active := self.active(pokemon)) is not None:
                    active.item = event.item_id
            case model.ItemEnd(pokemon=pokemon):
                if (active := self.active(pokemon)) is not None:
                    active.item = None
            case model.Activate(effect=effect) if effect.id == "skillswap":
                for active in self.actives.values():
                    active.abilities |= {showdown_id(name) for name in event.arguments if name}
            case model.FieldStart(effect=effect):
                self._start_field(effect.id)
            case model.FieldEnd(effect=effect):
                self.fields.discard(effect.id)
            case _:
                pass

    def _change_forme(self, event: model.IllusionEnded | model.DetailsChange) -> None:
        active = self.active(event.pokemon)
        if active is None:
            return
        active.ident = event.pokemon
        active.species = event.details.species_id
        if event.condition is not None:
            active.condition = event.condition

    def _start_field(self, effect: str) -> None:
        if effect.endswith("terrain"):
            self.fields = {other for other in self.fields if not other.endswith("terrain")}
        self.fields.add(effect)
