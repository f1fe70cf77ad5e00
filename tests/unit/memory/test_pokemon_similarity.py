"""s(a, b) = α · n(a, b) + (1 − α) · J(a, b), and what an experience keeps of a Pokémon."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porimon.config.player import MemoryConfig
from porimon.memory import plain
from porimon.memory.experience import Document, Experience
from porimon.memory.retrieval import Memory
from porimon.showdown.dex.store import dex
from porimon.showdown.similarity import PokemonSimilarity, current_teams, member_from_view
from porimon.showdown.view.model import BattleView, FieldView, MoveView, SideView
from tests.unit.memory.line_game import experience
from tests.unit.memory.pokemon import member, members, seen

SIMILARITY = PokemonSimilarity()
alphas = st.floats(0, 1)


def test_worked_by_hand() -> None:
    """Half the HP gone: n = 1 − 0.5 / √7 = 0.81102. Two of five names shared: J = 0.4.

    α = 0.7: 0.7 · 0.81102 + 0.3 · 0.4 = 0.68771.
    """
    one = member(types=("grass", "poison"), ability="overgrow")
    other = member(types=("poison", "grass"), ability="chlorophyll", status="brn", hp=0.5)
    assert SIMILARITY.pair(one, other, 0.7) == pytest.approx(0.68771, abs=5e-6)
    assert SIMILARITY.pair(one, other, 1.0) == pytest.approx(0.81102, abs=5e-6)
    assert SIMILARITY.pair(one, other, 0.0) == pytest.approx(0.4)


def test_base_stats_count_in_units_of_255() -> None:
    """Speed 50 against 152: 102 / 255 = 0.4, so n = 1 − 0.4 / √7."""
    slow, fast = member((100, 100, 100, 100, 100, 50)), member((100, 100, 100, 100, 100, 152))
    assert SIMILARITY.pair(slow, fast, 1.0) == pytest.approx(1 - 0.4 / math.sqrt(7))


def test_the_largest_distance_is_0() -> None:
    none, all_of_it = member((0,) * 6, ("fire",), hp=0.0), member((255,) * 6, ("water",))
    assert SIMILARITY.pair(none, all_of_it, 0.5) == pytest.approx(0, abs=1e-15)
    table = SIMILARITY.table(0.5)
    table.number(none)
    assert table.compare([all_of_it])[0, 0] >= 0


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (member(), member(), 1.0),  # two empty sets
        (member(types=("fire",)), member(), 0.0),
        (member(types=("fire",), ability="blaze"), member(types=("fire",)), 0.5),  # unknown ability
        (member(status="par"), member(status="par"), 1.0),
        (member(types=("fire", "water")), member(types=("water", "steel")), 1 / 3),
    ],
)
def test_names(one: Document, other: Document, expected: float) -> None:
    assert SIMILARITY.pair(one, other, 0.0) == pytest.approx(expected)


@given(members, members, alphas)
def test_symmetric_within_bounds_and_1_for_the_same(
    one: Document, other: Document, alpha: float
) -> None:
    value = SIMILARITY.pair(one, other, alpha)
    assert value == pytest.approx(SIMILARITY.pair(other, one, alpha), abs=1e-12)
    assert -1e-12 <= value <= 1 + 1e-12
    assert SIMILARITY.pair(one, one, alpha) == pytest.approx(1, abs=1e-12)


@given(st.lists(members, max_size=150), st.lists(members, max_size=12), alphas)
@settings(max_examples=60, deadline=None)
def test_the_table_agrees_with_pairs(
    stored: list[Document], current: list[Document], alpha: float
) -> None:
    table = SIMILARITY.table(alpha)
    numbers = [table.number(each) for each in stored]
    compared = table.compare(current)
    assert compared.shape == (len(current), len(table))
    expected = [[SIMILARITY.pair(one, other, alpha) for other in stored] for one in current]
    np.testing.assert_allclose(
        compared[:, numbers], np.array(expected).reshape(len(current), len(stored)), atol=1e-12
    )


def test_members_that_look_alike_share_a_number() -> None:
    """Level, item and moves play no part in the similarity."""
    table = SIMILARITY.table(0.5)
    first = member(types=("fire", "water")) | {"level": 80, "item": "leftovers"}
    same = member(types=("water", "fire")) | {"level": 90, "item": None}
    assert table.number(first) == table.number(same) == 0
    assert table.number(member(types=("fire",))) == 1
    assert len(table) == 2


def test_the_table_grows_past_its_first_room() -> None:
    table = SIMILARITY.table(0.0)
    for number in range(200):
        assert table.number(member(ability=f"a{number}")) == number
    compared = table.compare([member(ability="a7"), member(ability="never met")])
    assert compared.sum() == 1
    assert compared[0, 7] == 1


@given(
    st.lists(
        st.tuples(st.lists(members, min_size=1, max_size=6), st.lists(members, max_size=6)),
        min_size=1,
        max_size=10,
    ),
    st.lists(members, min_size=1, max_size=6),
    st.lists(members, max_size=6),
    alphas,
    st.sampled_from(["uniform", "weighted"]),
)
@settings(max_examples=50, deadline=None)
def test_retrieval_agrees_with_the_plain_form(
    drawn: list[tuple[list[Document], list[Document]]],
    own: list[Document],
    foe: list[Document],
    alpha: float,
    retrieval: str,
) -> None:
    config = MemoryConfig.model_validate({"minimum": 1, "alpha": alpha, "retrieval": retrieval})
    stored: list[Experience] = [
        experience(
            index,
            ours,
            theirs,
            own_importance=[float(place * index % 11) for place in range(len(ours))],
            foe_importance=[float(place) for place in range(len(theirs))],
        )
        for index, (ours, theirs) in enumerate(drawn)
    ]
    memory = Memory(SIMILARITY, config)
    for each in stored:
        memory.add(each)
    scores = memory.snapshot(len(stored)).scores(own, foe)
    expected = [plain.score(each, own, foe, SIMILARITY, config) for each in stored]
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-12)


def test_what_an_experience_keeps_at_the_start_and_at_the_end() -> None:
    pokemon = seen(
        "aegislash",
        species="aegislashblade",
        base_stats=dex().species("aegislashblade").base_stats,
        hp_fraction=0.25,
        status="brn",
        ability="mummy",
        base_ability="stancechange",
        item="noitem",
        former_items=("leftovers", "choiceband"),
        types=("water",),
        moves=(MoveView("shadowball"), MoveView("kingsshield")),
    )
    start = member_from_view(pokemon, "start", dex())
    assert start == {
        "species": "aegislash",
        "name": "Aegislash",
        "level": 80,
        "base_stats": {"hp": 60, "atk": 50, "def": 140, "spa": 50, "spd": 140, "spe": 60},
        "types": ["steel", "ghost"],
        "ability": "stancechange",
        "item": "leftovers",
        "moves": ["shadowball", "kingsshield"],
        "hp": 1.0,
        "status": None,
    }
    end = member_from_view(pokemon, "end", dex())
    assert end == start | {
        "species": "aegislashblade",
        "name": "Aegislash-Blade",
        "base_stats": {"hp": 60, "atk": 140, "def": 50, "spa": 140, "spd": 50, "spe": 60},
        "types": ["water"],
        "ability": "mummy",
        "item": "noitem",
        "hp": 0.25,
        "status": "brn",
    }


def test_the_current_teams_are_what_a_view_shows() -> None:
    view = BattleView(
        battle_format="gen8randombattle",
        turn=3,
        me="p2",
        own=SideView("p2", seen("pikachu", hp_fraction=0.5), (seen("snorlax"),), 6),
        foe=SideView("p1", None, (seen("gengar"),), 6),
        field=FieldView(),
        legal_orders=(),
    )
    own, foe = current_teams(view, dex())
    assert [(each["name"], each["hp"]) for each in own] == [("Pikachu", 0.5), ("Snorlax", 1.0)]
    assert [each["name"] for each in foe] == ["Gengar"]
