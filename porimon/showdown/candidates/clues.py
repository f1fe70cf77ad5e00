"""What an item or an ability would have shown by now, from the events of a battle.

A Pokémon that was hurt at the end of a turn and did not heal holds no Leftovers; one that used two
moves in a row holds no Choice item. Only inferences that the game's rules make certain are drawn,
and none where something may suppress an effect (Magic Room, Embargo, Klutz, Neutralizing Gas, a
changed item or ability). The tracker reads the same protocol lines as the view's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from porimon.showdown.dex import dex
from porimon.showdown.events import model as events
from porimon.showdown.events.parse import parse_line
from porimon.showdown.view.model import SideRole

CHOICE_ITEMS = ("choiceband", "choicescarf", "choicespecs")
END_OF_TURN_HEALING = ("leftovers", "blacksludge")
EXCHANGES = frozenset({"trick", "switcheroo"})
ENTRY_HAZARDS = frozenset({"stealthrock", "spikes"})
BOOTS = "heavydutyboots"

ANNOUNCED_ON_ENTRY = (
    "airlock", "cloudnine", "darkaura", "fairyaura", "intimidate", "moldbreaker",
    "neutralizinggas", "pressure", "teravolt", "turboblaze", "unnerve",
)  # fmt: skip
"""Abilities that a message names whenever their Pokémon comes in."""

SITRUS_FRACTION = 0.49
"""HP at which a Sitrus Berry is surely eaten: half, and a hundredth for the rounding."""

_ITEM_SUPPRESSORS = frozenset({"embargo", "healblock"})
_SPARED_RECOIL = frozenset({"magicguard", "sheerforce"})
_SPARED_CONTACT = frozenset({"magicguard", "longreach"})
_SPARED_HAZARDS = frozenset({"magicguard"})
_BERRY_STOPPERS = frozenset({"unnerve", "asoneglastrier", "asonespectrier"})


@dataclass(frozen=True, slots=True)
class Clues:
    """What is certain of a Pokémon's set besides what was seen; reasons in words.

    ``implied_item`` is the item that it must have come with.
    """

    excluded_items: Mapping[str, str] = field(default_factory=dict)
    excluded_abilities: Mapping[str, str] = field(default_factory=dict)
    implied_item: str | None = None


NO_CLUES = Clues()


@dataclass(slots=True)
class _Watched:
    """One Pokémon as the tracker follows it. ``hp`` is a fraction."""

    abilities: frozenset[str]
    hp: float = 1.0
    fainted: bool = False
    transformed: bool = False
    item_is_its_own: bool = True
    gives_its_own: bool = True
    """Whether its item was its own when the present move began: an exchange takes two messages."""
    ability_is_its_own: bool = True
    items_work: bool = True
    moves_since_entry: set[str] = field(default_factory=set)
    hurt_by_hazard: bool = False
    announced: bool = False
    hp_before_residual: float | None = None
    healed_by_item: bool = False
    expected: dict[str, str] = field(default_factory=dict)
    """Items that must show themselves before the next boundary, with the reason to exclude them."""
    excluded_items: dict[str, str] = field(default_factory=dict)
    excluded_abilities: dict[str, str] = field(default_factory=dict)
    implied_item: str | None = None


class ClueTracker:
    """Follows a battle's protocol lines and keeps what they make certain, for both sides."""

    def __init__(self) -> None:
        self._pokemon: dict[tuple[SideRole, str], _Watched] = {}
        self._active: dict[SideRole, _Watched] = {}
        self._entered: list[tuple[SideRole, _Watched]] = []
        self._before_entry: dict[int, tuple[dict[str, str], dict[str, str], str | None]] = {}
        self._rocks: dict[SideRole, bool] = {"p1": False, "p2": False}
        self._magic_room = False
        self._last_move: tuple[SideRole, str] | None = None

    def apply(self, lines: Iterable[str | Sequence[str]]) -> None:
        """Take in protocol lines, raw or split at their bars, each once and in order."""
        self.apply_events(parse_line(line) for line in lines)

    def apply_events(self, found: Iterable[events.Event]) -> None:
        """Take in the events of lines that have been read already."""
        for event in found:
            self._event(event)

    def clues(self, side: SideRole, name: str) -> Clues:
        """What is certain of the Pokémon of that name on that side."""
        watched = self._pokemon.get((side, name))
        if watched is None:
            return NO_CLUES
        return Clues(
            dict(watched.excluded_items), dict(watched.excluded_abilities), watched.implied_item
        )

    # --- one event ---------------------------------------------------------------------------

    def _event(self, event: events.Event) -> None:
        match event:
            case events.Switch():
                # Of two that come in at once, the first shows itself after the second's message.
                self._settle_expected()
                self._switch(event)
            case events.Move():
                self._boundary()
                self._move(event)
            case events.Spacer():
                self._boundary()
                for watched in self._active.values():
                    watched.hp_before_residual = watched.hp
                    watched.healed_by_item = False
            case events.Upkeep():
                # No boundary: a berry is eaten after this message.
                self._end_of_turn()
            case events.Turn() | events.Cant():
                self._boundary()
            case events.Damage() | events.Heal() | events.SetHp():
                self._hp(event)
            case events.Faint():
                if (fainted := self._find(event.pokemon)) is not None:
                    fainted.hp, fainted.fainted = 0.0, True
            case events.SuperEffective():
                self._expect(event.pokemon, "weaknesspolicy", "hit hard, no Weakness Policy")
            case events.Boost():
                if event.amount < 0:
                    self._expect(event.pokemon, "whiteherb", "a lowered stat was not restored")
            case events.Status():
                self._expect_berry(event.pokemon, "lumberry", "its status was not cured")
                if event.status == "slp":
                    self._expect_berry(event.pokemon, "chestoberry", "it was not woken")
            case events.Item() | events.ItemEnd():
                self._item_seen(event)
            case events.Ability() | events.AbilityEnd():
                self._ability_seen(event)
            case events.Transform():
                if (changed := self._find(event.pokemon)) is not None:
                    changed.transformed = True
            case events.VolatileStart():
                bound = self._find(event.pokemon)
                if bound is not None and event.effect.id in _ITEM_SUPPRESSORS:
                    bound.items_work = False
            case events.IllusionEnded():
                self._illusion_ended(event)
            case events.SideStart() | events.SideEnd():
                if event.effect.id == "stealthrock":
                    self._rocks[event.side] = isinstance(event, events.SideStart)
            case events.SwapSideConditions():
                self._rocks = {"p1": self._rocks["p2"], "p2": self._rocks["p1"]}
            case events.FieldStart() | events.FieldEnd():
                if event.effect.id == "magicroom":
                    self._magic_room = isinstance(event, events.FieldStart)
            case _:
                pass

    def _switch(self, event: events.Switch) -> None:
        ident = event.pokemon
        watched = self._pokemon.get((ident.side, ident.name))
        if watched is None:
            species = dex().find_species(event.details.species_id)
            watched = _Watched(frozenset(species.abilities if species else ()))
            self._pokemon[(ident.side, ident.name)] = watched
        watched.hp = event.condition.fraction
        watched.transformed = watched.hurt_by_hazard = watched.announced = False
        watched.items_work = watched.ability_is_its_own = True
        watched.moves_since_entry = set()
        watched.hp_before_residual = None
        watched.expected = {}
        self._before_entry[id(watched)] = (
            dict(watched.excluded_items),
            dict(watched.excluded_abilities),
            watched.implied_item,
        )
        self._active[ident.side] = watched
        self._entered.append((ident.side, watched))
        self._last_move = None

    def _move(self, event: events.Move) -> None:
        watched = self._find(event.pokemon)
        move = dex().find_move(event.move)
        self._last_move = None
        if watched is None or move is None or event.cause is not None:
            return
        self._last_move = (event.pokemon.side, move.id)
        if watched.transformed or move.id == "struggle":
            return
        watched.moves_since_entry.add(move.id)
        if len(watched.moves_since_entry) > 1:
            for item in CHOICE_ITEMS:
                self._exclude(watched, item, "it used two different moves without switching")
        if move.category == "status":
            self._exclude(watched, "assaultvest", "it used a status move")

    def _hp(self, event: events.Damage | events.Heal | events.SetHp) -> None:
        watched = self._find(event.pokemon)
        if watched is None:
            return
        watched.hp = event.condition.fraction
        if watched.hp >= 1:
            watched.hp_before_residual = None  # there was nothing left to heal
        cause = event.cause.id if event.cause is not None else None
        if cause in END_OF_TURN_HEALING:
            watched.healed_by_item = True
        if cause in ENTRY_HAZARDS:
            watched.hurt_by_hazard = True
            self._exclude(watched, BOOTS, "a hazard hurt it on entry")
        if cause in ("lifeorb", "rockyhelmet"):
            holder = self._find(event.of) if event.of is not None else watched
            if holder is not None:
                holder.expected.pop(cause, None)
        if watched.hp <= SITRUS_FRACTION and watched.hp > 0:
            self._expect_berry(event.pokemon, "sitrusberry", "it was below half and ate nothing")
        if isinstance(event, events.Damage) and cause is None:
            self._hit(event.pokemon, watched)

    def _hit(self, ident: events.PokemonIdent, target: _Watched) -> None:
        """A move took HP: what its user and its target hold would show now."""
        if self._last_move is None or self._last_move[0] == ident.side:
            return
        side, name = self._last_move
        user = self._active.get(side)
        move = dex().move(name)
        if user is None or user.fainted:
            return
        if not user.abilities & _SPARED_RECOIL and user.ability_is_its_own:
            user.expected["lifeorb"] = "its attack cost it nothing"
        if (
            move.makes_contact
            and not user.abilities & _SPARED_CONTACT
            and user.ability_is_its_own
            and not target.fainted
        ):
            target.expected["rockyhelmet"] = "touching it cost nothing"

    def _expect(self, ident: events.PokemonIdent, item: str, reason: str) -> None:
        watched = self._find(ident)
        if watched is not None:
            watched.expected[item] = reason

    def _expect_berry(self, ident: events.PokemonIdent, item: str, reason: str) -> None:
        foe = self._active.get("p2" if ident.side == "p1" else "p1")
        if foe is None or not foe.abilities & _BERRY_STOPPERS:
            self._expect(ident, item, reason)

    def _item_seen(self, event: events.Item | events.ItemEnd) -> None:
        watched = self._find(event.pokemon)
        if watched is None:
            return
        watched.expected.clear()
        if isinstance(event, events.Item) and event.cause is not None:
            giver = self._active.get("p2" if event.pokemon.side == "p1" else "p1")
            if event.cause.id in EXCHANGES and giver is not None and giver.gives_its_own:
                giver.implied_item = event.item_id
        if isinstance(event, events.ItemEnd) or event.cause is not None:
            watched.item_is_its_own = False

    def _ability_seen(self, event: events.Ability | events.AbilityEnd) -> None:
        watched = self._find(event.pokemon)
        if watched is None:
            return
        watched.announced = True
        if isinstance(event, events.AbilityEnd) or event.cause is not None:
            watched.ability_is_its_own = False

    # --- conclusions -------------------------------------------------------------------------

    def _boundary(self) -> None:
        """Something new begins: what had to show itself by now has, or is not there."""
        self._settle_expected()
        entered, self._entered = self._entered, []
        for side, watched in entered:
            self._after_entry(side, watched)

    def _settle_expected(self) -> None:
        for watched in self._active.values():
            watched.gives_its_own = watched.item_is_its_own
            for item, reason in watched.expected.items():
                if not watched.fainted and watched.hp > 0:
                    self._exclude(watched, item, reason)
            watched.expected.clear()

    def _after_entry(self, side: SideRole, watched: _Watched) -> None:
        if self._active.get(side) is not watched or watched.fainted or watched.hp <= 0:
            return
        spared = watched.abilities & _SPARED_HAZARDS
        if (
            self._rocks[side]
            and not watched.hurt_by_hazard
            and not spared
            and self._is_sure(watched)
        ):
            watched.implied_item = BOOTS
        foe = self._active.get("p2" if side == "p1" else "p1")
        gas = any("neutralizinggas" in active.abilities for active in self._active.values())
        if not watched.announced and not gas and foe is not None and not foe.fainted:
            for ability in ANNOUNCED_ON_ENTRY:
                if ability in watched.abilities:
                    watched.excluded_abilities.setdefault(ability, "it did not show on entry")

    def _end_of_turn(self) -> None:
        for watched in self._active.values():
            before, watched.hp_before_residual = watched.hp_before_residual, None
            was_hurt = before is not None and before < 1 and 0 < watched.hp < 1
            if was_hurt and not watched.fainted and not watched.healed_by_item:
                for item in END_OF_TURN_HEALING:
                    self._exclude(watched, item, "it was hurt and did not heal")

    def _is_sure(self, watched: _Watched) -> bool:
        """Whether nothing keeps the item that it came with from showing itself."""
        return (
            watched.item_is_its_own
            and watched.items_work
            and not self._magic_room
            and "klutz" not in watched.abilities
        )

    def _exclude(self, watched: _Watched, item: str, reason: str) -> None:
        if self._is_sure(watched):
            watched.excluded_items.setdefault(item, reason)

    def _illusion_ended(self, event: events.IllusionEnded) -> None:
        """What was concluded since the entry of the one that it seemed to be was wrong."""
        seemed = self._active.get(event.pokemon.side)
        if seemed is not None and id(seemed) in self._before_entry:
            items, abilities, implied = self._before_entry[id(seemed)]
            seemed.excluded_items, seemed.excluded_abilities = items, abilities
            seemed.implied_item = implied
        key = (event.pokemon.side, event.pokemon.name)
        species = dex().find_species(event.details.species_id)
        known = self._pokemon.setdefault(
            key, _Watched(frozenset(species.abilities if species else ()))
        )
        if seemed is not None:
            known.hp = seemed.hp
        self._active[event.pokemon.side] = known

    def _find(self, ident: events.PokemonIdent | None) -> _Watched | None:
        return None if ident is None else self._pokemon.get((ident.side, ident.name))
