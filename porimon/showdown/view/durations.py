"""How long conditions last, and how many turns may be left of one that is up.

A duration counts end-of-turn phases, the present turn's included, as the simulator does. Where an
unseen item of its setter would prolong a condition, both lengths stay possible until the item is
seen or the shorter one has passed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from porimon.showdown.view.model import Timed
from porimon.showdown.view.pokemon_state import PokemonState

Lengths = tuple[int, ...]

SIDE_LENGTHS: dict[str, Lengths] = {
    "reflect": (5, 8),
    "lightscreen": (5, 8),
    "auroraveil": (5, 8),
    "tailwind": (4,),
    "safeguard": (5,),
    "mist": (5,),
    "luckychant": (5,),
    "wideguard": (1,),
    "quickguard": (1,),
    "craftyshield": (1,),
    "matblock": (1,),
    "firepledge": (4,),
    "waterpledge": (4,),
    "grasspledge": (4,),
}
WEATHER_LENGTHS: dict[str, Lengths] = {
    "raindance": (5, 8),
    "sunnyday": (5, 8),
    "sandstorm": (5, 8),
    "hail": (5, 8),
}
FIELD_LENGTHS: dict[str, Lengths] = {
    "electricterrain": (5, 8),
    "grassyterrain": (5, 8),
    "mistyterrain": (5, 8),
    "psychicterrain": (5, 8),
    "trickroom": (5,),
    "magicroom": (5,),
    "wonderroom": (5,),
    "gravity": (5,),
    "mudsport": (5,),
    "watersport": (5,),
    "fairylock": (2,),
    "iondeluge": (1,),
}
VOLATILE_LENGTHS: dict[str, Lengths] = {
    "taunt": (3,),
    "encore": (3,),
    "disable": (5,),
    "throatchop": (2,),
    "healblock": (5,),
    "embargo": (5,),
    "magnetrise": (5,),
    "telekinesis": (3,),
    "yawn": (2,),
    "laserfocus": (2,),
    "lockon": (2,),
    "mustrecharge": (2,),
    "slowstart": (5,),
    "uproar": (3,),
}
PARTIAL_TRAP_LENGTHS: Lengths = (5, 6, 8)
"""Whirlpool and the like: the simulator draws 5 or 6 end-of-turn phases; 8 with a Grip Claw."""

FUTURE_MOVE_LENGTH: Lengths = (3,)
WISH_LENGTH: Lengths = (2,)
TWO_TURN_LENGTH: Lengths = (2,)

PROLONGED_BY: dict[str, str] = {
    "reflect": "lightclay",
    "lightscreen": "lightclay",
    "auroraveil": "lightclay",
    "raindance": "damprock",
    "sunnyday": "heatrock",
    "sandstorm": "smoothrock",
    "hail": "icyrock",
    "electricterrain": "terrainextender",
    "grassyterrain": "terrainextender",
    "mistyterrain": "terrainextender",
    "psychicterrain": "terrainextender",
    "partiallytrapped": "gripclaw",
}
LONGEST = 8
"""What every prolonging item makes of a duration."""


@dataclass(frozen=True, slots=True)
class Setter:
    """Who brought a condition up, and how many items it had lost by then."""

    pokemon: PokemonState
    items_lost: int

    @classmethod
    def now(cls, pokemon: PokemonState) -> Setter:
        """``pokemon`` as it is at this moment."""
        return cls(pokemon, len(pokemon.former_items))

    @property
    def item(self) -> str | None:
        """The item held when the condition began, by what is known today."""
        if len(self.pokemon.former_items) > self.items_lost:
            return self.pokemon.former_items[self.items_lost]
        return self.pokemon.item


@dataclass(slots=True)
class Running:
    """A condition that is up. ``left`` holds the numbers of turns that may remain, () for no end.

    ``passed`` counts end-of-turn phases gone by; ``fresh`` is true while the phase in which it
    began is still running, since that one does not count. ``expires`` says that no message tells
    its end: it goes when its count has run out.
    """

    id: str
    started_turn: int
    lengths: Lengths = ()
    layers: int = 1
    detail: str | None = None
    setter: Setter | None = None
    fresh: bool = False
    passed: int = 0
    expires: bool = False

    def copy(self) -> Running:
        """An independent copy."""
        return replace(self)

    def tick(self) -> None:
        """One end-of-turn phase is over."""
        if self.fresh:
            self.fresh = False
        else:
            self.passed += 1

    @property
    def left(self) -> Lengths:
        """The numbers of turns that may remain; those that have passed already are out."""
        possible = self.lengths
        rule = PROLONGED_BY.get(self.id)
        if rule is not None and self.setter is not None and self.setter.item is not None:
            held = self.setter.item == rule
            kept = tuple(length for length in possible if (length == LONGEST) == held)
            possible = kept or possible
        return tuple(length - self.passed for length in possible if length > self.passed)

    @property
    def run_out(self) -> bool:
        """Whether a condition whose end is not announced has ended."""
        return self.expires and bool(self.lengths) and max(self.lengths) <= self.passed

    def as_timed(self) -> Timed:
        """The view of it."""
        left = self.left
        return Timed(
            id=self.id,
            layers=self.layers,
            started_turn=self.started_turn,
            turns_left_min=min(left) if left else None,
            turns_left_max=max(left) if left else None,
            detail=self.detail,
        )
