"""Game data as a prompt names them: moves, abilities, items and the names of every id in a view."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from porimon.showdown.dex.store import Dex
from porimon.showdown.facts.model import Described, MoveFacts
from porimon.showdown.view.model import NO_ITEM, BattleView, Timed

CONDITION_NAMES = {
    "sunnyday": "Sun",
    "desolateland": "Extremely harsh sun",
    "raindance": "Rain",
    "primordialsea": "Heavy rain",
    "sandstorm": "Sandstorm",
    "hail": "Hail",
    "deltastream": "Strong winds",
    "confusion": "Confusion",
    "choicelock": "Choice lock",
    "typechange": "Type change",
    "lockedmove": "Locked into a move",
    "mustrecharge": "Must recharge",
    "partiallytrapped": "Bound",
    "trapped": "Trapped",
    "yawn": "Drowsy from Yawn",
    "futuremove": "Future Sight or Doom Desire",
    "perish3": "Perish Song (faints in 3 turns)",
    "perish2": "Perish Song (faints in 2 turns)",
    "perish1": "Perish Song (faints in 1 turn)",
    "perish0": "Perish Song (faints this turn)",
}
"""Names of conditions that are called otherwise than the move, ability or item behind them."""


_KEPT = 8192
_NO_EFFECT = frozenset({"No additional effect", "No competitive use"})


# The same moves, abilities and items are asked for at every decision of a battle.
@lru_cache(maxsize=_KEPT)
def move_facts(
    dex: Dex, identifier: str, probability: float | None = None, type_id: str | None = None
) -> MoveFacts:
    """A move for prompts. ``type_id`` is the type it has now, where that differs from the dex."""
    move = dex.move(identifier)
    return MoveFacts(
        id=move.id,
        name=move.name,
        type=type_name(type_id or move.type),
        category=move.category,
        base_power=move.base_power if move.base_power > 0 else None,
        accuracy=None if move.accuracy is None else move.accuracy / 100,
        priority=move.priority,
        effect=sentence(move.short_text or move.text),
        probability=probability,
    )


@lru_cache(maxsize=_KEPT)
def ability_facts(dex: Dex, identifier: str, probability: float | None = None) -> Described:
    """An ability with its effect; an unknown id keeps its id as its name and has no effect text."""
    found = dex.find_ability(identifier)
    if found is None:
        return Described(identifier, identifier, "", probability)
    return Described(found.id, found.name, sentence(found.short_text or found.text), probability)


@lru_cache(maxsize=_KEPT)
def item_facts(dex: Dex, identifier: str, probability: float | None = None) -> Described:
    """An item with its effect; ``NO_ITEM`` is called "no item"."""
    if identifier in ("", NO_ITEM):
        return Described(NO_ITEM, "no item", "", probability)
    found = dex.find_item(identifier)
    if found is None:
        return Described(identifier, identifier, "", probability)
    return Described(found.id, found.name, sentence(found.short_text or found.text), probability)


def _ability_name(dex: Dex, identifier: str) -> str:
    found = dex.find_ability(identifier)
    return identifier if found is None else found.name


def _item_name(dex: Dex, identifier: str) -> str:
    if identifier == NO_ITEM:
        return "no item"
    found = dex.find_item(identifier)
    return identifier if found is None else found.name


@lru_cache(maxsize=64)
def type_name(identifier: str) -> str:
    """The name of a type's id: ``fire`` is ``Fire``."""
    return identifier.capitalize()


@lru_cache(maxsize=4096)
def sentence(text: str) -> str:
    """An effect text on one line, without the final full stop; empty where it says "no effect"."""
    said = " ".join(text.split()).removesuffix(".")
    return "" if said in _NO_EFFECT else said


def names_in(view: BattleView, dex: Dex) -> dict[str, str]:
    """The name of every species, move, ability, item and condition that the view holds."""
    names: dict[str, str] = {}
    for pokemon in (*view.own.team, *view.foe.team):
        names.update(
            _names_of_pokemon(
                (pokemon.species, pokemon.team_species, pokemon.transformed_into),
                (pokemon.item, *pokemon.former_items),
                (pokemon.ability, pokemon.base_ability),
                tuple([move.id for move in pokemon.moves]),
                dex,
            )
        )
        _names_of_conditions(pokemon.volatiles, dex, names)
    timed: list[Timed] = [*view.own.conditions, *view.foe.conditions, *view.field.pseudo_weather]
    timed += [found for found in (view.field.weather, view.field.terrain) if found is not None]
    _names_of_conditions(timed, dex, names)
    return dict(sorted(names.items()))


# Most Pokémon are known by the same names as at the last decision.
@lru_cache(maxsize=_KEPT)
def _names_of_pokemon(
    species: tuple[str | None, ...],
    items: tuple[str | None, ...],
    abilities: tuple[str | None, ...],
    moves: tuple[str, ...],
    dex: Dex,
) -> dict[str, str]:
    names: dict[str, str] = {}
    for form in (each for each in species if each):
        found = dex.find_species(form)
        names[form] = found.name if found else form
    names.update({item: _item_name(dex, item) for item in items if item})
    names.update({ability: _ability_name(dex, ability) for ability in abilities if ability})
    names.update({move: condition_name(move, dex) for move in moves})
    return names


def _names_of_conditions(found: Iterable[Timed], dex: Dex, names: dict[str, str]) -> None:
    for condition in found:
        names[condition.id] = condition_name(condition.id, dex)
        if condition.detail:
            names[condition.detail] = condition_name(condition.detail, dex)


def condition_name(identifier: str, dex: Dex) -> str:
    """What a condition is called: by its own name, or that of its move, ability, item or type."""
    if identifier in CONDITION_NAMES:
        return CONDITION_NAMES[identifier]
    found = dex.find_move(identifier) or dex.find_ability(identifier) or dex.find_item(identifier)
    if found is not None:
        return found.name
    return type_name(identifier) if identifier in dex.types else identifier
