"""Long-Term KAG on the real server: battles are reflected on, later ones are given the lessons."""

from __future__ import annotations

from pathlib import Path

import pytest

from porimon.config.player import MemoryConfig, PlayerConfig
from porimon.llm.model import Completion, CompletionRequest
from porimon.llm.offline.reader import OfflineReader
from porimon.memory.experience import Experience, from_document
from porimon.memory.retrieval import Memory
from porimon.showdown.game import ShowdownGame
from porimon.tournament.game import BattleOutcome, BattleSpec

BATTLES, MINIMUM, TOP = 5, 3, 2
REPEATED = 4
"""Battles played a second time; the last of them retrieves."""


class Reader:
    """The offline reader, asked without HTTP."""

    async def ask(self, request: CompletionRequest) -> Completion:
        text = OfflineReader().answer(request.messages, request.answer_format)
        return Completion(text, "offline-reader", input_tokens=1, output_tokens=1)


def spec(index: int) -> BattleSpec:
    """Battle ``index`` of a matchup; two battles share a seed with the sides swapped."""
    remembering = PlayerConfig(
        name="lt1-weighted",
        base="lt1-weighted",
        llm="offline",
        memory=MemoryConfig(retrieval="weighted", alpha=0.3, minimum=MINIMUM, top=TOP),
    )
    return BattleSpec(
        battle_id=f"1.{index + 1}",
        matchup_id="test",
        index=index,
        pair=index // 2,
        seed=index // 2,
        first="a" if index % 2 == 0 else "b",
        players={"a": remembering, "b": PlayerConfig(name="max-power", base="max-power")},
    )


async def matchup(game: ShowdownGame, battles: int) -> tuple[Memory, list[BattleOutcome]]:
    """Play the matchup one battle after the other, beginning with an empty memory."""
    config = spec(0).players["a"].memory
    assert config is not None
    memory = Memory(game.similarity, config)
    outcomes = []
    for index in range(battles):
        outcome = await game.play(spec(index), {"a": Reader()}, {"a": memory.snapshot(index - 1)})
        memory.add(from_document(outcome.reflections["a"].experience, where="here"))
        outcomes.append(outcome)
    return memory, outcomes


@pytest.mark.server
async def test_battles_are_reflected_on_and_remembered(tmp_path: Path) -> None:
    async with ShowdownGame(
        folder=tmp_path, battle_format="gen8randombattle", battle_seconds=120, concurrency=1
    ) as game:
        memory, outcomes = await matchup(game, BATTLES)
        again, _ = await matchup(game, REPEATED)
    stored = memory.snapshot(BATTLES).experiences
    assert [each.battle_id for each in stored] == [f"1.{n + 1}" for n in range(BATTLES)]
    for experience, outcome in zip(stored, outcomes, strict=True):
        check_experience(experience, outcome)
        decisions = [each for each in outcome.decisions if each.seat == "a"]
        asked = [each for each in decisions if each.calls]
        expected = TOP if experience.index >= MINIMUM else 0
        assert asked
        assert {len(each.retrieved) for each in asked} == {expected}
        earlier = {each.id for each in stored[: experience.index]}
        for decision in asked:
            assert {each.experience_id for each in decision.retrieved} <= earlier
            prompt = "\n".join(text for _, text in decision.calls[0].sections)
            for found in decision.retrieved:
                assert 0 <= found.score <= 1
                summary = next(each.summary for each in stored if each.id == found.experience_id)
                assert summary is not None
                assert summary in prompt
    assert sum(stored[-1].retrieved.values()) > 0
    assert again.snapshot(REPEATED - 1).hash == memory.snapshot(REPEATED - 1).hash


def check_experience(experience: Experience, outcome: BattleOutcome) -> None:
    """An experience agrees with the battle that it is from."""
    assert experience.marks == ()
    assert experience.result == {"a": "win", "b": "loss", None: "tie"}[outcome.winner]
    assert experience.turns == outcome.turns
    assert experience.lessons
    assert len(experience.own_team) == 6
    assert 1 <= len(experience.foe_team) <= 6
    assert all(len(each["moves"]) == 4 or each["name"] == "Ditto" for each in experience.own_team)
    assert all(each["hp"] == 1.0 and each["status"] is None for each in experience.own_team)
    assert any(value for value in (*experience.own_importance, *experience.foe_importance))
