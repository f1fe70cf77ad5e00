"""The types of a battle's view: all that one player may know at one decision, as pure data.

A view can be saved and loaded (``dump_view``, ``load_view``); a prompt can be built again from it
without a server. Identifiers are Showdown ids (lower case, no punctuation: ``stealthrock``,
``taurospaldeablaze``), names for people come from the dex. Unknown is ``None``, never 0 or "".
Sides are told by ``p1``/``p2``, never by user names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pydantic import TypeAdapter

SideRole = Literal["p1", "p2"]
StatName = Literal["hp", "atk", "def", "spa", "spd", "spe"]
BoostName = Literal["atk", "def", "spa", "spd", "spe", "accuracy", "evasion"]

NO_ITEM = "noitem"
"""The item id of a Pokémon that is known to hold nothing (``None`` means: not known)."""


@dataclass(frozen=True, slots=True)
class MoveView:
    """One known move of a Pokémon. ``pp`` is what is left; for a foe it is counted from the log."""

    id: str
    pp: int | None = None
    max_pp: int | None = None
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class Timed:
    """A condition (volatile effect, side condition, weather, terrain, pseudo-weather).

    ``layers`` counts stacked ones (Spikes 1–3). ``turns_left_min``/``turns_left_max`` bound the
    turns that remain, this one included; they differ where an unseen item (Light Clay, a weather
    rock, Terrain Extender) would prolong it, and are ``None`` where there is no end to count.
    ``started_turn`` is the turn in which it began. ``detail`` is the move or type bound to it
    (Encore, Disable, Choice lock), as a Showdown id.
    """

    id: str
    layers: int = 1
    started_turn: int | None = None
    turns_left_min: int | None = None
    turns_left_max: int | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class PokemonView:
    """One Pokémon as its observer knows it.

    ``species`` is the forme it has now (Transform and Illusion included, as far as seen),
    ``team_species`` the one it was drawn as. ``types`` are those of now. ``base_stats`` are of
    ``species``. ``hp`` and ``max_hp`` are points for one's own, ``None`` for a foe, whose
    ``hp_fraction`` (0 to 1) comes in hundredths. ``stats`` are the exact unboosted ones, own only.
    ``status_turns``: turns asleep so far, or the toxic counter. ``ability`` is the one in force
    now, ``base_ability`` the one it was drawn with. ``item`` is ``NO_ITEM`` where it is known that
    nothing is held; ``former_items`` were held, newest last. ``moves`` are the known ones (own:
    all four). ``slot`` is one's own team position (1-6) as the server's last request numbers it.
    ``disguised_as`` is the species that the foe sees while one's own Illusion is on.
    """

    species: str
    team_species: str
    name: str
    level: int
    gender: Literal["M", "F", "N"] | None
    types: tuple[str, ...]
    base_stats: dict[StatName, int]
    hp_fraction: float
    hp: int | None = None
    max_hp: int | None = None
    status: str | None = None
    status_turns: int | None = None
    ability: str | None = None
    base_ability: str | None = None
    item: str | None = None
    former_items: tuple[str, ...] = ()
    moves: tuple[MoveView, ...] = ()
    stats: dict[StatName, int] | None = None
    boosts: tuple[tuple[BoostName, int], ...] = ()
    volatiles: tuple[Timed, ...] = ()
    active: bool = False
    fainted: bool = False
    slot: int | None = None
    transformed_into: str | None = None
    last_move: str | None = None
    turns_active: int | None = None
    disguised_as: str | None = None

    def boost(self, stat: BoostName) -> int:
        """The stage of ``stat``, 0 where it is unchanged (−6 to +6)."""
        return dict(self.boosts).get(stat, 0)

    def has_volatile(self, effect: str) -> bool:
        """Whether a volatile effect with this Showdown id is on it."""
        return any(volatile.id == effect for volatile in self.volatiles)


@dataclass(frozen=True, slots=True)
class SideView:
    """One side: its active Pokémon (``None`` before the first switch-in), the known bench
    (fainted ones included), and what lies on its half of the field."""

    role: SideRole
    active: PokemonView | None
    bench: tuple[PokemonView, ...]
    team_size: int
    conditions: tuple[Timed, ...] = ()

    @property
    def team(self) -> tuple[PokemonView, ...]:
        """Every known Pokémon of this side, the active one first."""
        return (self.active, *self.bench) if self.active is not None else self.bench

    @property
    def remaining(self) -> int:
        """How many have not fainted, unseen ones included."""
        return self.team_size - sum(pokemon.fainted for pokemon in self.team)

    def condition(self, effect: str) -> Timed | None:
        """The side condition with this Showdown id, if it is there."""
        return next((found for found in self.conditions if found.id == effect), None)


@dataclass(frozen=True, slots=True)
class FieldView:
    """What concerns both sides: weather, terrain, and rooms or gravity (``pseudo_weather``)."""

    weather: Timed | None = None
    terrain: Timed | None = None
    pseudo_weather: tuple[Timed, ...] = ()

    def has(self, effect: str) -> bool:
        """Whether a room, gravity or the like with this Showdown id is up."""
        # Mostly there is none, and a decision asks a hundred times.
        return bool(self.pseudo_weather) and any(one.id == effect for one in self.pseudo_weather)


@dataclass(frozen=True, slots=True)
class LegalOrder:
    """One order that the server would take now.

    ``target`` is the move's id, or the species id of the Pokémon to switch to (``slot`` is its
    team position then). ``label`` is its unambiguous name in prompts and answers (two benched
    Pokémon never share one). ``choice`` is the text for the server's ``/choose`` (``move 2``).
    """

    kind: Literal["move", "switch"]
    target: str
    label: str
    choice: str
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class SpeedView:
    """Who is faster now, all known modifiers included (boosts, paralysis, items, Tailwind …).

    ``own`` is exact; the foe's lies between ``foe_low`` and ``foe_high``. ``trick_room`` turns the
    order round. ``first`` is the side that moves first at equal priority, ``None`` where open.
    """

    own: int | None
    foe_low: int | None
    foe_high: int | None
    trick_room: bool = False
    first: Literal["own", "foe"] | None = None


@dataclass(frozen=True, slots=True)
class BattleView:
    """All that one player may know at one decision.

    ``legal_orders`` is exactly what the server takes, in the request's order: moves, then switches.
    ``forced_switch`` is true after a faint, a pivot move or an Eject Button, whatever the cause;
    ``trapped`` and ``maybe_trapped`` are the server's words; ``maybe_disabled`` says that it may
    refuse a move which it cannot name yet.
    """

    battle_format: str
    turn: int
    me: SideRole
    own: SideView
    foe: SideView
    field: FieldView
    legal_orders: tuple[LegalOrder, ...]
    forced_switch: bool = False
    trapped: bool = False
    maybe_trapped: bool = False
    speed: SpeedView | None = None
    maybe_disabled: bool = False


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[BattleView]:
    # Built on first use: building it at import would slow every command.
    return TypeAdapter(BattleView)


def dump_view(view: BattleView) -> bytes:
    """The view as JSON (UTF-8); ``load_view`` gives an equal view back."""
    return _adapter().dump_json(view)


def load_view(data: bytes | str) -> BattleView:
    """The view stored by ``dump_view``. Raises pydantic's ``ValidationError`` on anything else."""
    return _adapter().validate_json(data)
