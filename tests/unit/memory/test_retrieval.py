"""Retrieval: the best experiences first, the newer among ties, from snapshots that never change."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porimon.config.player import MemoryConfig
from porimon.memory import plain
from porimon.memory.experience import Experience, Result
from porimon.memory.retrieval import Memory, MemorySnapshot
from tests.unit.memory.line_game import LineSimilarity, experience, team

SMALL = MemoryConfig(minimum=1)


def memory_of(
    experiences: list[Experience], config: MemoryConfig = SMALL, limit: int = 10_000
) -> MemorySnapshot:
    """What a battle may read after these."""
    memory = Memory(LineSimilarity(), config)
    for each in experiences:
        memory.add(each)
    return memory.snapshot(limit)


def indices(snapshot: MemorySnapshot, own: float = 0.5, foe: float = 0.5, **more: str) -> list[int]:
    """The battles of the retrieved experiences, best first."""
    return [each.experience.index for each in snapshot.retrieve(team(own), team(foe), **more)]


def spread(count: int) -> list[Experience]:
    """Experiences whose opponent stands at index / count."""
    return [experience(i, team(0.5), team(i / count)) for i in range(count)]


def test_nothing_before_the_minimum_is_stored() -> None:
    config = MemoryConfig()
    assert memory_of(spread(9), config).retrieve(team(0.5), team(0.5)) == ()
    assert len(memory_of(spread(10), config).retrieve(team(0.5), team(0.5))) == 3
    assert memory_of([], MemoryConfig(minimum=0)).retrieve(team(0.5), team(0.5)) == ()


def test_the_best_come_first_and_the_newer_among_ties() -> None:
    """Opponents at 0.4 and 0.6 are equally like one at 0.5."""
    assert indices(memory_of(spread(10))) == [5, 6, 4]


def test_rounding_does_not_decide_a_tie() -> None:
    """The same members in another order may give a sum that differs in the last bit."""
    members = (0.137, 0.711, 0.353, 0.919, 0.241, 0.617)
    orders = [random.Random(seed).sample(members, 6) for seed in range(40)]
    stored = [experience(i, team(*order), team(*order)) for i, order in enumerate(orders)]
    snapshot = memory_of(stored)
    own = foe = team(0.11, 0.63, 0.9)
    assert len(set(snapshot.scores(own, foe).tolist())) > 1
    found = snapshot.retrieve(own, foe)
    assert [each.experience.index for each in found] == [39, 38, 37]


def test_lambda_weighs_the_opponent() -> None:
    stored = [experience(0, team(0.0), team(1.0)), experience(1, team(1.0), team(0.0))]
    own, foe = team(0.0), team(0.0)
    for weight, best in ((0.7, 1), (0.3, 0)):
        config = MemoryConfig(minimum=1, opponent_weight=weight)
        found = memory_of(stored, config).retrieve(own, foe)
        assert found[0].experience.index == best
        assert found[0].score == pytest.approx(0.7)
        assert found[1].score == pytest.approx(0.3)


def test_the_opponent_members_that_are_not_revealed_do_not_count() -> None:
    stored = [experience(0, team(0.5), team(0.2)), experience(1, team(0.5), team(0.2, 0.9))]
    found = memory_of(stored).retrieve(team(0.5), team(0.2))
    assert [each.experience.index for each in found] == [0, 1]
    assert found[0].score == pytest.approx(1)


def test_before_anything_is_revealed_the_own_team_decides() -> None:
    stored = [experience(0, team(0.9), team(0.1)), experience(1, team(0.1), team(0.9))]
    found = memory_of(stored).retrieve(team(0.9), ())
    assert [each.experience.index for each in found] == [0, 1]
    assert found[0].score == pytest.approx(0.3)


def test_why_names_each_member_and_its_nearest() -> None:
    stored = experience(0, team(0.5), team(0.0, 1.0), foe_importance=[2.0, None])
    why = memory_of([stored]).retrieve(team(0.5), team(0.25))[0].why
    assert why["opponent"]["similarity"] == pytest.approx((0.5 * (0.75 + 0.25) + 0.75) / 2)
    assert why["opponent"]["stored_members"] == [
        {"stored": "point 0", "importance": 2.0, "nearest": "point 0.25", "similarity": 0.75},
        {"stored": "point 1", "importance": None, "nearest": "point 0.25", "similarity": 0.25},
    ]
    assert why["opponent"]["current_members"] == [
        {"current": "point 0.25", "nearest": "point 0", "similarity": 0.75}
    ]
    assert why["own"]["similarity"] == 1
    assert why["opponent_weight"] == 0.7


def test_why_of_a_team_without_members() -> None:
    why = memory_of([experience(0, team(0.5), ())]).retrieve((), team(0.25))[0].why
    assert why["own"]["stored_members"] == [
        {"stored": "point 0.5", "importance": 5.0, "nearest": None, "similarity": None}
    ]
    assert why["opponent"]["current_members"] == [
        {"current": "point 0.25", "nearest": None, "similarity": None}
    ]


@given(
    st.lists(
        st.tuples(
            st.lists(st.floats(0, 1), max_size=6),
            st.lists(st.floats(0, 1), max_size=6),
            st.integers(0, 100).map(lambda tenths: tenths / 10),
        ),
        min_size=1,
        max_size=25,
    ),
    st.lists(st.floats(0, 1), max_size=6),
    st.lists(st.floats(0, 1), max_size=6),
    st.floats(0, 1),
    st.sampled_from(["uniform", "weighted"]),
)
@settings(max_examples=150, deadline=None)
def test_agrees_with_the_plain_form(
    drawn: list[tuple[list[float], list[float], float]],
    own: list[float],
    foe: list[float],
    opponent_weight: float,
    retrieval: str,
) -> None:
    config = MemoryConfig.model_validate(
        {"minimum": 1, "top": 4, "opponent_weight": opponent_weight, "retrieval": retrieval}
    )
    stored = [
        experience(
            index,
            team(*ours),
            team(*theirs),
            own_importance=[importance] * len(ours),
            foe_importance=[float(place) for place in range(len(theirs))],
        )
        for index, (ours, theirs, importance) in enumerate(drawn)
    ]
    snapshot = memory_of(stored, config)
    scores = snapshot.scores(team(*own), team(*foe))
    for each, found in zip(stored, scores, strict=True):
        expected = plain.score(each, team(*own), team(*foe), LineSimilarity(), config)
        assert found == pytest.approx(expected, abs=1e-12)
    best = plain.retrieve(stored, team(*own), team(*foe), LineSimilarity(), config)
    retrieved = snapshot.retrieve(team(*own), team(*foe))
    assert [each.score for each in retrieved] == pytest.approx(
        [value for _, value in best], abs=1e-12
    )


def test_a_snapshot_does_not_change_when_the_memory_grows() -> None:
    memory = Memory(LineSimilarity(), SMALL)
    for each in spread(20):
        memory.add(each)
    snapshot = memory.snapshot(9)
    before = (len(snapshot), snapshot.hash, indices(snapshot))
    for index in range(20, 400):
        memory.add(experience(index, team(0.5, 0.4, index / 400), team(0.5)))
    later = memory.snapshot(399)
    assert (len(snapshot), snapshot.hash, indices(snapshot)) == before
    assert len(later) == 400
    assert later.hash != snapshot.hash
    assert [each.index for each in snapshot.experiences] == list(range(10))


def test_a_snapshot_holds_exactly_the_battles_up_to_its_limit() -> None:
    memory = Memory(LineSimilarity(), SMALL)
    for index in (3, 0, 7, 1, 2):
        memory.add(experience(index, team(0.5), team(0.5)))
    assert [each.index for each in memory.snapshot(-2).experiences] == []
    assert [each.index for each in memory.snapshot(2).experiences] == [0, 1, 2]
    assert [each.index for each in memory.snapshot(6).experiences] == [0, 1, 2, 3]
    assert [each.index for each in memory.snapshot(1).experiences] == [0, 1]


def test_imported_experiences_come_before_the_first_battle() -> None:
    memory = Memory(LineSimilarity(), SMALL)
    memory.add(experience(99, team(0.5), team(0.5)), place=-1)
    memory.add(experience(0, team(0.5), team(0.5)))
    assert [each.index for each in memory.snapshot(-3).experiences] == [99]
    assert [each.index for each in memory.snapshot(0).experiences] == [99, 0]


def test_the_same_experience_twice_counts_once() -> None:
    memory = Memory(LineSimilarity(), SMALL)
    memory.add(experience(0, team(0.5), team(0.5)))
    memory.add(experience(0, team(0.5), team(0.5)))
    assert len(memory) == len(memory.snapshot(5)) == 1


def test_an_experience_that_comes_too_late_is_refused() -> None:
    """Otherwise what a battle reads would depend on which battles happened to finish first."""
    memory = Memory(LineSimilarity(), SMALL)
    memory.snapshot(4)
    with pytest.raises(ValueError, match="battle-4"):
        memory.add(experience(4, team(0.5), team(0.5)))


def results(seed: int, count: int) -> list[Result]:
    """Results drawn by a seed."""
    drawn = random.Random(seed)
    return [drawn.choice(["win", "loss", "tie"]) for _ in range(count)]


def test_forgetting_the_oldest() -> None:
    snapshot = memory_of(spread(10), MemoryConfig(minimum=1, top=10, capacity=4))
    assert sorted(indices(snapshot)) == [6, 7, 8, 9]
    assert len(snapshot) == 10


def test_forgetting_the_least_used() -> None:
    """Battle 1 used experience 0, so of 0, 1, 2 the unused older one goes: 1."""
    first = experience(0, team(0.5), team(0.0))
    second = experience(1, team(0.5), team(0.1), retrieved={first.id: 4})
    config = MemoryConfig(minimum=1, top=10, capacity=2, forgetting="least_used")
    third = experience(2, team(0.5), team(0.2))
    assert sorted(indices(memory_of([first, second, third], config))) == [0, 2]


def test_forgetting_the_least_useful() -> None:
    """Experience 0 was there in a lost battle, 1 in a won one: 0 goes, though 1 is as old."""
    first = experience(0, team(0.5), team(0.0), "tie")
    second = experience(1, team(0.5), team(0.1), "loss", retrieved={first.id: 1})
    third = experience(2, team(0.5), team(0.2), "win", retrieved={second.id: 1})
    config = MemoryConfig(minimum=1, top=10, capacity=2, forgetting="least_useful")
    assert sorted(indices(memory_of([first, second, third], config))) == [1, 2]


def test_usefulness_worked_by_hand() -> None:
    """Three battles: tie, win (given 0), win (given 0): p = 2.5 / 3, n = 2, w = 2.

    lift = (2 − 2 · 2.5 / 3) / (2 + 10) = (1 / 3) / 12 = 1 / 36.
    """
    first = experience(0, team(0.5), team(0.5), "tie")
    stored = [
        first,
        experience(1, team(0.5), team(0.5), "win", retrieved={first.id: 9}),
        experience(2, team(0.5), team(0.5), "win", retrieved={first.id: 1, "unknown": 3}),
    ]
    found = memory_of(stored, MemoryConfig(minimum=1, usefulness=True)).retrieve(
        team(0.5), team(0.5)
    )
    assert [each.experience.index for each in found] == [0, 2, 1]
    assert [each.score for each in found] == pytest.approx([37 / 36, 1, 1])
    assert found[0].why["usefulness_factor"] == pytest.approx(37 / 36)


def test_usefulness_is_off_by_default() -> None:
    first = experience(0, team(0.5), team(0.5), "loss")
    second = experience(1, team(0.5), team(0.5), "win", retrieved={first.id: 9})
    found = memory_of([first, second]).retrieve(team(0.5), team(0.5))
    assert [each.score for each in found] == pytest.approx([1, 1])


def test_placebo_gives_as_many_others_by_the_occasion() -> None:
    stored = spread(30)
    honest = indices(memory_of(stored))
    snapshot = memory_of(stored, MemoryConfig(minimum=1, placebo=True))
    drawn = [indices(snapshot, occasion=f"battle-30/{number}") for number in range(20)]
    assert all(len(each) == 3 and not set(each) & set(honest) for each in drawn)
    assert len({tuple(each) for each in drawn}) > 10
    again = memory_of(stored, MemoryConfig(minimum=1, placebo=True))
    assert [indices(again, occasion=f"battle-30/{number}") for number in range(20)] == drawn
    why = snapshot.retrieve(team(0.5), team(0.5), occasion="x")[0].why
    assert why["placebo_instead_of"] == [stored[index].id for index in honest]


def test_placebo_draws_no_forgotten_experience() -> None:
    config = MemoryConfig(minimum=1, placebo=True, capacity=5)
    snapshot = memory_of(spread(30), config)
    drawn = {each for n in range(30) for each in indices(snapshot, occasion=str(n))}
    assert drawn <= set(range(25, 30))
    assert len(indices(snapshot, occasion="x")) == 2  # five are left, three were chosen


def test_raw_episodes_give_the_log() -> None:
    stored = experience(0, team(0.5), team(0.5), log="Turn 1: …")
    assert memory_of([stored]).retrieve(team(0.5), team(0.5))[0].episode is None
    config = MemoryConfig(minimum=1, raw_episodes=True)
    assert memory_of([stored], config).retrieve(team(0.5), team(0.5))[0].episode == "Turn 1: …"


def test_what_a_record_keeps() -> None:
    stored = experience(0, team(0.5), team(0.5))
    found = memory_of([stored]).retrieve(team(0.5), team(0.5))[0]
    record = found.record()
    assert (record.experience_id, record.score, record.why) == (stored.id, 1.0, found.why)


async def play_matchup(seed: int, config: MemoryConfig) -> tuple[str, list[str], list[list[str]]]:
    """Play 60 battles, 4 at once, with delays drawn by ``seed``, all else being the same.

    A battle's experience depends on what it retrieved, so that any difference would spread.
    Returns the final memory's hash, each battle's snapshot hash, and what each retrieved.
    """
    delays = random.Random(seed)
    concurrency, battles = 4, 60
    memory = Memory(LineSimilarity(), config)
    done = [asyncio.Event() for _ in range(battles)]
    hashes, retrieved = [""] * battles, [[""]] * battles

    async def play(index: int) -> None:
        limit = index - concurrency
        for event in done[: max(limit + 1, 0)]:
            await event.wait()
        snapshot = memory.snapshot(limit)
        position = random.Random(index).random()
        found = snapshot.retrieve(team(position), team(1 - position), occasion=f"battle-{index}/1")
        ids = [each.experience.id for each in found]
        hashes[index], retrieved[index] = snapshot.hash, ids
        await asyncio.sleep(delays.random() * 0.002)
        result = results(int(ids[0][:8], 16) if ids else index, 1)[0]
        memory.add(
            experience(
                index,
                team(position),
                team(1 - position),
                result,
                retrieved=dict.fromkeys(ids, 1),
            )
        )
        done[index].set()

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        for index in delays.sample(range(battles), battles):
            group.create_task(play(index))
    return memory.snapshot(battles).hash, hashes, retrieved


@pytest.mark.parametrize(
    "config",
    [
        MemoryConfig(),
        MemoryConfig(retrieval="weighted", usefulness=True, capacity=12, forgetting="least_used"),
        MemoryConfig(placebo=True, capacity=20, forgetting="least_useful"),
    ],
    ids=["paper", "usefulness", "placebo"],
)
async def test_the_order_in_which_battles_finish_changes_nothing(config: MemoryConfig) -> None:
    first = await play_matchup(1, config)
    assert any(first[2])
    for seed in (2, 3):
        assert await play_matchup(seed, config) == first


@given(st.permutations(range(12)), st.integers(0, 11))
def test_the_hash_tells_contents_and_not_the_order_of_adding(order: list[int], limit: int) -> None:
    stored = spread(12)
    shuffled = memory_of([stored[place] for place in order], limit=limit)
    assert shuffled.hash == memory_of(stored[: limit + 1]).hash
    assert shuffled.hash != memory_of(stored[:limit]).hash


def test_an_earlier_snapshot_of_a_learning_memory_is_what_it_was() -> None:
    config = MemoryConfig(minimum=1, usefulness=True, capacity=3, forgetting="least_useful")
    memory = Memory(LineSimilarity(), config)
    stored = spread(4)
    stored.append(experience(4, team(0.5), team(0.5), "loss", retrieved={stored[2].id: 1}))
    for each in stored:
        memory.add(each)
    early = memory.snapshot(3).scores(team(0.5), team(0.4)).tolist()
    late = memory.snapshot(4).scores(team(0.5), team(0.4)).tolist()
    assert late[:4] != early
    assert memory.snapshot(3).scores(team(0.5), team(0.4)).tolist() == early
