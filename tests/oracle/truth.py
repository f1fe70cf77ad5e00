"""Compare a view with the simulator's own state: every difference that is not an exception.

``differences`` is what the oracle tests assert to be empty. The exceptions, with their reasons, are
in ``EXCEPTIONS``; ``docs/view.md`` shows the same table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from porimon.showdown.dex import to_id
from porimon.showdown.view.model import BattleView, PokemonView, SideView, Timed

Truth = dict[str, Any]

EXCEPTIONS: dict[str, str] = {}


def differences(view: BattleView, truth: Truth, accepted: list[str]) -> Iterator[str]:
    """Each field of ``view`` that disagrees with ``truth``, as one line that says where and how."""
    sides = truth["sides"]
    if view.turn != truth["turn"]:
        yield f"turn: {view.turn} != {truth['turn']}"
    yield from _orders(view, accepted)
    yield from _field(view, truth)
    yield from _side(view.own, sides[view.me], own=True)
    yield from _side(view.foe, sides["p2" if view.me == "p1" else "p1"], own=False)
    yield from _speed(view, truth)


def _orders(view: BattleView, accepted: list[str]) -> Iterator[str]:
    mine = {order.choice for order in view.legal_orders}
    if not view.maybe_trapped and mine != set(accepted):
        yield f"orders: {sorted(mine)} != {sorted(accepted)}"
    if not set(accepted) <= mine:
        yield f"orders missing: {sorted(set(accepted) - mine)}"
    labels = [order.label for order in view.legal_orders]
    if len(labels) != len(set(labels)):
        yield f"labels: {labels}"


def _timed(where: str, mine: Timed | None, id_: str, duration: int | None) -> Iterator[str]:
    found = mine.id if mine is not None else ""
    if found != id_:
        yield f"{where}: {found!r} != {id_!r}"
    elif mine is not None:
        yield from _left(where, mine, duration)


def _left(where: str, mine: Timed, duration: int | None) -> Iterator[str]:
    low, high = mine.turns_left_min, mine.turns_left_max
    if not duration:
        if low is not None:
            yield f"{where} {mine.id} turns left: {low}-{high}, truth has no end"
    elif low is None or high is None or not low <= duration <= high:
        yield f"{where} {mine.id} turns left: {low}-{high}, truth {duration}"


def _field(view: BattleView, truth: Truth) -> Iterator[str]:
    field = view.field
    yield from _timed(
        "weather", field.weather, truth["weather"], truth["weatherState"].get("duration")
    )
    yield from _timed(
        "terrain", field.terrain, truth["terrain"], truth["terrainState"].get("duration")
    )
    mine = {found.id: found for found in field.pseudo_weather}
    truth['pseudoWeather'].pop('sleepclausemod', None)
    if mine.keys() != truth["pseudoWeather"].keys():
        yield f"pseudo weather: {sorted(mine)} != {sorted(truth['pseudoWeather'])}"
    for effect in mine.keys() & truth["pseudoWeather"].keys():
        yield from _left("pseudo weather", mine[effect], truth["pseudoWeather"][effect]["duration"])


def _side(view: SideView, truth: Truth, *, own: bool) -> Iterator[str]:
    who = "own" if own else "foe"
    yield from _conditions(view, truth, who)
    by_name = {pokemon["name"]: pokemon for pokemon in truth["pokemon"]}
    disguised = next((one for one in truth["pokemon"] if one["illusion"]), None)
    active = next((one for one in truth["pokemon"] if one["active"]), None)
    if view.active is not None and active is not None and not (disguised and not own):
        if view.active.name != active["name"]:
            yield f"{who} active: {view.active.name} != {active['name']}"
    for pokemon in view.team:
        if disguised is not None and not own and pokemon is view.active:
            continue  # seen through no player's eyes until the disguise breaks
        if pokemon.name not in by_name:
            yield f"{who} {pokemon.name}: not in the team"
            continue
        yield from _pokemon(pokemon, by_name[pokemon.name], who, own)


def _conditions(view: SideView, truth: Truth, who: str) -> Iterator[str]:
    conditions = {**truth["conditions"], **truth["slotConditions"]}
    future = conditions.pop("futuremove", None)
    if future is not None:
        conditions[future["move"]] = {"left": future["endingTurn"]}
    mine = {found.id: found for found in view.conditions}
    if mine.keys() != conditions.keys():
        yield f"{who} side: {sorted(mine)} != {sorted(conditions)}"
    for effect in mine.keys() & conditions.keys():
        state = conditions[effect]
        if effect in ("wish", "futuresight", "doomdesire"):
            continue
        yield from _left(f"{who} side", mine[effect], state.get("duration"))
        if mine[effect].layers != state.get("layers", 1):
            yield f"{who} {effect} layers: {mine[effect].layers} != {state.get('layers')}"


def _pokemon(view: PokemonView, truth: Truth, who: str, own: bool) -> Iterator[str]:
    where = f"{who} {view.name}"

    def compare(name: str, mine: Any, true: Any) -> Iterator[str]:
        if mine != true:
            yield f"{where} {name}: {mine!r} != {true!r}"

    yield from compare("species", view.species, truth["species"])
    yield from compare("level", view.level, truth["level"])
    if view.gender is not None:
        yield from compare("gender", view.gender, truth["gender"] or "N")
    yield from compare("types", view.types, tuple(filter(None, map(to_id, truth["types"]))))
    yield from compare("base stats", view.base_stats, truth["baseStats"])
    yield from compare("fainted", view.fainted, truth["fainted"])
    yield from compare("status", view.status, (truth["status"] or None) if truth["hp"] else None)
    yield from _status_turns(where, view, truth)
    if own:
        yield from compare("hp", view.hp, truth["hp"])
        yield from compare("max hp", view.max_hp, truth["maxhp"])
        yield from compare("item", view.item, truth["item"] or "noitem")
        yield from compare("ability", view.ability, truth["ability"])
        if view.stats is not None:
            yield from compare("stats", {k: v for k, v in view.stats.items() if k != "hp"}, truth["stats"])
    else:
        fraction = truth["hp"] / truth["maxhp"]
        if abs(view.hp_fraction - fraction) > 0.0101:
            yield f"{where} hp: {view.hp_fraction} != {fraction}"
        if view.item is not None:
            yield from compare("item", view.item, truth["item"] or "noitem")
        if view.ability is not None:
            yield from compare("ability", view.ability, truth["ability"])
        if view.base_ability is not None:
            yield from compare("base ability", view.base_ability, truth["baseAbility"])
    yield from _moves(where, view, truth, own)
    if truth["active"]:
        yield from _on_field(where, view, truth)


def _status_turns(where: str, view: PokemonView, truth: Truth) -> Iterator[str]:
    state = truth["statusState"]
    if view.status == "tox" and view.status_turns != state["stage"]:
        if truth["active"]:
            yield f"{where} toxic counter: {view.status_turns} != {state['stage']}"
    if view.status == "slp" and "startTime" in state and truth["ability"] != "earlybird":
        if view.status_turns != state["startTime"] - state["time"]:
            yield f"{where} sleep: {view.status_turns} != {state['startTime'] - state['time']}"


def _moves(where: str, view: PokemonView, truth: Truth, own: bool) -> Iterator[str]:
    true = {move["id"]: move for move in truth["moves"]}
    if own and [move.id for move in view.moves] != [move["id"] for move in truth["moves"]]:
        yield f"{where} moves: {[m.id for m in view.moves]} != {list(true)}"
    for move in view.moves:
        if move.id not in true:
            yield f"{where} move {move.id}: not among {list(true)}"
        elif (move.pp, move.max_pp) != (true[move.id]["pp"], true[move.id]["maxpp"]):
            yield f"{where} {move.id} pp: {move.pp}/{move.max_pp} != {true[move.id]['pp']}/{true[move.id]['maxpp']}"


HIDDEN = {"stall", "furycutter", "rollout", "lockedmove", "twoturnmove", "unburden", "flinch",
          "truant", "minimize", "defensecurl", "choicelock", "zenmode", "counter", "mirrorcoat"}


def _on_field(where: str, view: PokemonView, truth: Truth) -> Iterator[str]:
    boosts = {stat: stage for stat, stage in truth["boosts"].items() if stage}
    if dict(view.boosts) != boosts:
        yield f"{where} boosts: {dict(view.boosts)} != {boosts}"
    mine = {found.id: found for found in view.volatiles}
    true = truth["volatiles"]
    if mine.keys() - HIDDEN != true.keys() - HIDDEN:
        yield f"{where} volatiles: {sorted(mine.keys() - HIDDEN)} != {sorted(true.keys() - HIDDEN)}"
    for effect in mine.keys() & true.keys():
        yield from _left(where, mine[effect], true[effect].get("duration"))
        if "move" in true[effect] and mine[effect].detail != true[effect]["move"]:
            yield f"{where} {effect} bound to: {mine[effect].detail} != {true[effect]['move']}"
    if "choicelock" in mine and "choicelock" not in true:
        yield f"{where} choicelock: not there"
    if view.turns_active != truth["activeTurns"]:
        yield f"{where} turns active: {view.turns_active} != {truth['activeTurns']}"
    if view.last_move != truth["lastMove"]:
        yield f"{where} last move: {view.last_move} != {truth['lastMove']}"


def _speed(view: BattleView, truth: Truth) -> Iterator[str]:
    if view.speed is None:
        return
    own, foe = (
        next((one for one in truth["sides"][role]["pokemon"] if one["active"]), None)
        for role in ((view.me, "p2" if view.me == "p1" else "p1"))
    )
    if own is None or foe is None:
        return
    speeds = [one['speed'] for one in (own, foe)]
    if view.speed.own is not None and view.speed.own != speeds[0]:
        yield f"own speed: {view.speed.own} != {speeds[0]}"
    low, high = view.speed.foe_low, view.speed.foe_high
    if low is not None and high is not None and not low <= speeds[1] <= high and not foe["illusion"]:
        yield f"foe {foe['name']} speed: {low}-{high}, truth {speeds[1]} {foe['item']} {foe['ability']}"
