"""Facts of a decision: hand-worked figures, what each kind of knowledge gets, and missing parts."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from porimon.showdown.calculator.model import DamageAnswer, DamageQuery, DamageRange
from porimon.showdown.dex.store import dex
from porimon.showdown.facts.damage import CalculatedDamage, candidates_of
from porimon.showdown.facts.gather import gather_facts
from porimon.showdown.facts.matchups import Middles, middles, scaled_power
from porimon.showdown.facts.model import (
    NO_DAMAGE_RANGES,
    Facts,
    PokemonFacts,
    StatRange,
    dump_facts,
    load_facts,
)
from porimon.showdown.view.model import SpeedView
from tests.golden_prompts import stored
from tests.situations import SITUATIONS, foe, own, team, view


class FixedCalculator:
    """Answers every query with the same range; counts requests."""

    def __init__(self, answers: bool = True) -> None:
        self.answers = answers
        self.requests: list[int] = []

    def for_decision(self) -> FixedCalculator:
        return self

    async def calculate(self, queries: list[DamageQuery]) -> list[DamageAnswer] | None:
        self.requests.append(len(queries))
        fixed = DamageRange(40, 48, 20.0, 24.0, ((40, 48),), 200, 5, 0.5, (1, 1), "")
        return [fixed] * len(queries) if self.answers else None


def stats(**values: int) -> Middles:
    found = {name.rstrip("_"): StatRange(value, value) for name, value in values.items()}
    return middles(PokemonFacts("X", (), stats=found))  # type: ignore[arg-type]


def test_scaled_power_is_power_times_attack_over_defence() -> None:
    """120 × 300 / 150 = 240 for Close Combat; the special stats have no say."""
    user, target = stats(atk=300, spa=90), stats(def_=150, spd=10)
    assert scaled_power(dex().move("closecombat"), user, target) == 240


@pytest.mark.parametrize(
    "move, expected",
    [
        ("bodypress", 80 * 200 / 100),  # own Defense / its Defense
        ("foulplay", 95 * 50 / 100),  # its Attack / its Defense
        ("psyshock", 80 * 90 / 100),  # own Special Attack / its Defense
        ("surf", 90 * 90 / 60),  # own Special Attack / its Special Defense
    ],
)
def test_moves_that_use_other_stats(move: str, expected: float) -> None:
    user, target = stats(atk=120, def_=200, spa=90), stats(atk=50, def_=100, spd=60)
    assert scaled_power(dex().move(move), user, target) == round(expected)


def test_moves_without_a_power_have_none_scaled() -> None:
    user, target = stats(atk=120, spa=90), stats(def_=100, spd=60)
    for move in ("toxic", "seismictoss", "heavyslam"):
        assert scaled_power(dex().move(move), user, target) is None
    assert scaled_power(dex().move("surf"), stats(), target) is None


async def test_own_boosts_raise_own_attack_and_the_foes_its_defence() -> None:
    """+2 Attack doubles our power, +2 Defense of the foe halves it, and no other way round."""
    plain = view(team(), [foe("toxapex")])
    mine = team()
    mine[0] = replace(mine[0], boosts=(("atk", 2),))
    boosted = view(mine, [foe("toxapex")])
    walled = view(team(), [foe("toxapex", boosts=(("def", 2),))])
    powers = []
    for one in (plain, boosted, walled):
        facts = await gather_facts(one, "pokellmon", dex())
        powers.append(facts.matchups[0].attacks[0].scaled_power)
    base, more, less = powers
    assert base is not None
    assert more == pytest.approx(2 * base, abs=1)
    assert less == pytest.approx(base / 2, abs=1)


async def test_foes_stats_follow_from_level_and_convention() -> None:
    """Toxapex at level 79: Defense ⌊(2·152 + 31 + 21)·79/100⌋ + 5 = 286."""
    found = await gather_facts(view(team(), [foe("toxapex", level=79)]), "pokellmon", dex())
    assert found.foe[0].stats["def"] == StatRange(286, 286)
    assert "hp" not in found.foe[0].stats


async def test_extended_knowledge_asks_the_calculator_once() -> None:
    calculator = FixedCalculator()
    situation, _ = SITUATIONS["weather"]()
    facts = await gather_facts(
        situation, "extended", dex(), candidates_of, CalculatedDamage(calculator)
    )
    assert len(calculator.requests) == 1
    attack = facts.matchups[0].attacks[0]
    assert attack.damage is not None
    assert (attack.damage.low, attack.damage.high) == (20.0, 24.0)
    assert facts.notes == ()


class WaitingCalculator(FixedCalculator):
    """Sends when it is asked, as the real client does, and answers when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = False
        self.cancelled = False
        self.open = asyncio.Event()

    async def calculate(self, queries: list[DamageQuery]) -> list[DamageAnswer] | None:
        self.sent = True
        try:
            await asyncio.wait_for(self.open.wait(), 10)
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return await super().calculate(queries)


async def test_what_needs_no_facts_is_done_while_the_calculator_reckons() -> None:
    calculator = WaitingCalculator()
    situation, _ = SITUATIONS["weather"]()
    found: list[tuple[bool, int]] = []

    def meanwhile() -> None:
        found.append((calculator.sent, len(calculator.requests)))
        calculator.open.set()

    damage = CalculatedDamage(calculator)
    await gather_facts(situation, "extended", dex(), candidates_of, damage, meanwhile)
    assert found == [(True, 0)], "asked, and not yet answered"
    await gather_facts(situation, "pokellmon", dex(), candidates_of, damage, meanwhile)
    assert len(found) == 2, "also where nothing is asked"


