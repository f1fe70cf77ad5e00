"""Budgets of a run: cost, tokens and time, checked before every call.

What is in flight is reserved at a cautious estimate, so that many calls at once don't overrun the
budget together. The estimate learns from the answers that came.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from porimon.errors import BudgetExhausted, UserInputError
from porimon.llm.model import Completion, CompletionRequest, LanguageModel
from porimon.llm.pricing import PER
from porimon.llm.settings import ModelSettings

FIRST_TOKENS_PER_CHARACTER = 0.5
"""Cautious until the first answer tells better: prose has about 0.25, odd text more."""
FIRST_OUTPUT_TOKENS = 500


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has used so far; a resumed run starts from what its record holds.

    ``cost`` in US dollars, ``tokens`` input and output together, ``seconds`` of running.
    """

    cost: float = 0.0
    tokens: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class _Estimate:
    """The most that one call has taken so far, per model."""

    tokens_per_character: float = 0.0
    output_tokens: int = 0


@dataclass(slots=True)
class Reservation:
    """What one call in flight may take. ``settle`` it with the completion when one came."""

    model: str
    characters: int
    tokens: int
    cost: float
    completion: Completion | None = field(default=None)

    def settle(self, completion: Completion) -> None:
        """Note the completion: it is charged in place of the reservation."""
        self.completion = completion


class Budget:
    """Limits on a run's cost (US dollars), tokens and running time (seconds); ``None``: no limit.

    Time is that of a monotonic clock: a jump of the wall clock changes nothing, and on Linux and
    macOS the time that the machine is suspended does not count.
    """

    def __init__(
        self,
        cost: float | None = None,
        tokens: int | None = None,
        seconds: float | None = None,
        *,
        spent: Spent | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cost = cost
        self.tokens = tokens
        self.seconds = seconds
        self._before = spent or Spent()
        self._cost = self._before.cost
        self._tokens = self._before.tokens
        self._clock = clock
        self._started = clock()
        self._reserved: list[Reservation] = []
        self._estimates: dict[str, _Estimate] = {}

    @property
    def spent(self) -> Spent:
        """What is used so far, calls in flight not included."""
        running = self._before.seconds + self._clock() - self._started
        return Spent(self._cost, self._tokens, running)

    def require_prices(self, models: list[ModelSettings]) -> None:
        """Refuse a cost budget with a model of unknown prices. Raises ``UserInputError``."""
        unknown = [model.name for model in models if not model.prices.known]
        if self.cost is not None and unknown:
            raise UserInputError(
                f"a cost budget needs prices, and those of {', '.join(unknown)} are unknown",
                where="llm.toml",
                remedy="give prices = { input = …, output = … } (US dollars per million tokens), "
                "or limit the tokens instead",
            )

    @contextmanager
    def reserve(self, request: CompletionRequest, settings: ModelSettings) -> Iterator[Reservation]:
        """Reserve one call for the time that it runs.

        Raises ``BudgetExhausted`` before the call where it could overrun a limit.
        """
        self.check()
        reservation = self._estimated(request, settings)
        if reason := self._overrun(reservation):
            raise BudgetExhausted(reason, remedy="go on with a larger budget")
        self._reserved.append(reservation)
        try:
            yield reservation
        finally:
            self._reserved.remove(reservation)
            if reservation.completion is not None:
                self._charge(reservation, reservation.completion, settings)

    def check(self) -> None:
        """Raises ``BudgetExhausted`` if a limit has been reached, calls in flight not counted."""
        now = self.spent
        for limit, used, what in (
            (self.cost, now.cost, "the cost budget of ${:,.2f}"),
            (self.tokens, now.tokens, "the budget of {:,} tokens"),
            (self.seconds, now.seconds, "the time budget of {:,.0f} s"),
        ):
            if limit is not None and used >= limit:
                raise BudgetExhausted(
                    f"{what.format(limit)} is used up", remedy="go on with a larger budget"
                )

    def _overrun(self, wanted: Reservation) -> str | None:
        in_flight = [*self._reserved, wanted]
        cost = self._cost + sum(one.cost for one in in_flight)
        tokens = self._tokens + sum(one.tokens for one in in_flight)
        if self.cost is not None and cost > self.cost:
            return (
                f"the cost budget of ${self.cost:,.2f} would be overrun: ${self._cost:,.4f} are "
                f"spent, and the calls in flight with the next may take ${cost - self._cost:,.4f}"
            )
        if self.tokens is not None and tokens > self.tokens:
            return (
                f"the budget of {self.tokens:,} tokens would be overrun: {self._tokens:,} are used,"
                f" and the calls in flight with the next may take {tokens - self._tokens:,}"
            )
        return None

    def _estimated(self, request: CompletionRequest, settings: ModelSettings) -> Reservation:
        learnt = self._estimates.get(settings.name)
        per_character = learnt.tokens_per_character if learnt else FIRST_TOKENS_PER_CHARACTER
        output = learnt.output_tokens if learnt else FIRST_OUTPUT_TOKENS
        if settings.max_output_tokens is not None:
            output = settings.max_output_tokens
        characters = sum(len(message.content) for message in request.messages)
        entered = round(characters * per_character)
        cost = (
            entered * (settings.prices.input or 0.0) + output * (settings.prices.output or 0.0)
        ) / PER
        return Reservation(settings.name, characters, entered + output, cost)

    def _charge(
        self, reservation: Reservation, completion: Completion, settings: ModelSettings
    ) -> None:
        entered, given = completion.input_tokens, completion.output_tokens
        # An endpoint that reports no usage is charged what was reserved: never nothing.
        if entered is None or given is None:
            self._tokens += reservation.tokens
        else:
            self._tokens += entered + given
            learnt = self._estimates.setdefault(settings.name, _Estimate())
            ratio = entered / max(1, reservation.characters)
            learnt.tokens_per_character = max(learnt.tokens_per_character, ratio)
            learnt.output_tokens = max(learnt.output_tokens, given)
        self._cost += reservation.cost if completion.cost is None else completion.cost


class BudgetedModel:
    """A ``LanguageModel`` whose every call is checked against a budget first."""

    def __init__(self, model: LanguageModel, settings: ModelSettings, budget: Budget) -> None:
        budget.require_prices([settings])
        self._model = model
        self._settings = settings
        self._budget = budget

    @property
    def name(self) -> str:
        """The model's name in ``llm.toml``."""
        return self._model.name

    async def complete(self, request: CompletionRequest) -> Completion:
        """Ask within the budget. Raises ``BudgetExhausted`` before a call that could overrun it."""
        with self._budget.reserve(request, self._settings) as reservation:
            completion = await self._model.complete(request)
            reservation.settle(completion)
            return completion

    async def close(self) -> None:
        """Close the model."""
        await self._model.close()
