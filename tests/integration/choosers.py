"""Choosers for tests: sound ones, and every kind of broken one."""

from __future__ import annotations

import asyncio
import random

from porimon.showdown.arena import BattleEnding, DecisionMoment


class RandomChooser:
    """A legal order at random, from a seed; keeps what it was told."""

    def __init__(self, seed: int = 0) -> None:
        self.dice = random.Random(seed)
        self.moments: list[DecisionMoment] = []
        self.turns: list[int] = []
        self.lines: list[list[str]] = []
        self.rejected: list[str] = []
        self.ending: BattleEnding | None = None

    async def choose(self, moment: DecisionMoment) -> str:
        self.moments.append(moment)
        self.turns.append(moment.battle.turn)
        self.lines += moment.lines
        if moment.rejected is not None:
            self.rejected.append(moment.rejected)
        return self.answer(moment)

    def answer(self, moment: DecisionMoment) -> str:
        return str(self.dice.choice(moment.battle.valid_orders).message)

    async def finished(self, ending: BattleEnding) -> None:
        self.lines += ending.lines
        self.ending = ending


class Always(RandomChooser):
    """Gives one answer for ever, whatever is asked."""

    def __init__(self, reply: str) -> None:
        super().__init__()
        self.reply = reply

    def answer(self, moment: DecisionMoment) -> str:
        return self.reply


class Slow(RandomChooser):
    """Takes its time over each answer."""

    def __init__(self, seconds: float, seed: int = 0) -> None:
        super().__init__(seed)
        self.seconds = seconds
        self.asked = asyncio.Event()
        self.cancelled = False

    async def choose(self, moment: DecisionMoment) -> str:
        self.asked.set()
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return await super().choose(moment)


class SwitchesWhenMaybeTrapped(RandomChooser):
    """Tries to leave wherever it may turn out to be trapped."""

    def answer(self, moment: DecisionMoment) -> str:
        switches = [o.message for o in moment.battle.valid_orders if " switch " in o.message]
        if moment.battle.maybe_trapped and switches:
            return str(switches[0])
        return super().answer(moment)


class TriesDynamax(RandomChooser):
    """Tries to dynamax with every first move, in every spelling that Showdown knows."""

    def answer(self, moment: DecisionMoment) -> str:
        if moment.rejected is None and moment.request.get("active"):
            return "move 1 dynamax"
        return super().answer(moment)
