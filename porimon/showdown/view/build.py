"""State → view: the frozen picture of the tracker's records at one decision."""

from __future__ import annotations

from functools import lru_cache

from porimon.showdown.dex import Dex
from porimon.showdown.view.battle_state import OTHER_SIDE, BattleState, FieldState, SideState
from porimon.showdown.view.durations import Running
from porimon.showdown.view.model import (
    BattleView,
    FieldView,
    MoveView,
    PokemonView,
    SideRole,
    SideView,
    SpeedView,
    StatName,
    Timed,
)
from porimon.showdown.view.orders import legal_orders
from porimon.showdown.view.own_team import own_stats
from porimon.showdown.view.pokemon_state import PokemonState
from porimon.showdown.view.possible import known_ability, known_base_ability
from porimon.showdown.view.request import Request, RequestPokemon
from porimon.showdown.view.speed import speed_view
from porimon.showdown.view.types import types_now

CHOICE_ITEMS = frozenset({"choiceband", "choicescarf", "choicespecs"})


def build_view(state: BattleState, me: SideRole, request: Request) -> BattleView:
    """The view of player ``me``, whose side has taken over ``request`` already."""
    own_side, foe_side = state.sides[me], state.sides[OTHER_SIDE[me]]
    own = _own_side(state.dex, own_side, request)
    return BattleView(
        battle_format=state.format_name,
        turn=state.turn,
        me=me,
        own=own,
        foe=side_view(state.dex, foe_side),
        field=field_view(state.field),
        legal_orders=legal_orders(request),
        forced_switch=request.forced_switch,
        trapped=request.trapped,
        maybe_trapped=request.maybe_trapped,
        maybe_disabled=request.maybe_disabled,
        speed=_speed(state, own_side.active, foe_side.active),
    )


def _own_side(dex: Dex, side: SideState, request: Request) -> SideView:
    active: PokemonView | None = None
    bench: list[PokemonView] = []
    disabled = {move.id for move in request.moves if move.disabled}
    for told in request.team:
        record = side.pokemon[told.name]
        is_active = record is side.active
        view = pokemon_view(
            dex,
            record,
            active=is_active,
            told=told,
            stats=own_stats(record, told),
            disabled=frozenset(disabled) if is_active else frozenset(),
        )
        if is_active:
            active = view
        else:
            bench.append(view)
    return SideView(
        role=side.role,
        active=active,
        bench=tuple(bench),
        team_size=len(request.team),
        conditions=timed(side.conditions),
    )


def side_view(dex: Dex, side: SideState) -> SideView:
    """A side as its messages alone show it."""
    return SideView(
        role=side.role,
        active=pokemon_view(dex, side.active, active=True) if side.active is not None else None,
        bench=tuple(
            pokemon_view(dex, pokemon, active=False)
            for pokemon in side.pokemon.values()
            if pokemon is not side.active
        ),
        team_size=side.team_size,
        conditions=timed(side.conditions),
    )


def field_view(field: FieldState) -> FieldView:
    """Weather, terrain and rooms."""
    return FieldView(
        weather=field.weather.as_timed() if field.weather is not None else None,
        terrain=field.terrain.as_timed() if field.terrain is not None else None,
        pseudo_weather=timed(field.pseudo_weather),
    )


def timed(conditions: dict[str, Running]) -> tuple[Timed, ...]:
    """Conditions in the order in which they began."""
    return tuple(running.as_timed() for running in conditions.values())


def pokemon_view(
    dex: Dex,
    record: PokemonState,
    *,
    active: bool,
    told: RequestPokemon | None = None,
    stats: dict[StatName, int] | None = None,
    disabled: frozenset[str] = frozenset(),
) -> PokemonView:
    """One Pokémon; ``told`` is the request's entry for one's own."""
    species = dex.find_species(record.species)
    base_stats: dict[StatName, int] = dict(species.base_stats) if species is not None else {}
    return PokemonView(
        species=record.species,
        team_species=record.team_species,
        name=record.name,
        level=record.level,
        gender=record.gender,
        types=types_now(dex, record),
        base_stats=base_stats,
        hp_fraction=round(record.hp_fraction, 4),
        hp=record.hp,
        max_hp=record.max_hp,
        status=record.status,
        status_turns=record.status_turns,
        ability=known_ability(dex, record),
        base_ability=known_base_ability(dex, record),
        item=record.item,
        former_items=tuple(record.former_items),
        moves=_moves(record, told, disabled),
        stats=stats,
        boosts=tuple(sorted(record.boosts.items())),
        volatiles=_volatiles(record),
        active=active,
        fainted=record.fainted,
        slot=told.slot if told is not None else None,
        transformed_into=record.transformed_into,
        last_move=record.last_move,
        turns_active=record.turns_active,
        disguised_as=record.disguised_as,
    )


def _moves(
    record: PokemonState, told: RequestPokemon | None, disabled: frozenset[str]
) -> tuple[MoveView, ...]:
    known = record.known_moves
    # One's own come in the request's order, a foe's in the order in which they were seen.
    order = [move for move in told.moves if move in known] if told is not None else list(known)
    return tuple(
        _move_view(move, known[move].pp, known[move].max_pp, move in disabled) for move in order
    )


@lru_cache(maxsize=8192)
def _move_view(identifier: str, pp: int | None, max_pp: int | None, disabled: bool) -> MoveView:
    # Most moves are as they were at the last decision.
    return MoveView(identifier, pp, max_pp, disabled)


def _volatiles(record: PokemonState) -> tuple[Timed, ...]:
    found = list(timed(record.volatiles))
    if record.item in CHOICE_ITEMS and record.choice_candidate is not None:
        found.append(Timed("choicelock", detail=record.choice_candidate))
    return tuple(found)


def _speed(
    state: BattleState, own: PokemonState | None, foe: PokemonState | None
) -> SpeedView | None:
    if own is None or foe is None or own.fainted or foe.fainted:
        return None
    return speed_view(state, own, foe)
