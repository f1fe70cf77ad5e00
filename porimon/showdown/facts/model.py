"""The types of a decision's facts: knowledge looked up and computed, as pure data.

Facts are gathered once for a decision (``gather_facts``) and hold every name and figure that a
prompt may use, so that a prompt is a pure function of view, log, facts and experiences. They can
be written as JSON (``dump_facts``) for the record and the inspector. Unknown is ``None``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import PlainSerializer, TypeAdapter

from porimon.showdown.facts.same import Same
from porimon.showdown.view.model import StatName

MoveCategory = Literal["physical", "special", "status"]

NO_DAMAGE_RANGES = "no_damage_ranges"
"""Note of a decision that had to be made without the calculator's damage ranges."""
RELAXED_CANDIDATES = "relaxed_candidates"
"""Note of a decision in which no Random Battle set agreed with everything that was revealed."""

_KEPT_DOCUMENTS = 2048
"""How many Pokémon's facts are kept as JSON: a battle has twelve at a time."""


@dataclass(frozen=True, slots=True)
class Described:
    """An ability or an item: its name, its effect, and how likely it is.

    ``probability`` is ``None`` where it is known to be the one, else between 0 and 1.
    """

    id: str
    name: str
    effect: str
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class MoveFacts:
    """One move. ``base_power`` is ``None`` for status moves and where the power is not fixed;
    ``accuracy`` is a fraction, ``None`` for moves that do not check it. ``probability`` is ``None``
    for a move that is known, else how likely the Pokémon has it."""

    id: str
    name: str
    type: str
    category: MoveCategory
    base_power: int | None
    accuracy: float | None
    priority: int
    effect: str
    probability: float | None = None


def _move_id(move: MoveFacts) -> str:
    return move.id


@dataclass(frozen=True, slots=True)
class StatRange:
    """The least and the greatest value that a stat may have now (equal where it is exact)."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether both ends agree."""
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class PokemonFacts:
    """What is known of one Pokémon beyond its view.

    ``name`` is the species' name. ``ability`` and ``item`` are those that are known;
    ``possible_abilities`` and ``possible_items`` what it may have instead of knowing, most likely
    first. ``moves`` are known, ``likely_moves`` may be there beside them; ``other_moves`` can be
    ordered now though none of the four (Struggle, Recharge, what Transform gave; own only).
    ``defences`` are the multipliers of attacking types that are not 1, by type. ``stats`` include
    boosts (not items): exact for one's own, estimated for a foe (31 IVs, 85 EVs, neutral nature).
    """

    name: str
    types: tuple[str, ...]
    ability: Described | None = None
    possible_abilities: tuple[Described, ...] = ()
    item: Described | None = None
    possible_items: tuple[Described, ...] = ()
    moves: tuple[MoveFacts, ...] = ()
    likely_moves: tuple[MoveFacts, ...] = ()
    other_moves: tuple[MoveFacts, ...] = ()
    defences: tuple[tuple[str, float], ...] = ()
    stats: dict[StatName, StatRange] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Damage:
    """The calculator's range for one hit, in percent of the defender's full HP.

    ``ko_chance`` is the chance that ``ko_hits`` such hits faint the defender from its present HP,
    both ``None`` where the calculator gives no figure.
    """

    low: float
    high: float
    ko_chance: float | None = None
    ko_hits: int | None = None


@dataclass(frozen=True, slots=True)
class Attack:
    """One move of one Pokémon against another.

    ``multiplier`` is the type effectiveness (known immunities by ability included), ``None`` for
    status moves. ``scaled_power`` is base power × own attack / foe's defence (boosts included, no
    same-type bonus), the power that PokéLLMon shows. ``damage`` is ``None`` for status moves and
    where there is no range. As JSON ``move`` is its id: the rest stands with the Pokémon.
    """

    move: Annotated[MoveFacts, PlainSerializer(_move_id, return_type=str)]
    multiplier: float | None = None
    scaled_power: int | None = None
    damage: Damage | None = None


