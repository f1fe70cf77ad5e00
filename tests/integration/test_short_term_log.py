"""The short-term log on what a real server sends: chat room, joins and timers included."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from porimon.showdown.arena import BATTLE_FORMAT, Arena
from porimon.showdown.events import model
from porimon.showdown.events.parse import parse_line
from porimon.showdown.events.sentences import Silence
from porimon.showdown.events.turn_log import TurnLog
from tests.integration.choosers import RandomChooser

pytestmark = pytest.mark.server


async def read_both_sides(arena: Arena, seed: int) -> Counter[str]:
    """Plays a battle of random legal orders and reads both players' logs; counts what they did.

    Fails on a line that is unknown, or that is neither told nor counted as silent on purpose.
    """
    choosers = (RandomChooser(seed), RandomChooser(seed + 1_000_000))
    played = await arena.play(seed, BATTLE_FORMAT, *choosers, deadline_seconds=300)
    done: Counter[str] = Counter()
    for role, chooser in zip(("p1", "p2"), choosers, strict=True):
        assert role in ("p1", "p2")
        log = TurnLog("p1" if role == "p1" else "p2")
        for line in chooser.lines:
            silent, text = log.silences.total(), log.window_text(0)
            log.apply([line])
            told = log.window_text(0) != text
            assert told or log.silences.total() == silent + 1, f"seed {seed}: lost {line}"
            done[type(parse_line(line)).__name__] += 1
        assert not log.unknown, f"seed {seed}: {log.unknown_lines}"
        assert not log.silences[Silence.OTHER_FORMAT], f"seed {seed}"
        ends = {None: "tie", role: "You won the battle."}
        ending = ends.get(played.winner, "You lost the battle.")
        assert ending in log.full_text(100)
    return done


def uses_every_kind_of_order(done: Counter[str]) -> bool:
    """Whether moves, switches and faints turned up."""
    return all(done[kind.__name__] for kind in (model.Move, model.Switch, model.Faint))


async def test_what_the_server_sends_is_told_in_full(arena: Arena) -> None:
    found = await asyncio.gather(*(read_both_sides(arena, seed) for seed in range(3)))
    assert uses_every_kind_of_order(sum(found, Counter()))


@pytest.mark.long
@pytest.mark.timeout(3600)
async def test_five_hundred_battles_are_told_in_full(arena: Arena) -> None:
    found = await asyncio.gather(*(read_both_sides(arena, seed) for seed in range(500)))
    everything = sum(found, Counter())
    assert uses_every_kind_of_order(everything)
    assert everything[model.UnknownEvent.__name__] == 0
    assert everything.total() > 300_000
