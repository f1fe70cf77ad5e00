"""What the log has told about the whole battle: two sides, the field, the turn."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from porimon.showdown.dex import Dex
from porimon.showdown.events.model import PokemonIdent
from porimon.showdown.view.durations import Lengths, Running, Setter
from porimon.showdown.view.model import SideRole
from porimon.showdown.view.pokemon_state import PokemonState

OTHER_SIDE: dict[SideRole, SideRole] = {"p1": "p2", "p2": "p1"}


@dataclass(slots=True)
class SideState:
    """One side. ``before_entry`` holds, by name, each Pokémon's record as it was when it last came
    in (``None`` at first sight): if another one came in under that name (Illusion), the record
    goes back to that."""

    role: SideRole
    team_size: int = 6
    pokemon: dict[str, PokemonState] = field(default_factory=dict)
    active: PokemonState | None = None
    before_entry: dict[str, PokemonState | None] = field(default_factory=dict)
    conditions: dict[str, Running] = field(default_factory=dict)


@dataclass(slots=True)
class FieldState:
    """Weather, terrain, and rooms or the like."""

    weather: Running | None = None
    terrain: Running | None = None
    pseudo_weather: dict[str, Running] = field(default_factory=dict)


@dataclass(slots=True)
class BattleState:
    """The whole battle. ``exact_sides`` are those whose HP the log gives in points."""

    dex: Dex
    exact_sides: frozenset[SideRole]
    sides: dict[SideRole, SideState]
    field: FieldState = field(default_factory=FieldState)
    format_name: str = ""
    turn: int = 0
    in_end_phase: bool = False
    last_mover: PokemonState | None = None
    finished: bool = False

    @classmethod
    def new(cls, dex: Dex, exact_sides: frozenset[SideRole]) -> BattleState:
        """A battle before its first message."""
        return cls(dex, exact_sides, {"p1": SideState("p1"), "p2": SideState("p2")})

    def find(self, ident: PokemonIdent) -> PokemonState | None:
        """The Pokémon that a message speaks of: the active one by its position, else by name."""
        side = self.sides[ident.side]
        if ident.position is not None and side.active is not None:
            return side.active
        return side.pokemon.get(ident.name)

    def foe_of(self, pokemon: PokemonState) -> PokemonState | None:
        """The Pokémon that faces ``pokemon``."""
        return self.sides[OTHER_SIDE[pokemon.role]].active

    def start(
        self,
        effect: str,
        lengths: Lengths = (),
        *,
        setter: PokemonState | None = None,
        detail: str | None = None,
        expires: bool = False,
    ) -> Running:
        """A condition that begins now."""
        return Running(
            id=effect,
            started_turn=self.turn,
            lengths=lengths,
            detail=detail,
            setter=Setter.now(setter) if setter is not None else None,
            fresh=self.in_end_phase,
            expires=expires,
        )


def snapshot(pokemon: PokemonState) -> PokemonState:
    """An independent copy of a Pokémon's record (its effects' setters stay shared)."""
    kept = copy.copy(pokemon)
    kept.former_items = list(pokemon.former_items)
    kept.moves = {move: copy.copy(state) for move, state in pokemon.moves.items()}
    kept.boosts = dict(pokemon.boosts)
    kept.volatiles = {effect: running.copy() for effect, running in pokemon.volatiles.items()}
    kept.moves_since_entry = set(pokemon.moves_since_entry)
    return kept
