"""Who moved first, told only when Speed decided it.

Two moves of one turn are compared when both were chosen this turn and have the same priority with
certainty. Nothing is said when anything else may have decided: an ability that changes priority or
order (Prankster, Gale Wings, Triage, Stall), Grassy Glide on Grassy Terrain, Quick Claw, Quick
Draw, a Custap Berry, Lagging Tail, an Encore in between, Trick Room, a switch, or a Pokémon that
could not move (its move, hence its priority, stays unknown).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from porimon.showdown.dex.model import Move, Species
from porimon.showdown.events import model
from porimon.showdown.events.model import Event, SideRole
from porimon.showdown.events.sentences.naming import sentence
from porimon.showdown.events.sentences.scene import Active, Scene

_FIRST_BY_LUCK = frozenset({"quickclaw", "quickdraw", "custapberry", "afteryou", "quash"})
_LAST_BY_ITEM = frozenset({"laggingtail", "fullincense"})
_LAST_BY_ABILITY = frozenset({"stall", "myceliummight"})
_TRIAGE_BONUS = 3

_TELLING = frozenset(
    {
        model.Turn,
        model.Upkeep,
        model.Cant,
        model.Activate,
        model.ItemEnd,
        model.VolatileStart,
        model.Switch,
        model.Move,
    }
)
"""The events that tell of the order of moves: asked first, as most lines are others."""


class MoveData(Protocol):
    """The game data that the order of moves needs; ``porimon.showdown.dex.Dex`` has them."""

    def find_move(self, name: str) -> Move | None:
        """The move of that id."""
        ...

    def find_species(self, name: str) -> Species | None:
        """The species of that id."""
        ...


@dataclass(frozen=True, slots=True)
class _Acted:
    side: SideRole
    name: str
    priorities: frozenset[int]


class MoveOrder:
    """Follows the events of a turn; ``note`` gives the sentence when the second move comes."""

    def __init__(self, data: MoveData) -> None:
        self._data = data
        self._first: _Acted | None = None
        self._open = False

    def note(self, event: Event, scene: Scene) -> str | None:
        """The sentence that an event gives rise to. ``scene`` is that before the event."""
        if type(event) not in _TELLING:
            return None
        match event:
            case model.Turn():
                self._first, self._open = None, True
            case model.Upkeep() | model.Cant():
                self._open = False
            case model.Activate(effect=effect) if effect.id in _FIRST_BY_LUCK:
                self._open = False
            case model.ItemEnd() if event.item_id in _FIRST_BY_LUCK:
                self._open = False
            case model.VolatileStart(effect=effect) if effect.id == "encore":
                self._open = False
            case model.Switch(pokemon=pokemon):
                # A switch before the side's move was its order; after it (U-turn), nothing new.
                if self._first is None or self._first.side != pokemon.side:
                    self._open = False
            case model.Move():
                return self._moved(event, scene)
            case _:
                pass
        return None

    def _moved(self, event: model.Move, scene: Scene) -> str | None:
        if not self._open or (event.cause is not None and event.cause.id != "lockedmove"):
            return None
        active = scene.active(event.pokemon)
        priorities = self._priorities(event.move_id, active, scene) if active else None
        if priorities is None:
            self._open = False
            return None
        name = scene.names.pokemon(event.pokemon)
        acted = _Acted(event.pokemon.side, name, priorities)
        first = self._first
        if first is None:
            self._first = acted
            return None
        self._open = False
        if first.side == acted.side or len(first.priorities | acted.priorities) != 1:
            return None
        return sentence(
            f"{first.name} moved before {name} at equal priority, so it was at least as fast"
        )

    def _priorities(self, move_id: str, active: Active, scene: Scene) -> frozenset[int] | None:
        """Every priority that the move may have had; ``None`` when the order is not told by it."""
        move = self._data.find_move(move_id)
        abilities = self._possible_abilities(active)
        if move is None or abilities is None or "trickroom" in scene.fields:
            return None
        if active.item in _LAST_BY_ITEM or abilities & _LAST_BY_ABILITY:
            return None
        if move.id == "grassyglide" and "grassyterrain" in scene.fields:
            return None
        possible = {move.priority}
        if "prankster" in abilities and move.category == "status":
            possible.add(move.priority + 1)
        if "galewings" in abilities and move.type == "flying":
            possible.add(move.priority + 1)
        if "triage" in abilities and "heal" in move.flags:
            possible.add(move.priority + _TRIAGE_BONUS)
        return frozenset(possible)

    def _possible_abilities(self, active: Active) -> frozenset[str] | None:
        found = set(active.abilities)
        for name in (active.species, active.transformed_from):
            if name is None:
                continue
            species = self._data.find_species(name)
            if species is None:
                return None
            found.update(species.abilities)
        return frozenset(found)
