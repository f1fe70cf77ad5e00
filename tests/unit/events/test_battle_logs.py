"""Real battles of players that use every kind of order: nothing unknown, lost, or false.

The fast tests read stored battles, the long one plays new ones. "random" are Gen 8 Random Battles,
"wild" ones draw moves, abilities and items from all of Gen 8, so that rare messages come up.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable

import pytest

from porimon.showdown.events import model
from porimon.showdown.events.parse import parse_line
from porimon.showdown.events.sentences import Narrator, Silence
from porimon.showdown.events.turn_log import TurnLog
from tests.simulator.battles import (
    Kind,
    PlayedBattle,
    SideRole,
    play_battles,
    stored_battles,
)

ROLES: tuple[SideRole, SideRole] = ("p1", "p2")


def check_nothing_is_lost(battle: PlayedBattle, kinds: Counter[str]) -> None:
    """Every line is read, and told or silent for a stated reason; ``kinds`` counts what came up."""
    for role in ROLES:
        narrator = Narrator(role)
        for line in battle.lines(role):
            event = parse_line(line)
            assert not isinstance(event, model.UnknownEvent), f"{battle.seed} {role}: {line}"
            told = narrator.tell(event)
            kinds[event.line.message_type] += 1
            if isinstance(told, Silence):
                assert told is not Silence.UNKNOWN
                assert told is not Silence.OTHER_FORMAT, line
                continue
            for text in told:
                assert text.endswith((".", "!", ")")), text
                assert not set(text) & set("[]{}|"), text
                assert "None" not in text, text


def check_claims_of_speed(battle: PlayedBattle) -> int:
    """Compares each "moved before" with the simulator's true Speeds; gives their number."""
    claims = 0
    for role in ROLES:
        narrator = Narrator(role)
        turn = 0
        for line in battle.lines(role):
            event = parse_line(line)
            if isinstance(event, model.Turn):
                turn = event.number
            told = narrator.tell(event)
            if isinstance(told, Silence):
                continue
            for text in told:
                if "moved before" not in text:
                    continue
                claims += 1
                own = ROLES.index(role)
                first = 1 - own if text.startswith("The opposing") else own
                speeds = battle.speeds[str(turn)]
                assert speeds[first] >= speeds[1 - first], f"{battle.seed} turn {turn}: {text}"
    return claims


def orders_used(battles: Iterable[PlayedBattle]) -> set[str]:
    """Which kinds of order and of forced change turn up."""
    found: set[str] = set()
    for battle in battles:
        for line in battle.p1:
            event = parse_line(line)
            if isinstance(event, model.Switch):
                found.add("drag" if event.dragged else "switch")
                if event.cause is not None:
                    found.add("pivot")
            elif isinstance(event, model.Move):
                found.add("move")
            elif isinstance(event, model.Faint):
                found.add("faint")
    return found


@pytest.mark.parametrize("kind", ["random", "wild"])
def test_stored_battles_are_told_in_full(kind: Kind) -> None:
    kinds: Counter[str] = Counter()
    battles = stored_battles(kind)
    assert len(battles) == 40
    for battle in battles:
        check_nothing_is_lost(battle, kinds)
    dragging = {"drag"} if kind == "wild" else set()  # Rare in Random Battles.
    assert orders_used(battles) >= {"switch", "pivot", "move", "faint"} | dragging
    assert len(kinds) > 45, "the stored battles should show most message types"


def test_a_line_that_gives_no_sentence_adds_nothing_and_is_counted() -> None:
    battle = stored_battles("random")[0]
    log = TurnLog("p1")
    log.apply(battle.p1)
    narrator = Narrator("p1")
    told = [narrator.tell(parse_line(line)) for line in battle.p1]
    silent = [reason for reason in told if isinstance(reason, Silence)]
    assert Counter(silent) == log.silences
    sentences = [text for texts in told if not isinstance(texts, Silence) for text in texts]
    assert " ".join(sentences) == " ".join(
        segment for turn in log.turns for segment in turn.segments
    )


def test_who_is_told_to_be_faster_is_faster() -> None:
    assert sum(map(check_claims_of_speed, stored_battles("random"))) > 500


def test_a_whole_battle_is_told_in_a_few_milliseconds() -> None:
    battles = stored_battles("random")
    TurnLog("p1").apply(battles[0].p1)  # Loads the game data, which is done once.
    seconds = []
    for battle in battles:
        began = time.process_time()
        TurnLog("p1").apply(battle.p1)
        seconds.append(time.process_time() - began)
    # About 6 ms of one core for some 500 lines; the bound leaves room for a slower machine.
    assert sorted(seconds)[len(seconds) // 2] < 0.05


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_new_battles_are_told_in_full_and_tell_no_false_speed() -> None:
    kinds: Counter[str] = Counter()
    claims = 0
    for battle in play_battles(200, "long", "random"):
        check_nothing_is_lost(battle, kinds)
        claims += check_claims_of_speed(battle)
    for battle in play_battles(300, "long", "wild"):
        check_nothing_is_lost(battle, kinds)
    assert claims > 3000
    assert len(kinds) > 55
