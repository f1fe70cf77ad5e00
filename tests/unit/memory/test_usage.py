"""How experiences were used, worked by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from porimon.memory.credit import POINTS
from porimon.memory.experience import Experience, Result
from porimon.memory.store import IMPORTED, StoredExperience
from porimon.memory.usage import Share, memory_usage
from tests.unit.memory.line_game import experience, team


def test_counts_and_win_rates_with_and_without() -> None:
    first = experience(0, team(0.1), team(0.2), "loss")
    battles = [
        first,
        experience(1, team(0.1), team(0.2), "win", retrieved={first.id: 5}),
        experience(2, team(0.1), team(0.2), "tie", retrieved={first.id: 2, "elsewhere": 1}),
        experience(3, team(0.1), team(0.2), "loss"),
    ]
    usage = memory_usage([StoredExperience(each.index, each) for each in battles])
    assert usage.given == Share(2, 1.5)
    assert usage.given.win_rate == 0.75
    assert usage.not_given == Share(2, 0.0)
    assert usage.experiences[0].decisions == 7
    assert usage.experiences[0].given == Share(2, 1.5)
    assert usage.experiences[0].not_given == Share(1, 0.0)
    assert usage.experiences[3].given.win_rate is None
    assert usage.experiences[3].not_given.win_rate is None


def test_imported_experiences_are_no_battles_of_this_matchup() -> None:
    imported = experience(7, team(0.1), team(0.2), "win")
    own = experience(0, team(0.1), team(0.2), "loss", retrieved={imported.id: 1})
    usage = memory_usage([StoredExperience(IMPORTED, imported), StoredExperience(0, own)])
    assert (usage.given, usage.not_given) == (Share(1, 0.0), Share(0, 0.0))
    assert usage.experiences[0].given == Share(1, 0.0)


@given(st.lists(st.tuples(st.sampled_from(["win", "loss", "tie"]), st.sets(st.integers(0, 9)))))
def test_agrees_with_counting_battle_by_battle(
    drawn: list[tuple[Result, set[int]]],
) -> None:
    battles: list[Experience] = []
    for index, (result, earlier) in enumerate(drawn):
        retrieved = {battles[each].id: 1 for each in earlier if each < len(battles)}
        battles.append(experience(index, team(0.1), team(0.2), result, retrieved=retrieved))
    usage = memory_usage([StoredExperience(each.index, each) for each in battles])
    for index, found in enumerate(usage.experiences):
        later = battles[index + 1 :]
        with_it = [each for each in later if battles[index].id in each.retrieved]
        without = [each for each in later if battles[index].id not in each.retrieved]
        for share, expected in ((found.given, with_it), (found.not_given, without)):
            assert share.battles == len(expected)
            assert share.points == sum(POINTS[each.result] for each in expected)
