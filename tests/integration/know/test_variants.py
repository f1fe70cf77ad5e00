"""Variants of a foe that are reckoned once are really alike: the calculator itself is asked.

For every species the combatants of all its sets are put into the classes that the merging makes,
and each member of a class must take and deal the same damage, under drawn fields and against drawn
Pokémon.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from porimon.showdown.calculator.client import Calculator
from porimon.showdown.calculator.model import (
    CombatantSpec,
    DamageQuery,
    DamageRange,
    FieldSpec,
    SideSpec,
)
from porimon.showdown.calculator.specs import attacking, calculator_species
from porimon.showdown.calculator.variants import _key, bearing
from porimon.showdown.candidates import candidates
from porimon.showdown.candidates.model import CandidateSet, Revealed
from porimon.showdown.dex import dex

pytestmark = pytest.mark.asyncio(loop_scope="module")

WEATHERS = (None, None, "sunnyday", "raindance", "sandstorm", "hail")
TERRAINS = (None, None, "electricterrain", "grassyterrain", "mistyterrain", "psychicterrain")
STATUSES = (None, None, "brn", "par", "tox", "slp")
OF_EACH = 16
"""How many moves of others strike each class."""

Drawn = tuple[CombatantSpec, CombatantSpec, str, FieldSpec]


def damaging_moves() -> list[str]:
    pool = {
        move
        for species in dex().ids("random_sets")
        for each in candidates(Revealed(species)).sets
        for move in each.moves
    }
    return sorted(move for move in pool if dex().move(move).deals_damage)


def combatant(found: CandidateSet, hp: float = 1.0, status: str | None = None) -> CombatantSpec:
    return CombatantSpec(
        calculator_species(found.species),
        found.level,
        ability=found.ability,
        item=None if found.item == "noitem" else found.item,
        evs=found.evs,
        ivs=found.ivs,
        hp_fraction=hp,
        status=status,
    )


def drawn_field(drawn: random.Random) -> FieldSpec:
    return FieldSpec(
        drawn.choice(WEATHERS),
        drawn.choice(TERRAINS),
        gravity=drawn.random() < 0.1,
        wonder_room=drawn.random() < 0.1,
        defender_side=SideSpec(reflect=drawn.random() < 0.1, stealth_rock=drawn.random() < 0.2),
    )


def classes(
    sets: Sequence[CandidateSet], move: str, foe_attacks: bool, ability: str | None
) -> Iterator[list[CandidateSet]]:
    """The sets that are merged for a move, where at least two differ in ability, item or stats."""
    found: dict[tuple[object, ...], dict[str, CandidateSet]] = defaultdict(dict)
    bears = bearing(move, foe_attacks=foe_attacks, ability=ability)
    for each in sets:
        if foe_attacks and move not in each.moves:
            continue
        differing = repr((each.ability, each.item, each.evs, each.ivs))
        found[_key(combatant(each), bears)][differing] = each
    yield from (list(same.values()) for same in found.values() if len(same) > 1)


def queries_of(species: str, drawn: random.Random, moves: list[str]) -> Iterator[list[Drawn]]:
    """Groups of hits that ought to be alike."""
    sets = candidates(Revealed(species)).sets
    others = dex().ids("random_sets")

    def other() -> CombatantSpec:
        return combatant(drawn.choice(candidates(Revealed(drawn.choice(others))).sets))

    known = sorted({move for each in sets for move in each.moves if dex().move(move).deals_damage})
    for move in known:
        target, field, hp, status = other(), drawn_field(drawn), 0.3, drawn.choice(STATUSES)
        for same in classes(sets, move, True, None):
            for share in (1.0, hp):
                yield [
                    (attacking(combatant(one, share, status)), target, move, field) for one in same
                ]
    for move in drawn.sample(moves, OF_EACH):
        striker, field, status = other(), drawn_field(drawn), drawn.choice(STATUSES)
        share = drawn.choice([1.0, 1.0, 0.6, 0.2])
        for same in classes(sets, move, False, striker.ability):
            yield [(striker, combatant(one, share, status), move, field) for one in same]


async def all_alike(calculator: Calculator, species: Sequence[str], seed: str) -> int:
    drawn, moves = random.Random(seed), damaging_moves()
    compared = 0
    for name in species:
        groups = list(queries_of(name, drawn, moves))
        asked = [
            DamageQuery(*one, detail=False, description=False) for group in groups for one in group
        ]
        answers = await calculator.calculate(asked)
        assert answers is not None
        remaining = iter(answers)
        for group in groups:
            found = [next(remaining) for _ in group]
            ranges = [one.rolls if isinstance(one, DamageRange) else one for one in found]
            assert all(one == ranges[0] for one in ranges), (group, ranges)
            compared += len(group)
    return compared


async def test_merged_variants_take_and_deal_the_same(calculator: Calculator) -> None:
    assert await all_alike(calculator, sorted(dex().ids("random_sets")), "once") > 3000


@pytest.mark.long
async def test_merged_variants_take_and_deal_the_same_time_and_again(
    calculator: Calculator,
) -> None:
    species = sorted(dex().ids("random_sets"))
    for seed in range(20):
        assert await all_alike(calculator, species, f"again {seed}") > 3000


async def test_the_classes_are_not_too_wide(calculator: Calculator) -> None:
    """What must not be merged: a class of its own changes the damage."""
    azumarill = CombatantSpec("azumarill", 80, ability="hugepower")
    snorlax = CombatantSpec("snorlax", 80, ability="immunity")
    cases = [
        (replace(azumarill, item=item), snorlax, "aquajet")
        for item in (None, "choiceband", "lifeorb")
    ] + [(azumarill, replace(snorlax, item=item), "icebeam") for item in (None, "assaultvest")]
    answers = await calculator.calculate([DamageQuery(*case) for case in cases])
    assert answers is not None
    highest = [answer.maximum for answer in answers if isinstance(answer, DamageRange)]
    assert len(set(highest[:3])) == 3
    assert len(set(highest[3:])) == 2
    keys = {_key(attacker, bearing("aquajet", foe_attacks=True)) for attacker, _, _ in cases[:3]}
    assert len(keys) == 3
