"""What a foe may have: probabilities, agreement with what was revealed, and never nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from porimon.showdown.candidates import Candidates, Revealed, candidates, revealed_from_view
from porimon.showdown.candidates.infer import infer
from porimon.showdown.candidates.samples import SampledSet, Samples, encode, samples
from porimon.showdown.dex import dex
from porimon.showdown.view.model import NO_ITEM, MoveView, PokemonView


@st.composite
def partly_revealed(draw: st.DrawFn) -> tuple[Revealed, SampledSet]:
    """A set that the generator makes, and a part of it as what was revealed."""
    entry = samples().of(draw(st.sampled_from(samples().species)))
    one = draw(st.sampled_from(entry.sets))
    revealed = Revealed(
        species=draw(st.sampled_from(entry.looks)),
        level=draw(st.sampled_from([None, entry.level])),
        moves=frozenset(draw(st.sets(st.sampled_from(sorted(one.moves))))),
        item=draw(st.sampled_from([None, one.item])),
        ability=draw(st.sampled_from([None, one.ability])),
    )
    return revealed, one


def total(chances: tuple[tuple[str, float], ...]) -> float:
    return sum(chance for _, chance in chances)


def check(found: Candidates) -> None:
    """What holds for all candidates, whatever was revealed."""
    assert found.sets
    assert sum(one.probability for one in found.sets) == pytest.approx(1)
    assert total(found.items) == pytest.approx(1)
    assert total(found.abilities) == pytest.approx(1)
    moves = dict(found.moves)
    for move in found.revealed.moves:
        assert moves[move] == 1
    assert all(0 < chance <= 1 for chance in moves.values())
    for one in found.sets:
        assert found.revealed.moves <= set(one.moves)
        for stat, (low, high) in found.stats_ranges.items():
            assert low <= one.stats[stat] <= high


@given(partly_revealed())
@settings(max_examples=200, deadline=None)
def test_a_true_set_is_always_among_its_candidates(case: tuple[Revealed, SampledSet]) -> None:
    revealed, truth = case
    found = candidates(revealed)
    check(found)
    assert found.relaxed == ()
    assert any(
        set(one.moves) == truth.moves and one.item == truth.item and one.ability == truth.ability
        for one in found.sets
    )


@given(partly_revealed(), st.data())
@settings(max_examples=200, deadline=None)
def test_to_know_more_leaves_no_more_sets(
    case: tuple[Revealed, SampledSet], data: st.DataObject
) -> None:
    """Of the sets before, those that agree remain, in the same proportions to each other."""
    revealed, truth = case
    hidden = sorted(truth.moves - revealed.moves)
    assume(hidden)
    move = data.draw(st.sampled_from(hidden))
    before = candidates(revealed)
    after = candidates(replace(revealed, moves=revealed.moves | {move}))

    def weights(found: Candidates) -> dict[tuple[object, ...], float]:
        return {
            (frozenset(one.moves), one.item, one.ability, one.level, *one.stats.values()): (
                one.probability
            )
            for one in found.sets
        }

    chance = dict(before.moves)[move]
    for key, weight in weights(after).items():
        assert weight == pytest.approx(weights(before)[key] / chance)


@given(
    species=st.sampled_from(dex().ids("species")),
    level=st.none() | st.integers(1, 100),
    moves=st.frozensets(st.sampled_from(dex().ids("moves")), max_size=5),
    item=st.none() | st.sampled_from([*dex().ids("items"), NO_ITEM]),
    ability=st.none() | st.sampled_from(dex().ids("abilities")),
    excluded=st.frozensets(st.sampled_from(dex().ids("items")), max_size=3),
)
@settings(max_examples=200, deadline=None)
def test_contradictions_never_leave_nothing(
    species: str,
    level: int | None,
    moves: frozenset[str],
    item: str | None,
    ability: str | None,
    excluded: frozenset[str],
) -> None:
    """Whatever is claimed of any species, there are candidates, and what was set aside is named."""
    found = candidates(
        Revealed(species, level, moves, item, ability, dict.fromkeys(excluded, "drawn"))
    )
    check(found)
    if item is not None and "species" not in found.relaxed and "item" not in found.relaxed:
        assert {one.item for one in found.sets} == {item}


def test_one_wrong_fact_is_set_aside_alone() -> None:
    found = candidates(
        Revealed("garbodor", 87, frozenset({"gunkshot"}), item="choicescarf", ability="aftermath")
    )
    assert found.relaxed == ("item",)
    assert dict(found.moves)["gunkshot"] == 1
    assert found.items == (("blacksludge", 1.0),)


def test_a_move_that_no_set_has_is_kept_beside_the_likely_ones() -> None:
    found = candidates(Revealed("garbodor", 87, frozenset({"tackle", "gunkshot"})))
    assert found.relaxed == ("moves",)
    assert dict(found.moves)["tackle"] == 1
    assert all({"tackle", "gunkshot"} <= set(one.moves) for one in found.sets)


def test_a_species_that_the_generator_never_makes_follows_the_convention() -> None:
    found = candidates(Revealed("caterpie", 50))
    assert found.relaxed == ("species",)
    assert found.sets[0].evs["spe"] == 85
    assert found.moves == ()


def test_exclusions_remove_items_and_abilities() -> None:
    open_sets = candidates(Revealed("venusaur"))
    assert {"chlorophyll", "overgrow"} == {ability for ability, _ in open_sets.abilities}
    told = candidates(Revealed("venusaur", excluded_abilities={"chlorophyll": "slow in the sun"}))
    assert told.abilities == (("overgrow", 1.0),)


def test_sets_without_physical_moves_have_no_attack() -> None:
    """The generator's own rule, seen in every candidate of a special attacker."""
    for one in candidates(Revealed("gengar")).sets:
        physical = any(dex().move(move).category == "physical" for move in one.moves)
        assert (one.evs["atk"], one.ivs["atk"]) == ((85, 31) if physical else (0, 0))


