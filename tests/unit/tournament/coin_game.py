"""A second game, as small as can be: who guesses a coin's side more often wins.

It shows that tournaments, records and memories know nothing of Pokémon, and lets their tests run
without a server. Answers come from a scripted model; delays are drawn at random, so that an order
of finishing that mattered would show.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from porimon.config.player import PlayerConfig
from porimon.errors import BattleAborted
from porimon.llm.model import Completion, CompletionRequest, Message
from porimon.memory.experience import Experience
from porimon.memory.retrieval import MemorySnapshot
from porimon.tournament.game import (
    Asker,
    BattleOutcome,
    BattleSpec,
    CallRecord,
    DecisionRecord,
    Reflection,
    RetrievedExperience,
    Seat,
)

SEATS: tuple[Seat, Seat] = ("a", "b")


class CoinTable:
    """Distinct coins: alike if their side is."""

    def __init__(self) -> None:
        self._sides: list[str] = []

    def __len__(self) -> int:
        return len(self._sides)

    def number(self, member: dict[str, Any]) -> int:
        if member["side"] not in self._sides:
            self._sides.append(member["side"])
        return self._sides.index(member["side"])

    def compare(self, members: Sequence[dict[str, Any]]) -> np.ndarray:
        return np.array(
            [[float(side == member["side"]) for side in self._sides] for member in members]
        ).reshape(len(members), len(self._sides))


class CoinSimilarity:
    """How alike two coins are."""

    def pair(self, one: dict[str, Any], other: dict[str, Any], alpha: float) -> float:
        return float(one["side"] == other["side"])

    def table(self, alpha: float) -> CoinTable:
        return CoinTable()

    def label(self, member: dict[str, Any]) -> str:
        return str(member["side"])


class EchoModel:
    """A model whose answer is a function of the question; counts what it was asked."""

    def __init__(self, name: str = "offline", delay: float = 0.0) -> None:
        self._name = name
        self.delay = delay
        self.questions: list[str] = []
        self.errors: dict[int, Exception] = {}

    @property
    def name(self) -> str:
        return self._name

    async def complete(self, request: CompletionRequest) -> Completion:
        question = request.messages[-1].content
        self.questions.append(question)
        number = len(self.questions)
        if self.delay:
            await asyncio.sleep(random.random() * self.delay)
        if number in self.errors:
            raise self.errors[number]
        side = "heads" if random.Random(question).random() < 0.5 else "tails"
        return Completion(side, self._name, "stop", 10, None, 1, 0.001, 0.01)

    async def close(self) -> None:
        return None


class SlowModel(EchoModel):
    """An echo whose first answer takes so long."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    async def complete(self, request: CompletionRequest) -> Completion:
        completion = await super().complete(request)
        if len(self.questions) == 1:
            await asyncio.sleep(self.seconds)
        return completion


class CoinGame:
    """Plays three tosses; whoever guesses more of them wins."""

    def __init__(self, delay: float = 0.0) -> None:
        self.delay = delay
        self.played: list[str] = []
        self.errors: dict[str, list[Exception]] = {}
        self.cuts: dict[str, list[float]] = {}
        """After how many seconds a battle breaks off, for each time that it is played."""

    async def __aenter__(self) -> CoinGame:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        return None

    @property
    def similarity(self) -> CoinSimilarity:
        return CoinSimilarity()

    def card(self, player: PlayerConfig) -> Mapping[str, Any]:
        return {"data_versions": "coin 1"}

    async def play(
        self,
        spec: BattleSpec,
        askers: Mapping[Seat, Asker],
        memories: Mapping[Seat, MemorySnapshot],
    ) -> BattleOutcome:
        if self.errors.get(spec.battle_id):
            raise self.errors[spec.battle_id].pop(0)
        cuts = self.cuts.get(spec.battle_id)
        try:
            async with asyncio.timeout(cuts.pop(0) if cuts else None):
                return await self._tosses(spec, askers, memories)
        except TimeoutError:
            raise BattleAborted("the table was turned over") from None

    async def _tosses(
        self,
        spec: BattleSpec,
        askers: Mapping[Seat, Asker],
        memories: Mapping[Seat, MemorySnapshot],
    ) -> BattleOutcome:
        if self.delay:
            await asyncio.sleep(random.random() * self.delay)
        dice = random.Random(spec.seed)
        points: dict[Seat, int] = {"a": 0, "b": 0}
        decisions = []
        for toss in range(3):
            side = dice.choice(["heads", "tails"])
            for seat in SEATS:
                guess, calls, found = await self._guess(spec, seat, toss, askers, memories)
                points[seat] += guess == side
                decisions.append(
                    DecisionRecord(
                        seat=seat,
                        number=toss,
                        turn=toss,
                        view=b'{"toss": %d}' % toss,
                        legal=("heads", "tails"),
                        order=guess,
                        choice=guess,
                        calls=calls,
                        retrieved=found,
                    )
                )
        winner: Seat | None = None
        if points["a"] != points["b"]:
            winner = "a" if points["a"] > points["b"] else "b"
        reflections: dict[Seat, Reflection] = {}
        for seat in memories:
            mine: Seat = seat
            result = "tie" if winner is None else "win" if winner == mine else "loss"
            experience = Experience(
                battle_id=spec.battle_id,
                index=spec.index,
                result=result,
                own_team=({"side": "heads"},),
                foe_team=({"side": dice.choice(["heads", "tails"])},),
                own_importance=(5.0,),
                foe_importance=(5.0,),
                summary=f"battle {spec.battle_id}",
            )
            reflections[seat] = Reflection(experience.document())
        self.played.append(spec.battle_id)
        return BattleOutcome(
            winner=winner,
            turns=3,
            end_reason="normal" if winner else "tie",
            log=f"|coin|{spec.seed}",
            choices=tuple(decision.choice for decision in decisions),
            decisions=tuple(decisions),
            reflections=reflections,
        )

    async def _guess(
        self,
        spec: BattleSpec,
        seat: Seat,
        toss: int,
        askers: Mapping[Seat, Asker],
        memories: Mapping[Seat, MemorySnapshot],
    ) -> tuple[str, tuple[CallRecord, ...], tuple[RetrievedExperience, ...]]:
        found = ()
        if seat in memories:
            retrieved = memories[seat].retrieve([{"side": "heads"}], [{"side": "tails"}])
            found = tuple(each.record() for each in retrieved)
        if seat not in askers:
            return "heads", (), found
        question = f"{spec.seed} {seat} toss {toss} {[each.experience_id for each in found]}"
        sections = (("system", "guess"), ("question", question))
        request = CompletionRequest((Message("system", "guess"), Message("user", question)))
        completion = await askers[seat].ask(request)
        return completion.text, (CallRecord("decision", 0, sections, completion),), found
