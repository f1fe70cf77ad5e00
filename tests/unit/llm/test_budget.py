"""Budgets: checked before a call, with what is in flight, and never a cost of unknown prices."""

from __future__ import annotations

import asyncio

import pytest

from porimon.errors import BudgetExhausted, UserInputError
from porimon.llm.budget import Budget, BudgetedModel, Spent
from porimon.llm.model import Completion, CompletionRequest
from porimon.llm.settings import Prices
from tests.unit.llm.helpers import question, settings_for

PRICED = settings_for("http://a/v1", prices=Prices(input=1e6, output=1e6), max_output_tokens=10)
"""A dollar a token, to keep the arithmetic visible."""


class CountingModel:
    """Takes 100 input and 10 output tokens a call."""

    name = "counting"

    def __init__(self, cost: float | None = None, tokens: int | None = 100) -> None:
        self.calls = 0
        self._cost = cost
        self._tokens = tokens

    async def complete(self, request: CompletionRequest) -> Completion:
        self.calls += 1
        await asyncio.sleep(0.01)
        output = None if self._tokens is None else 10
        return Completion("x", "m", None, self._tokens, None, output, cost=self._cost)

    async def close(self) -> None:
        pass


REQUEST = question("w" * 400)
"""400 characters: 0.25 tokens a character at 100 tokens."""


async def exhaust(model: BudgetedModel, at_once: int) -> str:
    """Ask until the budget ends, so many calls at a time; gives the reason."""
    while True:
        results = await asyncio.gather(
            *(model.complete(REQUEST) for _ in range(at_once)), return_exceptions=True
        )
        for result in results:
            if isinstance(result, BudgetExhausted):
                return result.what
            assert isinstance(result, Completion)


@pytest.mark.parametrize("at_once", [1, 16])
async def test_tokens_are_never_overrun_and_mostly_used(at_once: int) -> None:
    inner = CountingModel()
    budget = Budget(tokens=5_000)
    reason = await exhaust(BudgetedModel(inner, PRICED, budget), at_once)
    assert "5,000 tokens" in reason
    assert budget.spent.tokens == inner.calls * 110
    assert 5_000 - 16 * 110 < budget.spent.tokens <= 5_000


@pytest.mark.parametrize("at_once", [1, 16])
async def test_cost_is_never_overrun(at_once: int) -> None:
    inner = CountingModel(cost=110.0)
    budget = Budget(cost=3_000)
    assert "$3,000.00" in await exhaust(BudgetedModel(inner, PRICED, budget), at_once)
    assert 3_000 - 16 * 110 < budget.spent.cost <= 3_000


async def test_a_resumed_run_starts_from_what_is_spent_and_goes_on_with_more() -> None:
    spent = Spent(cost=9.0, tokens=900, seconds=5.0)
    inner = CountingModel()
    with pytest.raises(BudgetExhausted):
        await BudgetedModel(inner, PRICED, Budget(tokens=900, spent=spent)).complete(REQUEST)
    assert inner.calls == 0
    larger = Budget(tokens=2_000, spent=spent)
    await BudgetedModel(inner, PRICED, larger).complete(REQUEST)
    assert larger.spent.tokens == 1_010


async def test_running_time_is_counted_by_the_given_clock_only() -> None:
    now = 100.0
    budget = Budget(seconds=60, spent=Spent(seconds=20), clock=lambda: now)
    budget.check()
    now += 39
    budget.check()
    now += 1
    with pytest.raises(BudgetExhausted, match="60 s"):
        budget.check()
    assert budget.spent.seconds == 60


def test_a_cost_budget_with_unknown_prices_is_refused_at_the_start() -> None:
    unpriced = settings_for("http://a/v1")
    with pytest.raises(UserInputError, match="tested") as caught:
        BudgetedModel(CountingModel(), unpriced, Budget(cost=1.0))
    assert caught.value.exit_code == 2
    BudgetedModel(CountingModel(), unpriced, Budget(tokens=1))


async def test_a_call_that_failed_gives_its_reservation_back() -> None:
    budget = Budget(tokens=1_000)
    with pytest.raises(RuntimeError), budget.reserve(REQUEST, PRICED):
        raise RuntimeError("the call failed")
    assert budget.spent.tokens == 0
    await BudgetedModel(CountingModel(), PRICED, budget).complete(REQUEST)


async def test_usage_that_is_not_reported_is_charged_as_reserved() -> None:
    budget = Budget(tokens=10_000)
    await BudgetedModel(CountingModel(tokens=None), PRICED, budget).complete(REQUEST)
    assert budget.spent.tokens == 400 * 0.5 + 10