def test_gyro_ball_sets_are_slow() -> None:
    for one in candidates(Revealed("ferrothorn")).sets:
        slow = "gyroball" in one.moves
        assert (one.evs["spe"], one.ivs["spe"]) == ((0, 0) if slow else (85, 31))


def pokemon(**changes: object) -> PokemonView:
    species = dex().species("garbodor")
    base = PokemonView(
        species="garbodor",
        team_species="garbodor",
        name="Garbodor",
        level=87,
        gender="M",
        types=species.types,
        base_stats=species.base_stats,
        hp_fraction=1.0,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def test_the_first_item_held_is_the_sets_own() -> None:
    """It was tricked onto a scarf: what it came with is what its set says."""
    tricked = pokemon(item="choicescarf", former_items=("blacksludge",))
    assert revealed_from_view(tricked).item == "blacksludge"
    bare = pokemon(item=NO_ITEM, former_items=("blacksludge",))
    assert revealed_from_view(bare).item == "blacksludge"
    assert revealed_from_view(pokemon()).item is None


def test_the_moves_of_a_transformed_pokemon_are_not_its_own() -> None:
    moves = (MoveView("gunkshot"), MoveView("struggle"))
    assert revealed_from_view(pokemon(moves=moves)).moves == {"gunkshot"}
    assert revealed_from_view(pokemon(moves=moves, transformed_into="mew")).moves == frozenset()


def test_the_compact_form_keeps_every_set() -> None:
    rows = [
        [3, "Staller", ["toxic", "recover"], "leftovers", "pressure", [85] * 6, [31] * 6],
        [1, "Staller", ["toxic", "scald"], "", "multiscale", [41] + [85] * 5, [31] * 6],
    ]
    raw = {
        "source": "test",
        "samples": 4,
        "species": {"lugia": {"level": 72, "looks": ["lugia"], "sets": rows}},
    }
    found = infer(Revealed("lugia"), Samples(encode(raw)))
    assert [(one.probability, set(one.moves), one.item) for one in found.sets] == [
        (0.75, {"toxic", "recover"}, "leftovers"),
        (0.25, {"toxic", "scald"}, NO_ITEM),
    ]
    assert dict(found.moves) == {"toxic": 1.0, "recover": 0.75, "scald": 0.25}
    assert found.stats_ranges["hp"][0] < found.stats_ranges["hp"][1]
