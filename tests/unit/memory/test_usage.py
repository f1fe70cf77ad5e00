"""How experiences were used, worked by hand."""

from __future__ import annotations

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
