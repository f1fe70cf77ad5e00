"""Compare a view with the simulator's own state, field by field.

``differences`` gives every disagreement; ``exception`` says which of them have a reason, by the
table ``EXCEPTIONS`` (which ``docs/view.md`` shows).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from porimon.showdown.dex import to_id
from porimon.showdown.view.model import BattleView, PokemonView, SideView, Timed

Truth = dict[str, Any]

EXCEPTIONS: dict[str, str] = {
    "illusion": (
        "A Pokémon of the foe's was impersonated, and nothing has proved it yet: what was seen is "
        "still booked on the impersonated one."
    ),
    "regenerator": (
        "A benched foe regenerated, but its ability has not been seen and its sets allow others."
    ),
    "forme kept by the ability": (
        "Slow Start is a message and a turn count, but no volatile effect of the simulator's."
    ),
    "weight": "Autotomize is announced; the simulator only keeps the lower weight.",
    "unusual set": (
        "Outside Random Battles a foe's unseen item or ability may bear on its Speed; the range "
        "only allows for a Choice Scarf and for its species' own abilities."
    ),
    "fainted": "A fainted Pokémon's HP maximum is that of the forme in which it fainted.",
}

INTERNAL = frozenset(
    {
        "beakblast", "choicelock", "counter", "defensecurl", "echoedvoice", "flinch", "furycutter",
        "iceball", "lockedmove", "metalburst", "metronome", "micleberry", "minimize", "mirrorcoat",
        "rollout", "sleepclausemod", "stall", "trapper", "truant", "twoturnmove", "unburden",
        "uproar", "zenmode",
    }
)  # fmt: skip
"""Bookkeeping of the simulator's that no message tells of; what follows from it is compared
elsewhere (orders for a locked move, speed for Unburden). A Choice lock is compared by hand."""


@dataclass(frozen=True)
class Difference:
    """One disagreement: whose (``own``, ``foe`` or ``field``), which Pokémon and field, values."""

    whose: str
    pokemon: str
    field: str
    mine: object
    true: object


def differences(view: BattleView, truth: Truth, accepted: list[str]) -> Iterator[Difference]:
    """Each field of ``view`` that disagrees with ``truth`` (``accepted``: the orders it takes)."""
    if view.turn != truth["turn"]:
        yield Difference("field", "", "turn", view.turn, truth["turn"])
    yield from _orders(view, accepted)
    yield from _field(view, truth)
    own, foe = _sides(view, truth)
    now = (truth["turn"], view.forced_switch)
    yield from _side(view.own, own, "own", now)
    yield from _side(view.foe, foe, "foe", now)
    yield from _speed(view, own, foe)


def exception(
    difference: Difference, view: BattleView, truth: Truth, impersonated: set[str]
) -> str | None:
    """The name of the exception that explains a difference; ``None`` if there is none.

    ``impersonated``: names under which the foe's Illusion Pokémon has stood so far.
    """
    _, foe = _sides(view, truth)
    illusionist = next((p["name"] for p in foe["pokemon"] if p["baseAbility"] == "illusion"), None)
    if difference.whose == "foe" and illusionist is not None:
        if difference.pokemon in impersonated or difference.pokemon == illusionist:
            return "illusion"
        if difference.field in ("active", "team") and impersonated:
            return "illusion"
    true = {p["name"]: p for p in foe["pokemon"]}.get(difference.pokemon)
    if difference.whose == "foe" and difference.field == "hp" and true is not None:
        seen = next(p for p in view.foe.team if p.name == difference.pokemon)
        if true["baseAbility"] == "regenerator" and seen.ability is None and not true["active"]:
            return "regenerator"
    foes = view.foe.active
    unseen = foes is not None and (foes.item is None or foes.ability is None)
    ordinary = "Random Battle" in view.battle_format
    if difference.field in ("speed", "first") and unseen and not ordinary:
        return "unusual set"
    if difference.field == "volatiles":
        unequal = set(difference.mine) ^ set(difference.true)  # type: ignore[call-overload]
        if unequal == {"slowstart"}:
            return "forme kept by the ability"
        if unequal == {"autotomize"}:
            return "weight"
    fainted = {pokemon.name for pokemon in view.own.team if pokemon.fainted}
    if difference.field == "max hp" and difference.pokemon in fainted:
        return "fainted"
    return None


def _sides(view: BattleView, truth: Truth) -> tuple[Truth, Truth]:
    return truth["sides"][view.me], truth["sides"]["p2" if view.me == "p1" else "p1"]


def _orders(view: BattleView, accepted: list[str]) -> Iterator[Difference]:
    mine = {order.choice for order in view.legal_orders}
    if view.maybe_trapped or view.maybe_disabled:
        # The server itself cannot say yet: no accepted order may be missing, some may be refused.
        open_kind = "switch" if view.maybe_trapped else "move"
        certain = {choice for choice in mine if not choice.startswith(open_kind)}
        if not (certain <= set(accepted) <= mine):
            yield Difference("own", "", "orders", sorted(mine), sorted(accepted))
    elif mine != set(accepted):
        yield Difference("own", "", "orders", sorted(mine), sorted(accepted))
    labels = [order.label for order in view.legal_orders]
    if len(labels) != len(set(labels)):
        yield Difference("own", "", "labels", labels, "unambiguous ones")


def _field(view: BattleView, truth: Truth) -> Iterator[Difference]:
    for name, mine in (("weather", view.field.weather), ("terrain", view.field.terrain)):
        found = mine.id if mine is not None else ""
        if found != truth[name]:
            yield Difference("field", "", name, found, truth[name])
        elif mine is not None:
            yield from _left("field", "", mine, truth[f"{name}State"].get("duration"))
    rooms = {found.id: found for found in view.field.pseudo_weather}
    true = {name: state for name, state in truth["pseudoWeather"].items() if name not in INTERNAL}
    if rooms.keys() != true.keys():
        yield Difference("field", "", "pseudo weather", sorted(rooms), sorted(true))
    for effect in rooms.keys() & true.keys():
        yield from _left("field", "", rooms[effect], true[effect].get("duration"))


def _left(
    whose: str, pokemon: str, mine: Timed, duration: int | None, slack: int = 0
) -> Iterator[Difference]:
    low, high = mine.turns_left_min, mine.turns_left_max
    if duration is None:
        agrees = low is None
    else:
        agrees = low is not None and high is not None and low <= duration <= high + slack
    if not agrees:
        yield Difference(whose, pokemon, f"turns left of {mine.id}", (low, high), duration)


def _side(view: SideView, truth: Truth, whose: str, now: tuple[int, bool]) -> Iterator[Difference]:
    yield from _conditions(view, truth, whose, now)
    by_name = {pokemon["name"]: pokemon for pokemon in truth["pokemon"]}
    if view.team_size != len(by_name):
        yield Difference(whose, "", "team size", view.team_size, len(by_name))
    active = next((one for one in truth["pokemon"] if one["active"]), None)
    undetected = None
    if view.active is not None and active is not None and view.active.name != active["name"]:
        if active["illusion"] and whose == "foe":
            undetected = view.active  # it is seen as another one by everybody but its owner
        else:
            yield Difference(whose, view.active.name, "active", view.active.name, active["name"])
    for pokemon in view.team:
        if pokemon is undetected:
            continue
        if pokemon.name not in by_name:
            yield Difference(whose, pokemon.name, "team", pokemon.name, sorted(by_name))
        else:
            yield from _pokemon(pokemon, by_name[pokemon.name], whose)


def _conditions(
    view: SideView, truth: Truth, whose: str, now: tuple[int, bool]
) -> Iterator[Difference]:
    turn, forced = now
    true = {**truth["conditions"], **truth["slotConditions"]}
    future = true.pop("futuremove", None)
    if future is not None:
        true[future["move"]] = {"duration": future["endingTurn"] + 2 - turn}
    if "wish" in true:
        true["wish"] = {"duration": true["wish"]["startingTurn"] + 2 - turn + 1}
    mine = {found.id: found for found in view.conditions}
    if mine.keys() != true.keys():
        yield Difference(whose, "", "conditions", sorted(mine), sorted(true))
    for effect in mine.keys() & true.keys():
        # Between the end of a turn and the next one, the two that count by turns look one longer.
        slack = 1 if forced and effect in ("wish", "futuresight", "doomdesire") else 0
        yield from _left(whose, "", mine[effect], true[effect].get("duration"), slack)
        layers = true[effect].get("layers", 1)
        if mine[effect].layers != layers:
            yield Difference(whose, "", f"layers of {effect}", mine[effect].layers, layers)


def _pokemon(view: PokemonView, truth: Truth, whose: str) -> Iterator[Difference]:
    own = whose == "own"
    true_types = tuple(filter(None, map(to_id, truth["types"])))
    item = truth["item"] or "noitem"
    pairs: list[tuple[str, object, object]] = [
        ("species", view.species, truth["species"]),
        ("level", view.level, truth["level"]),
        ("gender", view.gender, truth["gender"] or "N" if view.gender is not None else None),
        ("types", view.types, true_types),
        ("base stats", view.base_stats, truth["baseStats"]),
        ("fainted", view.fainted, truth["fainted"] or truth["hp"] == 0),
        ("status", view.status, (truth["status"] or None) if truth["hp"] else None),
        ("item", view.item, item if own or view.item is not None else None),
        ("ability", view.ability, truth["ability"] if own or view.ability else None),
        ("base ability", view.base_ability, truth["baseAbility"] if view.base_ability else None),
        ("active", view.active, truth["active"] or (view.active and truth["hp"] == 0)),
    ]
    if own:
        pairs += [("hp", view.hp, truth["hp"]), ("max hp", view.max_hp, truth["maxhp"])]
        if view.stats is not None:
            stats = {stat: value for stat, value in view.stats.items() if stat != "hp"}
            pairs.append(("stats", stats, truth["stats"]))
        if truth["lastItem"] and truth["lastItem"] not in view.former_items:
            pairs.append(("former items", view.former_items, truth["lastItem"]))
    elif abs(view.hp_fraction - truth["hp"] / truth["maxhp"]) > 0.0101:
        pairs.append(("hp", view.hp_fraction, truth["hp"] / truth["maxhp"]))
    for field, mine, true in pairs:
        if mine != true:
            yield Difference(whose, view.name, field, mine, true)
    yield from _status_turns(view, truth, whose)
    yield from _moves(view, truth, whose)
    if truth["active"] and view.active:
        yield from _on_field(view, truth, whose)


def _status_turns(view: PokemonView, truth: Truth, whose: str) -> Iterator[Difference]:
    state = truth["statusState"]
    if view.status == "tox" and truth["active"] and view.status_turns != state["stage"]:
        yield Difference(whose, view.name, "toxic counter", view.status_turns, state["stage"])
    if view.status == "slp" and "startTime" in state and truth["ability"] != "earlybird":
        asleep = state["startTime"] - state["time"]
        if view.status_turns != asleep:
            yield Difference(whose, view.name, "turns asleep", view.status_turns, asleep)


def _moves(view: PokemonView, truth: Truth, whose: str) -> Iterator[Difference]:
    true = {move["id"]: move for move in truth["moves"]}
    known = [move.id for move in view.moves]
    if whose == "own" and known != list(true):
        yield Difference(whose, view.name, "moves", known, list(true))
    for move in view.moves:
        if move.id not in true:
            yield Difference(whose, view.name, f"move {move.id}", move.id, list(true))
            continue
        pp = (true[move.id]["pp"], true[move.id]["maxpp"])
        if (move.pp, move.max_pp) != pp:
            yield Difference(whose, view.name, f"pp of {move.id}", (move.pp, move.max_pp), pp)


def _on_field(view: PokemonView, truth: Truth, whose: str) -> Iterator[Difference]:
    boosts = {stat: stage for stat, stage in truth["boosts"].items() if stage}
    if dict(view.boosts) != boosts:
        yield Difference(whose, view.name, "boosts", dict(view.boosts), boosts)
    mine = {found.id: found for found in view.volatiles}
    true = truth["volatiles"]
    seen, there = mine.keys() - INTERNAL, true.keys() - INTERNAL
    if seen != there:
        yield Difference(whose, view.name, "volatiles", sorted(seen), sorted(there))
    for effect in seen & there:
        duration = true[effect].get("duration")
        if true.get("twoturnmove", {}).get("move") == effect:
            duration = true["twoturnmove"]["duration"]
        yield from _left(whose, view.name, mine[effect], duration)
        bound = true[effect].get("move")
        if bound is not None and mine[effect].detail != bound:
            yield Difference(whose, view.name, f"{effect} bound", mine[effect].detail, bound)
    lock = mine.get("choicelock")
    if lock is not None and lock.detail != true.get("choicelock", {}).get("move"):
        yield Difference(whose, view.name, "choicelock", lock.detail, true.get("choicelock"))
    if view.turns_active != truth["activeTurns"]:
        yield Difference(whose, view.name, "turns active", view.turns_active, truth["activeTurns"])
    if view.last_move != truth["lastMove"]:
        yield Difference(whose, view.name, "last move", view.last_move, truth["lastMove"])


def _speed(view: BattleView, own: Truth, foe: Truth) -> Iterator[Difference]:
    speed = view.speed
    own_active, foe_active = (
        next((one for one in side["pokemon"] if one["active"]), None) for side in (own, foe)
    )
    if speed is None or own_active is None or foe_active is None or foe_active["illusion"]:
        return
    name, mine, true = own_active["name"], own_active["speed"], foe_active["speed"]
    if speed.own is not None and speed.own != mine:
        yield Difference("own", name, "speed", speed.own, mine)
    if speed.own is None and not own_active["transformed"]:
        yield Difference("own", name, "speed", None, mine)
    low, high = speed.foe_low, speed.foe_high
    if low is None or high is None or not low <= true <= high:
        yield Difference("foe", foe_active["name"], "speed", (low, high), true)
    first = None if mine == true else "own" if (mine > true) != speed.trick_room else "foe"
    if speed.first is not None and speed.first != first:
        yield Difference("field", name, "first", speed.first, first)