@dataclass(frozen=True, slots=True)
class Matchup:
    """Two Pokémon that face each other, or would after a switch.

    ``attacks`` are ours on the foe in the view's order of moves, other ones last; ``threats`` the
    foe's on ours: known moves first, then likely ones, most likely first. ``faster`` says who moves
    first at equal priority, ``None`` where that is open.
    """

    attacks: tuple[Attack, ...] = ()
    threats: tuple[Attack, ...] = ()
    faster: Literal["own", "foe"] | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts of one decision.

    ``own`` and ``foe`` run parallel to ``view.own.team`` and ``view.foe.team``; ``matchups``
    parallel to ``own`` (each against the foe's active Pokémon; empty if it has none). ``names``
    maps every Showdown id of the view (species, moves, abilities, items, conditions) to its name.
    """

    own: tuple[PokemonFacts, ...]
    foe: tuple[PokemonFacts, ...]
    matchups: tuple[Matchup, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def name(self, identifier: str) -> str:
        """The name of a Showdown id, the id itself where there is none."""
        return self.names.get(identifier, identifier)


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Facts]:
    # Built on first use: building it at import would slow every command.
    return TypeAdapter(Facts)


@lru_cache(maxsize=1)
def _pokemon_adapter() -> TypeAdapter[PokemonFacts]:
    return TypeAdapter(PokemonFacts)


@lru_cache(maxsize=_KEPT_DOCUMENTS)
def pokemon_json(pokemon: Same[PokemonFacts]) -> bytes:
    """A Pokémon's facts as JSON. Most are the same object as at the last decision."""
    return _pokemon_adapter().dump_json(pokemon.thing)


@dataclass(frozen=True, slots=True)
class _Rest:
    """Facts without the Pokémon."""

    matchups: tuple[Matchup, ...]
    names: dict[str, str]
    notes: tuple[str, ...]


@lru_cache(maxsize=1)
def _rest_adapter() -> TypeAdapter[_Rest]:
    return TypeAdapter(_Rest)


def dump_facts(facts: Facts) -> bytes:
    """The facts as JSON (UTF-8); ``load_facts`` gives equal facts back."""
    own, foe = (
        b",".join([pokemon_json(Same(each)) for each in team]) for team in (facts.own, facts.foe)
    )
    rest = _rest_adapter().dump_json(_Rest(facts.matchups, facts.names, facts.notes))
    return b'{"own":[%b],"foe":[%b],%b' % (own, foe, rest[1:])


def load_facts(data: bytes | str) -> Facts:
    """The facts of ``dump_facts``. Raises pydantic's ``ValidationError`` on anything else."""
    document = _json_adapter().validate_json(data)
    if isinstance(document, dict):
        _put_moves_back(document)
    return _adapter().validate_python(document)


@lru_cache(maxsize=1)
def _json_adapter() -> TypeAdapter[Any]:
    return TypeAdapter(Any)


def _put_moves_back(document: dict[str, Any]) -> None:
    """Give each attack its whole move again; what does not fit is left for the validation."""
    match document:
        case {"own": [*own], "foe": [*foe], "matchups": [*matchups]}:
            theirs = foe[0] if foe else None
            for mine, matchup in zip(own, matchups, strict=False):
                if isinstance(matchup, dict):
                    _put_back(matchup.get("attacks"), mine)
                    _put_back(matchup.get("threats"), theirs)


def _moves_of(pokemon: Any) -> dict[str, Any]:
    if not isinstance(pokemon, dict):
        return {}
    kinds = [pokemon.get(kind) for kind in ("moves", "likely_moves", "other_moves")]
    found = [move for moves in kinds if isinstance(moves, list) for move in moves]
    return {move["id"]: move for move in found if isinstance(move, dict) and _has_id(move)}


def _has_id(move: dict[str, Any]) -> bool:
    return isinstance(move.get("id"), str)


def _put_back(attacks: Any, pokemon: Any) -> None:
    known = _moves_of(pokemon)
    for attack in attacks if isinstance(attacks, list) else ():
        match attack:
            case {"move": str(identifier)}:
                attack["move"] = known.get(identifier, identifier)
            # Records made before 0.1 was finished hold the whole move, and no other moves.
            case {"move": {"id": str(identifier)} as move} if (
                isinstance(pokemon, dict) and identifier not in known
            ):
                pokemon.setdefault("other_moves", []).append(move)
