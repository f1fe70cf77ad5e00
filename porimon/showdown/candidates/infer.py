"""From what was revealed of a foe's Pokémon to the sets that it may have, with probabilities.

Bayes' rule over the sampled sets of the generator: the sets that agree with every revealed fact,
weighted by how often the generator makes them. Where no set agrees (Illusion, an item that came
from elsewhere, a set too rare for the samples), facts are set aside one after the other, the least
reliable first, until some do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from porimon.showdown.candidates.model import Candidates, CandidateSet, Revealed
from porimon.showdown.candidates.samples import SampledSet, Samples, samples, spread
from porimon.showdown.dex import dex, stats_of
from porimon.showdown.dex.stats import STATS
from porimon.showdown.view.model import NO_ITEM, StatName

MOST_MOVES = 4

RELAXATION_ORDER = ("excluded_items", "excluded_abilities", "item", "ability", "level", "moves")
"""Facts in the order in which they are set aside: what is inferred before what was seen, what may
have come from elsewhere (an item by Trick) before what cannot (moves)."""

_CACHED_REVELATIONS = 4096


@dataclass(frozen=True, slots=True)
class _Weighted:
    """A sampled set with the level of its species and its weight before normalisation."""

    weight: float
    level: int
    sampled: SampledSet


def candidates(revealed: Revealed) -> Candidates:
    """The sets that agree with ``revealed``, most likely first. Never empty; pure and cached."""
    key = (
        revealed.species,
        revealed.level,
        revealed.moves,
        revealed.item,
        revealed.ability,
        tuple(sorted(revealed.excluded_items.items())),
        tuple(sorted(revealed.excluded_abilities.items())),
    )
    return _cached(key)


@lru_cache(maxsize=_CACHED_REVELATIONS)
def _cached(
    key: tuple[
        str,
        int | None,
        frozenset[str],
        str | None,
        str | None,
        tuple[tuple[str, str], ...],
        tuple[tuple[str, str], ...],
    ],
) -> Candidates:
    species, level, moves, item, ability, excluded_items, excluded_abilities = key
    revealed = Revealed(
        species=species,
        level=level,
        moves=moves,
        item=item,
        ability=ability,
        excluded_items=dict(excluded_items),
        excluded_abilities=dict(excluded_abilities),
    )
    return infer(revealed, samples())


def infer(revealed: Revealed, source: Samples) -> Candidates:
    """``candidates`` from given samples, uncached."""
    pool = _pool(revealed.species, source)
    if not pool:
        return _convention(revealed)
    kept, relaxed = _least_relaxed(pool, revealed)
    return _summary(revealed, _sets(kept, revealed), relaxed)


def _least_relaxed(
    pool: list[_Weighted], revealed: Revealed
) -> tuple[list[_Weighted], tuple[str, ...]]:
    """The sets that agree with all facts, or with all but the fewest and least reliable ones."""
    given = [fact for fact in RELAXATION_ORDER if getattr(revealed, fact)]
    for size in range(len(given) + 1):
        for set_aside in combinations(given, size):
            kept = _agreeing(pool, revealed, set_aside)
            if kept:
                return (_nearest(kept, revealed) if "moves" in set_aside else kept), set_aside
    raise AssertionError("a pool that no fact restricts is empty")


def _pool(species: str, source: Samples) -> list[_Weighted]:
    """Every sampled set of what may look like ``species``, weighted as the generator does.

    The generator draws among the species of one base species with equal chances, then the look.
    """
    found = source.looking_like(species)
    if not found:
        known = dex().find_species(species)
        if known is not None and known.base_species != species:
            found = source.looking_like(known.base_species)
    return [
        _Weighted(sampled.share / len(entry.looks), entry.level, sampled)
        for entry in found
        for sampled in entry.sets
    ]


def _agreeing(
    pool: Iterable[_Weighted], revealed: Revealed, set_aside: Iterable[str]
) -> list[_Weighted]:
    tests: dict[str, Callable[[_Weighted], bool]] = {
        "excluded_items": lambda entry: entry.sampled.item not in revealed.excluded_items,
        "excluded_abilities": (
            lambda entry: entry.sampled.ability not in revealed.excluded_abilities
        ),
        "item": lambda entry: entry.sampled.item == revealed.item,
        "ability": lambda entry: entry.sampled.ability == revealed.ability,
        "level": lambda entry: entry.level == revealed.level,
        "moves": lambda entry: revealed.moves <= entry.sampled.moves,
    }
    applied = [
        test for fact, test in tests.items() if getattr(revealed, fact) and fact not in set_aside
    ]
    return [entry for entry in pool if all(test(entry) for test in applied)]


def _nearest(pool: list[_Weighted], revealed: Revealed) -> list[_Weighted]:
    """The sets that share most of the known moves."""
    most = max(len(revealed.moves & entry.sampled.moves) for entry in pool)
    return [entry for entry in pool if len(revealed.moves & entry.sampled.moves) == most]


def _sets(kept: list[_Weighted], revealed: Revealed) -> tuple[CandidateSet, ...]:
    """Candidate sets of the kept samples; what differs in nothing is one set."""
    weights: dict[tuple[object, ...], float] = defaultdict(float)
    first: dict[tuple[object, ...], _Weighted] = {}
    for entry in kept:
        sampled = entry.sampled
        key = (entry.level, sampled.moves, sampled.item, sampled.ability, sampled.evs, sampled.ivs)
        weights[key] += entry.weight
        first.setdefault(key, entry)
    total = sum(weights.values())
    sets = [_candidate(entry, weights[key] / total, revealed) for key, entry in first.items()]
    sets.sort(key=lambda candidate: (-candidate.probability, candidate.moves, candidate.item))
    return tuple(sets)


def _candidate(entry: _Weighted, probability: float, revealed: Revealed) -> CandidateSet:
    sampled = entry.sampled
    # A known move is among the four, whatever the sample says (it differs only when relaxed).
    moves = [*sorted(revealed.moves), *sorted(sampled.moves - revealed.moves)]
    level = revealed.level if revealed.level is not None else entry.level
    evs, ivs, stats = _numbers(revealed.species, level, sampled.evs, sampled.ivs)
    return CandidateSet(
        probability=probability,
        species=revealed.species,
        level=level,
        role=sampled.role,
        moves=tuple(moves[: max(MOST_MOVES, len(revealed.moves))]),
        item=sampled.item,
        ability=sampled.ability,
        evs=evs,
        ivs=ivs,
        stats=stats,
    )


@lru_cache(maxsize=_CACHED_REVELATIONS)
def _numbers(
    species: str, level: int, evs: tuple[int, ...], ivs: tuple[int, ...]
) -> tuple[dict[StatName, int], dict[StatName, int], dict[StatName, int]]:
    by_stat = spread(evs), spread(ivs)
    return *by_stat, stats_of(dex().species(species), level, *by_stat)


def _convention(revealed: Revealed) -> Candidates:
    """The one set of a species that the generator never makes: convention, without moves."""
    species = dex().species(revealed.species)
    level = revealed.level if revealed.level is not None else 100
    evs: dict[StatName, int] = dict.fromkeys(STATS, 85)
    ivs: dict[StatName, int] = dict.fromkeys(STATS, 31)
    only = CandidateSet(
        probability=1.0,
        species=revealed.species,
        level=level,
        role="",
        moves=tuple(sorted(revealed.moves)),
        item=revealed.item if revealed.item is not None else NO_ITEM,
        ability=revealed.ability if revealed.ability is not None else species.abilities[0],
        evs=evs,
        ivs=ivs,
        stats=stats_of(species, level, evs, ivs),
    )
    return _summary(revealed, (only,), ("species",))


def _summary(
    revealed: Revealed, sets: tuple[CandidateSet, ...], relaxed: tuple[str, ...]
) -> Candidates:
    moves: dict[str, float] = defaultdict(float)
    items: dict[str, float] = defaultdict(float)
    abilities: dict[str, float] = defaultdict(float)
    for candidate in sets:
        items[candidate.item] += candidate.probability
        abilities[candidate.ability] += candidate.probability
        for move in candidate.moves:
            moves[move] += candidate.probability
    for move in revealed.moves:
        moves[move] = 1.0
    return Candidates(
        revealed=revealed,
        sets=sets,
        moves=_ranked(moves),
        items=_ranked(items),
        abilities=_ranked(abilities),
        stats_ranges={
            stat: (
                min(candidate.stats[stat] for candidate in sets),
                max(candidate.stats[stat] for candidate in sets),
            )
            for stat in STATS
        },
        relaxed=relaxed,
    )


def _ranked(chances: dict[str, float]) -> tuple[tuple[str, float], ...]:
    """By probability, most likely first; rounding errors of sums do not pass 1."""
    ranked = sorted(chances.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple((name, min(1.0, chance)) for name, chance in ranked)
