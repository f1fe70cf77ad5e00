"""One's own side: what the request tells exactly is taken over into the tracker's records."""

from __future__ import annotations

from porimon.showdown.dex import Dex
from porimon.showdown.view.battle_state import BattleState, SideState
from porimon.showdown.view.illusion import unmask
from porimon.showdown.view.model import StatName
from porimon.showdown.view.pokemon_state import MoveState, PokemonState
from porimon.showdown.view.request import Request, RequestMove, RequestPokemon


def take_over(state: BattleState, side: SideState, request: Request) -> None:
    """Bring the records of one's own side up to what the request says."""
    for told in request.team:
        record = side.pokemon.get(told.name)
        if record is None:
            record = PokemonState.seen(side.role, told.name, told.details)
            side.pokemon[told.name] = record
        if told.active and side.active is not None and side.active.name != told.name:
            # The messages name another one than the server: one's own Illusion is on.
            seen_as = side.active.species
            record = unmask(side, told.name, told.details)
            record.disguised_as = seen_as
        _take_over_one(state.dex, record, told)
    if side.active is not None and request.moves:
        _take_over_pp(side.active, request.moves)


def _take_over_one(dex: Dex, record: PokemonState, told: RequestPokemon) -> None:
    record.set_condition(told.condition, exact=True)
    record.fainted = told.condition.fainted
    record.level, record.gender = told.details.level, told.details.gender or "N"
    record.exact_speed = told.stats["spe"] if record.transformed_into is None else None
    record.item = told.item
    record.base_ability = told.base_ability
    record.ability = told.ability
    if not told.active:
        record.species = record.kept_species = told.details.species_id
    if record.copied_moves is None:
        for move_id in told.moves:
            if move_id not in record.moves:
                move = dex.find_move(move_id)
                record.moves[move_id] = MoveState(move_id, move.pp if move else None)


def _take_over_pp(active: PokemonState, moves: tuple[RequestMove, ...]) -> None:
    if active.copied_moves is not None and all(move.pp is not None for move in moves):
        active.copied_moves = {}
    known = active.known_moves
    for move in moves:
        if move.pp is not None and move.max_pp is not None:
            known[move.id] = MoveState(move.id, move.max_pp, move.max_pp - move.pp)


def own_stats(record: PokemonState, told: RequestPokemon) -> dict[StatName, int] | None:
    """The exact unboosted stats of now, HP included; ``None`` while transformed.

    The request gives those of the present forme, but not those that Transform copied.
    """
    if record.transformed_into is not None or record.max_hp is None:
        return None
    stats: dict[StatName, int] = {"hp": record.max_hp, **told.stats}
    if "powertrick" in record.volatiles:
        stats["atk"], stats["def"] = stats["def"], stats["atk"]
    return stats
