"""After a battle: ask the model what it taught, and make the experience to store (Porimon §II-C).

An answer that cannot be used is asked for again up to Tr times, telling what was wrong. After that
the experience is stored with what is known (teams, result) and marked ``reflection_failed``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from porimon.config.player import MemoryConfig, PlayerConfig
from porimon.errors import ModelAnswerError
from porimon.llm.model import AnswerFormat, Completion, CompletionRequest
from porimon.memory.experience import REFLECTION_FAILED, Experience
from porimon.memory.window import full_log_text
from porimon.showdown.dex.store import Dex
from porimon.showdown.prompts.context import Refusal
from porimon.showdown.reflection_answer import (
    ReflectionAnswer,
    parse_reflection,
    reflection_schema,
)
from porimon.showdown.reflection_prompt import FinishedBattle, reflection_prompt, team_names
from porimon.showdown.similarity import member_from_view
from porimon.tournament.game import Asker, CallRecord, DecisionRecord, Reflection

_Number = TypeVar("_Number", int, float)


async def reflect(
    asker: Asker, config: PlayerConfig, battle: FinishedBattle, dex: Dex
) -> Reflection:
    """Ask for a reflection on a finished battle; the experience to store, and the calls made.

    ``config`` must have a memory. What the asker raises (the model out of reach, the run stopped)
    passes through: the battle is then not finished, and is played again.
    """
    memory = config.memory
    if memory is None:
        raise ValueError(f"the player {config.name} has no Long-Term KAG")
    own_names, foe_names = team_names(battle.own_team, dex), team_names(battle.foe_team, dex)
    answer_format = _answer_format(config, own_names, foe_names)
    calls: list[CallRecord] = []
    answer: ReflectionAnswer | None = None
    refusal: Refusal | None = None
    for attempt in range(1, config.retries + 2):
        prompt = reflection_prompt(
            battle,
            dex,
            log_characters=memory.log_characters,
            folder=config.prompts,
            refusal=refusal,
        )
        completion = await asker.ask(
            CompletionRequest(prompt.messages(), "reflection", answer_format)
        )
        try:
            answer = parse_reflection(completion.text, own_names, foe_names)
        except ModelAnswerError as error:
            refusal = Refusal(error.reason, str(error), completion.text)
            calls.append(
                CallRecord("reflection", attempt, prompt.sections, completion, error.reason)
            )
        else:
            calls.append(CallRecord("reflection", attempt, prompt.sections, completion))
            break
    completions = [call.completion for call in calls]
    experience = _experience(battle, memory, dex, answer, completions)
    return Reflection(experience.document(), tuple(calls))


def retrieved_counts(decisions: Iterable[DecisionRecord]) -> dict[str, int]:
    """How many of a player's decisions were given each experience."""
    return dict(
        Counter(each.experience_id for decision in decisions for each in decision.retrieved)
    )


def _answer_format(
    config: PlayerConfig, own_names: Sequence[str], foe_names: Sequence[str]
) -> AnswerFormat:
    if config.answer_format == "json_schema":
        return AnswerFormat("json_schema", reflection_schema(own_names, foe_names))
    return AnswerFormat(config.answer_format)


def _experience(
    battle: FinishedBattle,
    memory: MemoryConfig,
    dex: Dex,
    answer: ReflectionAnswer | None,
    completions: Sequence[Completion],
) -> Experience:
    own = tuple(member_from_view(each, memory.snapshot, dex) for each in battle.own_team)
    foe = tuple(member_from_view(each, memory.snapshot, dex) for each in battle.foe_team)
    return Experience(
        battle_id=battle.battle_id,
        index=battle.index,
        result=battle.result,
        turns=battle.turns,
        own_team=own,
        foe_team=foe,
        own_importance=answer.own_importance if answer else (None,) * len(own),
        foe_importance=answer.foe_importance if answer else (None,) * len(foe),
        summary=answer.summary if answer else None,
        lessons=answer.lessons if answer else (),
        log=full_log_text(battle.log, memory.log_characters) if memory.raw_episodes else None,
        retrieved=dict(battle.retrieved),
        marks=() if answer else (REFLECTION_FAILED,),
        input_tokens=_sum_known([each.input_tokens for each in completions]),
        output_tokens=_sum_known([each.output_tokens for each in completions]),
        cost=_sum_known([each.cost for each in completions]),
    )


def _sum_known(values: Sequence[_Number | None]) -> _Number | None:
    """The sum, ``None`` if any part of it is unknown."""
    known = [value for value in values if value is not None]
    return sum(known[1:], known[0]) if known and len(known) == len(values) else None
