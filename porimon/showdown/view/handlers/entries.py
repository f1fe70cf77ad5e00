"""Coming in, going out and fainting; Baton Pass; Regenerator."""

from __future__ import annotations

from porimon.showdown.events.model import Condition, Details, Faint, IllusionEnded, Switch
from porimon.showdown.view.battle_state import BattleState, SideState, snapshot
from porimon.showdown.view.handlers.registry import Handlers
from porimon.showdown.view.illusion import (
    betrayed_by_hp,
    relieved_by_namesake,
    restore_impersonated,
    unmask,
    unmask_suspect,
)
from porimon.showdown.view.pokemon_state import PokemonState
from porimon.showdown.view.possible import (
    known_ability,
    known_base_ability,
    possible_abilities,
)

handlers = Handlers()

NOT_PASSED = frozenset(
    {
        "attract", "charge", "choicelock", "destinybond", "disable", "encore", "flashfire",
        "foresight", "imprison", "miracleeye", "nightmare", "smackdown", "stockpile", "torment",
        "trapped", "yawn",
    }
)  # fmt: skip
"""Volatile effects that Baton Pass leaves behind (the simulator's ``noCopy``)."""

HELD_BY_FOE = ("trapped", "attract", "octolock", "partiallytrapped")
"""Volatile effects that end when the Pokémon which caused them leaves."""

REGENERATED = 1 / 3
HUNDREDTH = 0.01


@handlers.on(Switch)
def _switch(state: BattleState, event: Switch) -> None:
    side = state.sides[event.pokemon.side]
    leaving = side.active
    boosts, volatiles = {}, {}
    disguised = None
    if leaving is not None:
        if leaving.name == event.pokemon.name and not leaving.fainted:
            disguised = relieved_by_namesake(state.dex, side, leaving, event.condition)
        if disguised == "leaving" and unmask_suspect(state.dex, side):
            leaving = side.active or leaving
        if event.cause is not None and event.cause.id == "batonpass":
            boosts = leaving.boosts
            volatiles = {
                effect: running
                for effect, running in leaving.volatiles.items()
                if effect not in NOT_PASSED
            }
        _withdraw(state, leaving)
    if disguised is None and betrayed_by_hp(state.dex, side, event.pokemon.name, event.condition):
        disguised = "entering"
    entering = _recognise(state, side, event.pokemon.name, event.details, event.condition)
    side.active = entering
    entering.set_condition(event.condition, side.role in state.exact_sides)
    entering.enter_field()
    entering.boosts, entering.volatiles = boosts, volatiles
    if disguised == "entering":
        unmask_suspect(state.dex, side)


def _recognise(
    state: BattleState, side: SideState, name: str, details: Details, condition: Condition
) -> PokemonState:
    """The record of the Pokémon that comes in, made anew on first sight."""
    found = side.pokemon.get(name)
    if found is not None and found.fainted and not condition.fainted:
        # A Pokémon that is down cannot come in: what fainted under its name was in disguise.
        found = restore_impersonated(state.dex, side, found)
    side.before_entry[name] = snapshot(found) if found is not None else None
    if found is None:
        found = side.pokemon[name] = PokemonState.seen(side.role, name, details)
    else:
        found.species = found.kept_species = details.species_id
        _notice_regenerator(state, found, condition)
    return found


def _withdraw(state: BattleState, leaving: PokemonState) -> None:
    if known_ability(state.dex, leaving) == "regenerator" and not leaving.fainted:
        leaving.hp_fraction = min(1.0, round(leaving.hp_fraction + REGENERATED, 2))
        if leaving.hp is not None and leaving.max_hp is not None:
            leaving.hp = min(leaving.max_hp, leaving.hp + leaving.max_hp // 3)
            leaving.hp_fraction = leaving.hp / leaving.max_hp
    _release(state, leaving)
    leaving.leave_field()


def _notice_regenerator(state: BattleState, entering: PokemonState, condition: Condition) -> None:
    """HP that grew by a third on the bench betrays Regenerator, where the species may have it."""
    if known_base_ability(state.dex, entering) is not None:
        return
    possible = possible_abilities(state.dex, entering)
    expected = min(1.0, entering.hp_fraction + REGENERATED)
    grown = condition.fraction - entering.hp_fraction
    as_expected = abs(condition.fraction - expected) <= 2 * HUNDREDTH
    if "regenerator" in possible and grown > HUNDREDTH and as_expected:
        entering.reveal_ability("regenerator")


def _release(state: BattleState, leaving: PokemonState) -> None:
    """End what ``leaving`` holds its foe by."""
    foe = state.foe_of(leaving)
    if foe is None:
        return
    for effect in HELD_BY_FOE:
        running = foe.volatiles.get(effect)
        setter = running.setter if running is not None else None
        if setter is not None and setter.pokemon is leaving:
            del foe.volatiles[effect]


@handlers.on(Faint)
def _faint(state: BattleState, event: Faint) -> None:
    pokemon = state.find(event.pokemon)
    if pokemon is not None:
        _release(state, pokemon)
        pokemon.faint()


@handlers.on(IllusionEnded)
def _illusion_ended(state: BattleState, event: IllusionEnded) -> None:
    side = state.sides[event.pokemon.side]
    if side.active is None:
        return
    real = unmask(side, event.pokemon.name, event.details)
    if event.condition is not None:
        real.set_condition(event.condition, side.role in state.exact_sides)
