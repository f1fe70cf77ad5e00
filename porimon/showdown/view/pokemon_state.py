"""What the log has told about one Pokémon so far: the tracker's mutable record of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from porimon.showdown.events.model import Condition, Details
from porimon.showdown.view.model import NO_ITEM, BoostName, SideRole

if TYPE_CHECKING:
    from porimon.showdown.view.durations import Running

COPIED_PP = 5
"""The most PP that a move has which Transform copied."""


@dataclass(slots=True)
class MoveState:
    """A known move: how much of its PP was used. ``max_pp`` is what it began with."""

    id: str
    max_pp: int | None
    used: int = 0

    @property
    def pp(self) -> int | None:
        """What is left."""
        return None if self.max_pp is None else max(0, self.max_pp - self.used)


@dataclass(slots=True)
class PokemonState:
    """One Pokémon of either side, by its messages alone.

    ``kept_species`` is the forme that it returns to when it leaves the field. ``types`` is set
    while an effect replaces the species' own. ``copied_moves`` are the moves it has while
    transformed, ``copied_speeds`` the Speed stats that this may have given it. ``exact_speed`` is
    one's own Pokémon's stat. ``disguised_as`` is the species that one's own Illusion shows.
    ``acted`` says whether it has had its move in this turn. ``choice_candidate`` is the move that
    a Choice item would bind it to.
    """

    role: SideRole
    name: str
    species: str
    kept_species: str
    team_species: str
    level: int
    gender: Literal["M", "F", "N"] | None
    shiny: bool = False
    hp: int | None = None
    max_hp: int | None = None
    hp_fraction: float = 1.0
    status: str | None = None
    status_turns: int | None = None
    status_fresh: bool = False
    fainted: bool = False
    ability: str | None = None
    base_ability: str | None = None
    item: str | None = None
    former_items: list[str] = field(default_factory=list)
    moves: dict[str, MoveState] = field(default_factory=dict)
    copied_moves: dict[str, MoveState] | None = None
    transformed_into: str | None = None
    copied_speeds: tuple[int, ...] = ()
    exact_speed: int | None = None
    disguised_as: str | None = None
    types: tuple[str, ...] | None = None
    added_type: str | None = None
    boosts: dict[BoostName, int] = field(default_factory=dict)
    volatiles: dict[str, Running] = field(default_factory=dict)
    last_move: str | None = None
    turns_active: int | None = None
    acted: bool = False
    choice_candidate: str | None = None
    moves_since_entry: set[str] = field(default_factory=set)
    item_lost_since_entry: bool = False

    @classmethod
    def seen(cls, role: SideRole, name: str, details: Details) -> PokemonState:
        """A Pokémon that shows itself for the first time."""
        species = details.species_id
        return cls(
            role=role,
            name=name,
            species=species,
            kept_species=species,
            team_species=species,
            level=details.level,
            gender=details.gender or "N",
            shiny=details.shiny,
        )

    def describe(self, details: Details) -> None:
        """Take over species (for good), level, gender and shininess."""
        self.species = self.kept_species = details.species_id
        self.level, self.shiny = details.level, details.shiny
        self.gender = details.gender or "N"

    # --- HP and status -----------------------------------------------------------------------

    def set_condition(self, condition: Condition, exact: bool) -> None:
        """HP and status as a message gives them; ``exact``: in points, not in hundredths."""
        self.hp_fraction = condition.fraction
        if exact:
            self.hp = condition.hp
            self.max_hp = condition.max_hp or self.max_hp
        if condition.fainted:
            return
        if condition.status != self.status:
            self.set_status(condition.status)

    def set_status(self, status: str | None, fresh: bool = False) -> None:
        """A status begins (its counter at 0), or, with ``None``, ends."""
        self.status = status
        self.status_turns = 0 if status in ("slp", "tox") else None
        self.status_fresh = fresh

    def faint(self) -> None:
        """It fainted: nothing that was on it stays."""
        self.fainted = True
        self.hp_fraction = 0.0
        self.hp = 0 if self.hp is not None else None
        self.set_status(None)
        self.leave_field()

    # --- leaving and entering the field ------------------------------------------------------

    def leave_field(self) -> None:
        """What ends when a Pokémon is withdrawn or faints."""
        self.boosts = {}
        self.volatiles = {}
        self.types = None
        self.added_type = None
        self.copied_moves = None
        self.transformed_into = None
        self.copied_speeds = ()
        self.disguised_as = None
        self.species = self.kept_species
        self.ability = self.base_ability
        self.last_move = None
        self.turns_active = None
        self.acted = False
        self.choice_candidate = None
        self.moves_since_entry = set()
        self.item_lost_since_entry = False

    def enter_field(self) -> None:
        """It comes in: counters begin anew."""
        self.turns_active = 0
        if self.status == "tox":
            self.status_turns = 0

    # --- items and abilities -----------------------------------------------------------------

    def reveal_item(self, item: str) -> None:
        """An item shows itself; one that is known to be gone does not come back by that."""
        if self.item is None:
            self.item = item

    def gain_item(self, item: str) -> None:
        """It holds ``item`` from now on, whatever it held before."""
        if self.item not in (None, NO_ITEM, item):
            self.former_items.append(str(self.item))
        self._item_changes()
        self.item = item

    def lose_item(self, item: str | None) -> None:
        """It holds nothing from now on; ``item`` is what it held, ``None`` where not told."""
        lost = item if item is not None else self.item
        if lost is not None and lost != NO_ITEM:
            self.former_items.append(lost)
        self._item_changes()
        self.item = NO_ITEM

    def _item_changes(self) -> None:
        self.choice_candidate = None
        self.moves_since_entry = set()
        self.item_lost_since_entry = True

    def reveal_ability(self, ability: str) -> None:
        """An ability shows itself. While nothing has changed it, it is the Pokémon's own."""
        if self.ability is None and self.base_ability is None and self.transformed_into is None:
            self.base_ability = ability
        self.ability = ability

    def change_ability(self, ability: str, former: str | None = None) -> None:
        """An effect gives it another ability; ``former`` is the one that it had."""
        if self.base_ability is None and self.transformed_into is None:
            self.base_ability = former or self.ability
        self.ability = ability

    # --- moves -------------------------------------------------------------------------------

    @property
    def known_moves(self) -> dict[str, MoveState]:
        """The moves that it has now: its own, or those that Transform gave it."""
        return self.moves if self.copied_moves is None else self.copied_moves

    # --- boosts and volatile effects ---------------------------------------------------------

    def boost(self, stat: BoostName, amount: int) -> None:
        """Raise (or lower) a stage, within −6 and +6."""
        self.set_boost(stat, max(-6, min(6, self.boosts.get(stat, 0) + amount)))

    def set_boost(self, stat: BoostName, amount: int) -> None:
        """Set a stage; 0 is not kept."""
        if amount:
            self.boosts[stat] = amount
        else:
            self.boosts.pop(stat, None)
