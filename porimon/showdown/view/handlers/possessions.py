"""Items and abilities: shown, gained, lost, changed; and what the cause of any event reveals."""

from __future__ import annotations

from porimon.showdown.events.model import (
    Ability,
    AbilityEnd,
    Activate,
    Cant,
    Event,
    Heal,
    Item,
    ItemEnd,
    VolatileStart,
    showdown_id,
)
from porimon.showdown.view.battle_state import BattleState
from porimon.showdown.view.handlers.registry import Handlers
from porimon.showdown.view.pokemon_state import PokemonState
from porimon.showdown.view.possible import spoken_ability

handlers = Handlers()

ITEM_EXCHANGES = frozenset({"trick", "switcheroo"})
ITEM_THEFTS = frozenset({"thief", "covet", "pickpocket", "magician", "bestow", "symbiosis"})
ITEMS_THAT_ACT_ON_FOES = frozenset({"rockyhelmet", "jabocaberry", "rowapberry", "stickybarb"})
ABILITY_SHOWN_FOR_OTHERS = frozenset({"frisk", "trace"})


@handlers.on(Item)
def _item(state: BattleState, event: Item) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is None:
        return
    cause = event.cause.id if event.cause is not None else None
    if cause in ITEM_EXCHANGES:
        giver = state.foe_of(pokemon)
        if giver is not None and giver.item is None:
            # What comes over now is what the other one held until now.
            giver.item = event.item_id
        pokemon.gain_item(event.item_id)
    elif cause in ITEM_THEFTS or cause in ("recycle", "harvest", "pickup"):
        pokemon.gain_item(event.item_id)
    else:
        pokemon.item = event.item_id


@handlers.on(ItemEnd)
def _item_end(state: BattleState, event: ItemEnd) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        pokemon.lose_item(event.item_id)


@handlers.on(Ability)
def _ability(state: BattleState, event: Ability) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is None:
        return
    ability = event.ability_id
    if event.cause is None:
        _reveal_ability(state, pokemon, ability)
        return
    former = showdown_id(event.former) if event.former and event.former != "boost" else None
    if event.cause.id == "trace":
        former = "trace"
        source = state.find(event.of) if event.of is not None else None
        if source is not None:
            source.reveal_ability(ability)
    pokemon.change_ability(ability, former)


@handlers.on(AbilityEnd)
def _ability_end(state: BattleState, event: AbilityEnd) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        if event.ability is not None:
            pokemon.reveal_ability(showdown_id(event.ability))
        pokemon.volatiles["gastroacid"] = state.start("gastroacid")


def _reveal_ability(state: BattleState, pokemon: PokemonState, spoken: str) -> None:
    ability = spoken_ability(state.dex, pokemon, spoken)
    if ability is not None:
        pokemon.reveal_ability(ability)


def reveal_cause(state: BattleState, event: Event) -> None:
    """An event caused by an item or ability shows that somebody has it."""
    named = getattr(event, "pokemon", None)
    pokemon = state.find(named) if named is not None else None
    _reveal_effect(state, event, pokemon)
    cause = event.cause
    if cause is None or cause.kind not in ("item", "ability"):
        return
    of = state.find(event.of) if event.of is not None else None
    if cause.kind == "item":
        holder = of if cause.id in ITEMS_THAT_ACT_ON_FOES and of is not None else pokemon
        if holder is not None and not isinstance(event, Item | ItemEnd):
            holder.reveal_item(cause.id)
        return
    if isinstance(event, Ability) or cause.id == "trace":
        return
    holder = pokemon if isinstance(event, Heal) or of is None else of
    if holder is not None:
        _reveal_ability(state, holder, cause.id)


def _reveal_effect(state: BattleState, event: Event, pokemon: PokemonState | None) -> None:
    """Messages that name an item or ability as what acts."""
    if pokemon is None:
        return
    if isinstance(event, Activate):
        if event.effect.id == "poltergeist" and event.arguments:
            pokemon.reveal_item(showdown_id(event.arguments[0]))
        elif event.effect.kind == "item":
            pokemon.reveal_item(event.effect.id)
        elif event.effect.kind == "ability" and event.effect.id not in ("mummy",):
            _reveal_ability(state, pokemon, event.effect.id)
    elif isinstance(event, VolatileStart) and event.effect.kind == "ability":
        _reveal_ability(state, pokemon, event.effect.id)
    elif isinstance(event, Cant) and event.reason.kind == "ability":
        _reveal_ability(state, pokemon, event.reason.id)
