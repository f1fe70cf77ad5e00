"""Who moved first: told when only Speed can have decided, never when anything else may have."""

from __future__ import annotations

import pytest

from porimon.showdown.events.parse import parse_line
from porimon.showdown.events.sentences import Narrator, Silence

GARCHOMP = "|switch|p1a: Garchomp|Garchomp, L80|300/300"
LAPRAS = "|switch|p2a: Lapras|Lapras, L80|100/100"
EARTHQUAKE = "|move|p1a: Garchomp|Earthquake|p2a: Lapras"
SURF = "|move|p2a: Lapras|Surf|p1a: Garchomp"
CLAIM = "Garchomp moved before the opposing Lapras at equal priority, so it was at least as fast."


def claims(*lines: str) -> list[str]:
    """What is said of the order of moves in a log."""
    narrator = Narrator("p1")
    found: list[str] = []
    for line in lines:
        told = narrator.tell(parse_line(line))
        if not isinstance(told, Silence):
            found += [text for text in told if "moved before" in text]
    return found


def test_two_moves_of_equal_priority_tell_who_is_faster() -> None:
    assert claims(GARCHOMP, LAPRAS, "|turn|1", EARTHQUAKE, SURF) == [CLAIM]


def test_each_turn_tells_it_anew() -> None:
    turns = [line for n in (1, 2) for line in (f"|turn|{n}", EARTHQUAKE, SURF)]
    assert claims(GARCHOMP, LAPRAS, *turns) == [CLAIM, CLAIM]


def test_two_moves_of_the_same_raised_priority_tell_it_too() -> None:
    moves = ("|move|p1a: Garchomp|Quick Attack|p2a: Lapras", "|move|p2a: Lapras|Ice Shard|p1a: X")
    assert claims(GARCHOMP, LAPRAS, "|turn|1", *moves) == [CLAIM]


def test_the_one_that_left_by_u_turn_is_the_one_that_moved_first() -> None:
    lines = (
        "|move|p1a: Garchomp|U-turn|p2a: Lapras",
        "|switch|p1a: Zapdos|Zapdos, L80|270/270|[from] U-turn",
        SURF,
    )
    assert claims(GARCHOMP, LAPRAS, "|turn|1", *lines) == [CLAIM]


@pytest.mark.parametrize(
    "between",
    [
        "|-start|p2a: Lapras|Encore",
        "|cant|p2a: Lapras|flinch",
        "|switch|p2a: Lapras|Lapras, L80|100/100",
        "|upkeep",
    ],
)
def test_nothing_is_said_when_the_second_order_may_have_been_another(between: str) -> None:
    assert claims(GARCHOMP, LAPRAS, "|turn|1", EARTHQUAKE, between, SURF) == []


@pytest.mark.parametrize(
    "before",
    [
        "|-activate|p1a: Garchomp|item: Quick Claw",
        "|-activate|p1a: Garchomp|ability: Quick Draw",
        "|-activate|p1a: Garchomp|item: Custap Berry|[consumed]",
        "|-item|p2a: Lapras|Lagging Tail|[from] move: Trick",
        "|-ability|p2a: Lapras|Stall",
        "|-fieldstart|move: Trick Room|[of] p2a: Lapras",
        "|switch|p1a: Garchomp|Garchomp, L80|300/300",
    ],
)
def test_nothing_is_said_when_something_else_may_have_decided(before: str) -> None:
    assert claims(GARCHOMP, LAPRAS, "|turn|1", before, EARTHQUAKE, SURF) == []


@pytest.mark.parametrize(
    ("species", "move", "field"),
    [
        ("Sableye", "Recover", ""),  # Prankster
        ("Talonflame", "Brave Bird", ""),  # Gale Wings
        ("Comfey", "Giga Drain", ""),  # Triage
        ("Rillaboom", "Grassy Glide", "|-fieldstart|move: Grassy Terrain"),
        ("Sableye", "Knock Off", ""),  # Stall is one of its abilities
        ("Machamp", "Mach Punch", ""),
        ("Machamp", "Vital Throw Of Another Game", ""),
        ("Porimon", "Earthquake", ""),
    ],
)
def test_nothing_is_said_of_moves_whose_priority_may_differ(
    species: str, move: str, field: str
) -> None:
    lines = [GARCHOMP, f"|switch|p2a: X|{species}, L80|100/100"]
    lines += [field] if field else []
    lines += ["|turn|1", f"|move|p2a: X|{move}|p1a: Garchomp", EARTHQUAKE]
    assert claims(*lines) == []


def test_a_copied_ability_counts() -> None:
    lines = (
        "|switch|p1a: Whimsicott|Whimsicott, L80|230/230",
        "|switch|p2a: Ditto|Ditto, L80|100/100",
        "|-transform|p2a: Ditto|p1a: Whimsicott|[from] ability: Imposter",
        "|turn|1",
        "|move|p2a: Ditto|Leech Seed|p1a: Whimsicott",
        "|move|p1a: Whimsicott|Moonblast|p2a: Ditto",
    )
    assert claims(*lines) == []


def test_called_moves_are_nobodys_order() -> None:
    danced = "|move|p2a: Oricorio|Swords Dance|p2a: Oricorio|[from] ability: Dancer"
    lines = (
        GARCHOMP,
        "|switch|p2a: Oricorio|Oricorio, L80|100/100",
        "|turn|1",
        "|move|p1a: Garchomp|Swords Dance|p1a: Garchomp",
        danced,
    )
    assert claims(*lines) == []


def test_terrain_that_gave_way_no_longer_matters() -> None:
    lines = (
        GARCHOMP,
        "|switch|p2a: Rillaboom|Rillaboom, L80|100/100",
        "|-fieldstart|move: Grassy Terrain",
        "|-fieldstart|move: Misty Terrain",
        "|turn|1",
        "|move|p2a: Rillaboom|Grassy Glide|p1a: Garchomp",
        EARTHQUAKE,
    )
    assert len(claims(*lines)) == 1
