"""A model that answers from a list, for tests of the decision pipeline."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from porimon.llm.model import Completion, CompletionRequest


class ListedAnswers:
    """An ``Asker`` that gives the listed answers in order; an exception in the list is raised."""

    def __init__(self, answers: Sequence[str | BaseException]) -> None:
        self._answers = list(answers)
        self.requests: list[CompletionRequest] = []

    async def ask(self, request: CompletionRequest) -> Completion:
        self.requests.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return Completion(answer, "listed", input_tokens=10, output_tokens=2)


class RuledAnswers:
    """An ``Asker`` that answers by a function of the request."""

    def __init__(self, rule: Callable[[CompletionRequest], str]) -> None:
        self._rule = rule

    async def ask(self, request: CompletionRequest) -> Completion:
        return Completion(self._rule(request), "ruled")
