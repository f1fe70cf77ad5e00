"""Answers that outlive a lost connection: what is asked again, and what counts as decided twice."""

from __future__ import annotations

import asyncio

import pytest

from porimon.llm.model import Completion, CompletionRequest, Message
from porimon.showdown.elsewhere.battle import joined
from porimon.showdown.elsewhere.kept_answers import KeptAnswers
from porimon.tournament.game import DecisionRecord


class Paid:
    """Answers every question with its number; waits where it is told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.open = asyncio.Event()
        self.open.set()
        self.fails = 0

    async def ask(self, request: CompletionRequest) -> Completion:
        self.asked.append(request.messages[0].content)
        number = len(self.asked)
        await self.open.wait()
        if self.fails:
            self.fails -= 1
            raise ConnectionError("no answer")
        return Completion(str(number), "model")


def question(text: str) -> CompletionRequest:
    return CompletionRequest((Message("user", text),))


async def told(kept: KeptAnswers, *texts: str) -> list[str]:
    """A whole decision that asks these questions; its answers."""
    kept.begin_decision()
    return [(await kept.ask(question(text))).text for text in texts]


async def test_a_decision_begun_anew_gets_its_answers_again() -> None:
    paid = Paid()
    kept = KeptAnswers(paid)
    assert await told(kept, "a", "b") == ["1", "2"]
    kept.connection_lost()
    kept.connection_lost()  # lost again before anything was decided
    assert await told(kept, "a", "b", "c") == ["1", "2", "3"]
    assert paid.asked == ["a", "b", "c"]


async def test_without_a_loss_the_same_question_is_a_new_one() -> None:
    """A later decision, or one that the server refused, must get an answer of its own."""
    kept = KeptAnswers(Paid())
    assert await told(kept, "a") == ["1"]
    assert await told(kept, "a") == ["2"]
    kept.connection_lost()
    assert await told(kept, "a", "a") == ["2", "3"]
    assert await told(kept, "a") == ["4"]


async def test_another_question_ends_the_repetition() -> None:
    kept = KeptAnswers(Paid())
    assert await told(kept, "a", "b") == ["1", "2"]
    kept.connection_lost()
    assert await told(kept, "x", "b") == ["3", "4"]


async def test_a_call_under_way_is_waited_for_not_repeated() -> None:
    paid = Paid()
    paid.open.clear()
    kept = KeptAnswers(paid)
    kept.begin_decision()
    waiting = asyncio.create_task(kept.ask(question("a")))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    kept.connection_lost()
    again = asyncio.create_task(told(kept, "a"))
    await asyncio.sleep(0)
    paid.open.set()
    assert await again == ["1"]
    assert paid.asked == ["a"]


async def test_a_call_that_failed_is_made_again() -> None:
    paid = Paid()
    paid.fails = 1
    kept = KeptAnswers(paid)
    with pytest.raises(ConnectionError):
        await told(kept, "a")
    kept.connection_lost()
    assert await told(kept, "a") == ["2"]


async def test_closing_leaves_nothing_under_way() -> None:
    paid = Paid()
    paid.open.clear()
    kept = KeptAnswers(paid)
    waiting = asyncio.create_task(told(kept, "a"))
    await asyncio.sleep(0.01)
    await kept.close()
    assert waiting.done() or await asyncio.wait({waiting}, timeout=1)
    assert waiting.cancelled()
    assert asyncio.all_tasks() == {asyncio.current_task()}


def decision(turn: int, view: bytes | None, number: int = 1) -> DecisionRecord:
    return DecisionRecord("a", number, turn, view, None, ("Tackle",), "Tackle", "move 1")


def test_an_order_that_did_not_arrive_is_decided_once() -> None:
    lost, again = decision(2, b"x", 2), decision(2, b"x", 1)
    assert joined((decision(1, b"x"), lost), (again, decision(2, b"y", 2))) == (
        decision(1, b"x", 1),
        decision(2, b"x", 2),
        decision(2, b"y", 3),
    )
    assert joined((), (again,)) == (again,)
    assert joined((lost,), ()) == (decision(2, b"x", 1),)
    # A second question of the turn, such as whom to send in, is another decision.
    assert len(joined((decision(2, b"x"),), (decision(2, b"z"),))) == 2
