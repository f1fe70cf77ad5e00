"""Simulates a run's recorded battles again, from seed and choices, and compares log and winner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from porimon.errors import RecordError
from porimon.showdown.replay import Simulator, first_difference
from porimon.tournament.record.read import RecordedBattle, RunReader


@dataclass(frozen=True, slots=True)
class Verified:
    """How one battle came out: ``problem`` is ``None`` where it is the same as recorded.

    ``replayable`` is false for a battle on another server, of which no choices are recorded.
    """

    battle_id: str
    replayable: bool
    problem: str | None


async def verify_run(
    folder: Path,
    battle_ids: Sequence[str] = (),
    told: Callable[[Verified], None] = lambda verified: None,
) -> list[Verified]:
    """Simulate the named battles again, or all. ``told`` hears of each as it is done.

    Raises ``UserInputError`` for a battle that is not there.
    """
    results: list[Verified] = []
    with RunReader(folder) as reader:
        battles = [reader.battle(each) for each in battle_ids] or list(reader.battles())
        async with Simulator() as simulator:
            for battle in battles:
                # Reading and unpacking take a moment; the simulator's pipe must not wait for it.
                verified = await _verify(reader, simulator, battle)
                results.append(verified)
                told(verified)
                await asyncio.sleep(0)
    return results


async def _verify(reader: RunReader, simulator: Simulator, battle: RecordedBattle) -> Verified:
    choices = reader.choices(battle.battle_id)
    if not choices:
        return Verified(battle.battle_id, False, None)
    try:
        simulated = await simulator.run(choices)
    except RecordError as error:
        return Verified(battle.battle_id, True, error.what)
    difference = first_difference(reader.log(battle.battle_id), simulated.log)
    if difference is not None:
        return Verified(battle.battle_id, True, f"the log differs: {difference}")
    second = "b" if battle.first == "a" else "a"
    winner = {None: None, "p1": battle.first, "p2": second}[simulated.winner]
    if winner != battle.winner:
        return Verified(
            battle.battle_id, True, f"the winner differs: {battle.winner} became {winner}"
        )
    return Verified(battle.battle_id, True, None)
