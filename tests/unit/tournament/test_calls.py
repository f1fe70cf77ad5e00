"""Calls that outlive whoever waited for them: shared, forgotten if they fail, ended at last."""

from __future__ import annotations

import asyncio

import pytest

from porimon.errors import ModelUnavailable
from porimon.llm.model import Completion
from porimon.tournament.calls import CallsUnderWay
from porimon.tournament.record.run_record import JournalKey

KEY: JournalKey = ("a", "hash", 0)
ANSWER = Completion("heads", "offline", "stop", 10, None, 1, 0.001, 0.01)


class Endpoint:
    """Answers when it is let; counts its calls and which of them were cancelled."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.errors: list[Exception] = []
        self.calls = 0
        self.cancelled = 0

    async def call(self) -> Completion:
        self.calls += 1
        try:
            await asyncio.wait_for(self.open.wait(), 10)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.errors:
            raise self.errors.pop()
        return ANSWER


async def begin(calls: CallsUnderWay, endpoint: Endpoint) -> asyncio.Task[Completion]:
    task = asyncio.create_task(calls.answer("1.1", KEY, endpoint.call))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task


async def give_up(task: asyncio.Task[Completion]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_who_comes_again_waits_for_the_same_call() -> None:
    calls, endpoint = CallsUnderWay(), Endpoint()
    await give_up(await begin(calls, endpoint))
    assert calls.has("1.1", KEY)
    again = await begin(calls, endpoint)
    endpoint.open.set()
    assert await again == ANSWER
    assert (endpoint.calls, endpoint.cancelled) == (1, 0)
    assert not calls.has("1.1", KEY), "a taken answer is not kept"
    assert await calls.untaken("1.1") == {}


async def test_an_answer_that_came_meanwhile_is_kept() -> None:
    calls, endpoint = CallsUnderWay(), Endpoint()
    await give_up(await begin(calls, endpoint))
    endpoint.open.set()
    await asyncio.sleep(0.01)
    assert await calls.answer("1.1", KEY, endpoint.call) == ANSWER
    assert endpoint.calls == 1


async def test_a_failed_call_is_made_anew() -> None:
    calls, endpoint = CallsUnderWay(), Endpoint()
    endpoint.errors.append(ModelUnavailable("no answer"))
    task = await begin(calls, endpoint)
    endpoint.open.set()
    with pytest.raises(ModelUnavailable):
        await task
    assert not calls.has("1.1", KEY)
    assert await calls.answer("1.1", KEY, endpoint.call) == ANSWER


async def test_a_failure_that_nobody_waits_for_disturbs_nobody() -> None:
    calls, endpoint = CallsUnderWay(), Endpoint()
    endpoint.errors.append(ModelUnavailable("no answer"))
    unseen: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unseen.append(context))
    await give_up(await begin(calls, endpoint))
    endpoint.open.set()
    await asyncio.sleep(0.01)
    assert not calls.has("1.1", KEY)
    assert await calls.untaken("1.1") == {}
    assert unseen == []


async def test_untaken_answers_are_waited_for_battle_by_battle() -> None:
    calls, endpoint = CallsUnderWay(), Endpoint()
    await give_up(await begin(calls, endpoint))
    other = asyncio.create_task(calls.answer("1.2", KEY, endpoint.call))
    await asyncio.sleep(0)
    untaken = asyncio.create_task(calls.untaken("1.1"))
    await asyncio.sleep(0.01)
    assert not untaken.done()
    endpoint.open.set()
    assert await untaken == {KEY: ANSWER}
    assert await other == ANSWER
    assert endpoint.calls == 2


async def test_closing_cancels_what_is_under_way() -> None:
    calls, endpoint = CallsUnderWay(), Endpoint()
    await give_up(await begin(calls, endpoint))
    await calls.close()
    assert endpoint.cancelled == 1
    assert not calls.has("1.1", KEY)