async def test_work_that_fails_meanwhile_leaves_no_request_behind() -> None:
    calculator = WaitingCalculator()
    situation, _ = SITUATIONS["weather"]()

    def meanwhile() -> None:
        raise LookupError("no memory")

    with pytest.raises(LookupError):
        await gather_facts(
            situation, "extended", dex(), candidates_of, CalculatedDamage(calculator), meanwhile
        )
    await asyncio.sleep(0.01)
    assert calculator.cancelled


async def test_pokellmon_knowledge_asks_it_nothing() -> None:
    calculator = FixedCalculator()
    situation, _ = SITUATIONS["weather"]()
    facts = await gather_facts(
        situation, "pokellmon", dex(), candidates_of, CalculatedDamage(calculator)
    )
    assert calculator.requests == []
    assert facts.matchups[0].attacks[0].damage is None
    assert NO_DAMAGE_RANGES not in facts.notes


async def test_a_calculator_without_an_answer_costs_the_ranges_only() -> None:
    situation, _ = SITUATIONS["weather"]()
    for damage in (None, CalculatedDamage(FixedCalculator(answers=False))):
        facts = await gather_facts(situation, "extended", dex(), candidates_of, damage)
        assert facts.notes == (NO_DAMAGE_RANGES,)
        assert facts.matchups[0].attacks[0].scaled_power is not None


async def test_without_a_foe_in_battle_there_are_no_threats() -> None:
    facts = await gather_facts(
        view(team(), []), "extended", dex(), candidates_of, CalculatedDamage(FixedCalculator())
    )
    assert all(not matchup.threats for matchup in facts.matchups)
    assert facts.matchups[0].attacks[0].multiplier is None
    assert facts.notes == ()


@pytest.mark.parametrize(
    "speed, trick_room, expected",
    [((66, 89, 89), False, "foe"), ((66, 89, 89), True, "foe"), ((90, 66, 89), False, "own")],
)
async def test_who_is_faster_is_the_views_word(
    speed: tuple[int, int, int], trick_room: bool, expected: str
) -> None:
    first = "own" if expected == "own" else "foe"
    situation = view(
        team(), [foe("toxapex")], speed=SpeedView(*speed, trick_room=trick_room, first=first)
    )
    facts = await gather_facts(situation, "pokellmon", dex())
    assert facts.matchups[0].faster == expected


async def test_bench_speeds_overlapping_the_foes_range_are_open() -> None:
    mine = [*team()[:1], own("dragapult", "infiltrator", None, "shadowball", slot=2)]
    situation = view(mine, [foe("toxapex")], speed=SpeedView(66, 100, 400, first=None))
    facts = await gather_facts(situation, "pokellmon", dex())
    assert facts.matchups[1].faster is None


async def test_a_known_item_or_ability_leaves_nothing_to_guess() -> None:
    known = foe("toxapex", item="rockyhelmet", ability="merciless")
    facts = await gather_facts(view(team(), [known]), "extended", dex(), candidates_of)
    found = facts.foe[0]
    assert found.item is not None
    assert (found.item.name, found.possible_items) == ("Rocky Helmet", ())
    assert found.ability is not None
    assert (found.ability.name, found.possible_abilities) == ("Merciless", ())


@pytest.mark.parametrize("situation", SITUATIONS)
def test_facts_survive_as_a_document(situation: str) -> None:
    _, _, facts = stored(situation)
    for found in facts.values():
        assert load_facts(dump_facts(found)) == found


def documents(situation: str) -> Iterator[tuple[Facts, dict[str, Any]]]:
    """Each kind of facts of a situation, and their document."""
    _, _, facts = stored(situation)
    for found in facts.values():
        document = json.loads(dump_facts(found))
        assert len(document["own"]) == len(document["matchups"]) == len(found.matchups)
        yield found, document


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_document_names_each_move_once(situation: str) -> None:
    for found, document in documents(situation):
        for mine, matchup in zip(document["own"], document["matchups"], strict=True):
            own = [move["id"] for move in (*mine["moves"], *mine["other_moves"])]
            assert [attack["move"] for attack in matchup["attacks"]] == own
        told = [[each["move"] for each in one["threats"]] for one in document["matchups"]]
        assert told == [[threat.move.id for threat in one.threats] for one in found.matchups]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_documents_of_early_records_can_be_read(situation: str) -> None:
    """They hold the whole move in every attack, and Struggle nowhere else."""
    for found, document in documents(situation):
        for mine in document["own"]:
            mine.pop("other_moves")
        for matchup, known in zip(document["matchups"], found.matchups, strict=True):
            for kind in ("attacks", "threats"):
                for attack, whole in zip(matchup[kind], getattr(known, kind), strict=True):
                    attack["move"] = asdict(whole.move)
        read = load_facts(json.dumps(document))
        assert read == found
        assert load_facts(dump_facts(read)) == found


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["own", "foe", "matchups", "moves", "attacks", "move", "id", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON)
@settings(max_examples=300)
def test_what_is_no_document_of_facts_is_refused(document: object) -> None:
    """With the one error that is promised; a few such documents are facts, of nothing."""
    with contextlib.suppress(ValidationError):
        assert load_facts(json.dumps(document)).matchups == ()


@given(st.data())
def test_a_damaged_document_is_refused_or_read(data: st.DataObject) -> None:
    _, _, facts = stored("struggle")
    document = json.loads(dump_facts(facts["extended"]))
    place = data.draw(st.sampled_from(["own", "foe", "matchups"]))
    part = data.draw(st.sampled_from(document[place]))
    part[data.draw(st.sampled_from(sorted(part)))] = data.draw(JSON)
    with contextlib.suppress(ValidationError):
        load_facts(json.dumps(document))
