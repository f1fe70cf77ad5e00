"""Battles on the real server: repeatable, without Dynamax, and proof against bad choosers."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from porimon.errors import BattleAborted, UserInputError
from porimon.showdown.arena import BATTLE_FORMAT, Arena, PlayedBattle
from porimon.showdown.arena_model import DecisionMoment
from porimon.showdown.arena_side import MAXIMUM_REFUSALS
from porimon.showdown.replay import Simulator, first_difference
from porimon.showdown.server import ExternalServer
from tests.integration.choosers import (
    Always,
    RandomChooser,
    Slow,
    SwitchesWhenMaybeTrapped,
    TriesDynamax,
)
from tests.integration.conftest import SharedServer

pytestmark = pytest.mark.server

TRAPPING_SEED = 12
"""With this seed and these dice p1 meets a foe whose trapping ability is not known yet."""


async def play_random(arena: Arena, seed: int, swap_teams: bool = False) -> PlayedBattle:
    return await arena.play(
        seed,
        BATTLE_FORMAT,
        RandomChooser(seed),
        RandomChooser(seed + 1000),
        swap_teams=swap_teams,
        deadline_seconds=60,
    )


def teams(battle: PlayedBattle) -> list[str]:
    """The packed teams of p1 and p2."""
    lines = [line for line in battle.choices if line.startswith(">player ")]
    return [json.loads(line.split(" ", 2)[2])["team"] for line in lines]


async def test_same_seed_and_decisions_give_the_same_battle(arena: Arena) -> None:
    """Played again, beside another battle and with other login names, nothing differs."""
    once = await play_random(arena, 5)
    again, other = await asyncio.gather(play_random(arena, 5), play_random(arena, 6))
    assert again.log == once.log
    assert again.choices == once.choices
    assert again.player_logs == once.player_logs
    assert (again.winner, again.turns) == (once.winner, once.turns)
    assert other.log != once.log
    assert teams(other) != teams(once)


async def test_swapping_gives_each_side_the_other_team(arena: Arena) -> None:
    plain, swapped = await asyncio.gather(
        play_random(arena, 7), play_random(arena, 7, swap_teams=True)
    )
    assert teams(swapped) == teams(plain)[::-1]
    assert teams(plain)[0] != teams(plain)[1]


async def test_simulating_the_choices_again_gives_the_identical_log(arena: Arena) -> None:
    battles = await asyncio.gather(*(play_random(arena, seed) for seed in range(4)))
    async with Simulator() as simulator:
        for battle in battles:
            simulated = await simulator.run(battle.choices)
            assert first_difference(battle.log, simulated.log) is None
            assert (simulated.winner, simulated.turns) == (battle.winner, battle.turns)
            assert simulated.ended


async def test_another_seed_in_the_record_is_found_by_simulating(arena: Arena) -> None:
    """A comparison that cannot fail would verify nothing."""
    battle = await play_random(arena, 8)
    altered = [battle.choices[0].replace("sodium,", "sodium,f"), *battle.choices[1:]]
    async with Simulator() as simulator:
        simulated = await simulator.run(altered)
    difference = first_difference(battle.log, simulated.log)
    assert difference is not None
    assert difference.line > 1


async def test_a_log_names_no_login_and_no_room(arena: Arena) -> None:
    battle = await play_random(arena, 9)
    for log in (battle.log, *battle.player_logs.values(), "\n".join(battle.choices)):
        assert not re.search(r"pm[0-9a-f]{8}n\d", log)
        assert "battle-gen8" not in log
        assert "|t:|" not in log
    assert "|player|p1|p1||" in battle.log
    assert f"|win|{battle.winner}" in battle.log


async def test_choosers_get_every_line_once(arena: Arena) -> None:
    first, second = RandomChooser(1), RandomChooser(2)
    battle = await arena.play(10, BATTLE_FORMAT, first, second, deadline_seconds=60)
    for chooser, role in ((first, "p1"), (second, "p2")):
        told = "\n".join("|".join(parts) for parts in chooser.lines).strip("\n")
        assert told == battle.player_logs[role]
        assert chooser.ending is not None
        assert chooser.ending.winner == battle.winner
        assert chooser.ending.battle.finished
        assert chooser.turns == sorted(chooser.turns)
        # A player sees its own HP in points, its foe's in hundredths.
        assert chooser.ending.battle.player_role == role


async def test_dynamax_is_never_possible(arena: Arena) -> None:
    """The rule refuses it; the battle goes on with another order."""
    choosers = [TriesDynamax(seed) for seed in range(4)]
    battles = await asyncio.gather(
        arena.play(20, BATTLE_FORMAT, choosers[0], choosers[1], deadline_seconds=90),
        arena.play(21, BATTLE_FORMAT, choosers[2], choosers[3], deadline_seconds=90),
    )
    for battle in battles:
        assert "|rule|Dynamax Clause: You cannot dynamax" in battle.log
        assert "Dynamax|" not in battle.log.replace("Dynamax Clause", "")
    for chooser in choosers:
        assert chooser.rejected
        assert not any(moment.battle.can_dynamax for moment in chooser.moments)
        assert not any("canDynamax" in str(moment.request) for moment in chooser.moments)


@pytest.mark.parametrize("battle_format", ["gen8randombattle", "gen8randombattle@@@!Dynamax"])
async def test_a_format_that_allows_dynamax_is_refused(arena: Arena, battle_format: str) -> None:
    with pytest.raises(UserInputError, match="allows Dynamax"):
        await arena.play(1, battle_format, RandomChooser(), RandomChooser())


@pytest.mark.parametrize(
    "battle_format",
    [
        "gen8nosuchbattle@@@Dynamax Clause",
        "gen8ou@@@Dynamax Clause",
        "gen8randombattle@@@X,Dynamax Clause",
    ],
)
async def test_a_format_that_the_server_does_not_know_is_refused(
    arena: Arena, battle_format: str
) -> None:
    with pytest.raises(UserInputError, match="refuses the format"):
        await arena.play(1, battle_format, RandomChooser(), RandomChooser())
    assert (await play_random(arena, 1)).turns > 0


async def test_an_exception_of_a_chooser_comes_out_and_the_other_is_released(arena: Arena) -> None:
    class Broken(Exception):
        pass

    slow = Slow(30.0)

    class BreaksWhileTheOtherThinks(RandomChooser):
        async def choose(self, moment: DecisionMoment) -> str:
            await slow.asked.wait()
            raise Broken("bug")

    async with asyncio.timeout(10):
        with pytest.raises(Broken):
            await arena.play(11, BATTLE_FORMAT, BreaksWhileTheOtherThinks(), slow)
    assert slow.cancelled
    assert (await play_random(arena, 5)).turns > 0


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "move 9",
        "switch 1",
        "I would use Thunderbolt",
        "move 1\n/logout",
        "move 1|5",
        "move 1, move 2",
        "undo",
    ],
)
async def test_useless_answers_for_ever_end_in_random_orders(arena: Arena, reply: str) -> None:
    """Every question is put again with its reason, a bounded number of times."""
    stubborn = Always(reply)
    battle = await arena.play(12, BATTLE_FORMAT, stubborn, RandomChooser(3), deadline_seconds=60)
    assert battle.end_reason == "normal"
    assert stubborn.rejected
    assert all(reason.startswith("[Invalid choice]") for reason in stubborn.rejected)
    questions = sum(moment.rejected is None for moment in stubborn.moments)
    assert questions > 3
    assert len(stubborn.moments) <= questions * (MAXIMUM_REFUSALS + 1)


async def test_a_switch_refused_by_a_hidden_trap_is_asked_again(arena: Arena) -> None:
    first = SwitchesWhenMaybeTrapped(TRAPPING_SEED)
    second = SwitchesWhenMaybeTrapped(TRAPPING_SEED + 1000)
    await arena.play(TRAPPING_SEED, BATTLE_FORMAT, first, second, deadline_seconds=60)
    refused = [m for m in first.moments if m.rejected and m.rejected.startswith("[Unavailable")]
    assert refused
    for moment in refused:
        assert "trapped" in str(moment.rejected)
        assert moment.request["update"] is True
        assert moment.request["active"][0]["trapped"] is True
        assert list(moment.lines) == []


async def test_a_forfeit_is_a_result(arena: Arena) -> None:
    battle = await arena.play(13, BATTLE_FORMAT, RandomChooser(), Always("/forfeit"))
    assert battle.winner == "p1"
    assert battle.end_reason == "forfeit"
    assert "|-message|p2 forfeited." in battle.log
    async with Simulator() as simulator:
        assert (await simulator.run(battle.choices)).winner == "p1"


async def test_a_battle_has_a_deadline(arena: Arena) -> None:
    slow = Slow(30.0)
    async with asyncio.timeout(5):
        with pytest.raises(BattleAborted, match="not over after"):
            await arena.play(14, BATTLE_FORMAT, slow, RandomChooser(), deadline_seconds=1.0)
    assert slow.cancelled


@pytest.mark.long
async def test_a_slow_chooser_is_no_stall(arena: Arena) -> None:
    """Thinking for longer than the server may be silent is allowed: the timer is off."""

    class OnceSlow(RandomChooser):
        async def choose(self, moment):  # type: ignore[no-untyped-def]
            if not self.moments:
                await asyncio.sleep(10)
            return await super().choose(moment)

    battle = await arena.play(15, BATTLE_FORMAT, OnceSlow(1), RandomChooser(2), deadline_seconds=60)
    assert battle.end_reason == "normal"


async def test_many_at_once_leave_nothing_behind(showdown_server: SharedServer) -> None:
    before = asyncio.all_tasks()
    async with Arena(showdown_server, concurrency=16) as arena:
        battles = await asyncio.gather(*(play_random(arena, seed) for seed in range(100, 112)))
        assert len({battle.log for battle in battles}) == 12
        assert len(arena._lanes._free) <= 16
    await asyncio.sleep(0.1)
    assert asyncio.all_tasks() == before


async def test_without_our_plugin_a_challenge_does(showdown_server: SharedServer) -> None:
    """Another's server: the battle is played, and marked as unseeded."""
    async with ExternalServer(showdown_server.url) as server, Arena(server) as arena:
        for seed in (1, 2):
            battle = await play_random(arena, seed)
            assert battle.notes == ("unseeded", "log_of_p1")
            assert battle.choices == ()
            assert battle.winner in ("p1", "p2")
            assert battle.log == battle.player_logs["p1"]
            assert "Dynamax Clause: You cannot dynamax" in battle.log
        forfeited = await arena.play(3, BATTLE_FORMAT, Always("forfeit"), RandomChooser())
        assert (forfeited.winner, forfeited.end_reason) == ("p2", "forfeit")
        async with asyncio.timeout(15):
            with pytest.raises(UserInputError, match="refuses the challenge"):
                await arena.play(4, "gen8nosuch@@@Dynamax Clause", RandomChooser(), RandomChooser())
