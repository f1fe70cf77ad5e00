"""A language model of the user's own: a Python class in place of an HTTP endpoint.

The class is created with its ``ModelSettings`` and has ``async complete(request) -> Completion``
(see ``LanguageModel``). It comes from a file (``plugin = "my_model.py:MyModel"``, beside the TOML
file) or from an installed package, under the entry point group ``porimon.models``. What a run
needs beyond that is added here: the deadline, how many calls at once, cost, latency, errors.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from dataclasses import replace
from typing import Any

from porimon.errors import ModelAccessError, ModelUnavailable, PorimonError, UserInputError
from porimon.llm.model import Completion, CompletionRequest
from porimon.llm.pricing import call_cost
from porimon.llm.settings import ModelSettings
from porimon.plugins import load_plugin

ENTRY_POINT_GROUP = "porimon.models"
MEMBERS = ("complete",)
"""What the class has to have; ``close`` is called where it is there."""


class PluginModel:
    """A ``LanguageModel`` that asks a user's class.

    Raises ``UserInputError`` for a class that cannot be loaded or created.
    """

    def __init__(self, settings: ModelSettings) -> None:
        if settings.plugin is None:
            raise ValueError("this model is no plugin")
        self._settings = settings
        create = load_plugin(settings.plugin, ENTRY_POINT_GROUP, MEMBERS, "model")
        try:
            self._model: Any = create(settings)
        except Exception as error:  # a user's class may raise anything
            raise UserInputError(
                f"the model plugin cannot be created: {type(error).__name__}: {error}",
                where=settings.plugin,
            ) from error
        self._places = asyncio.Semaphore(settings.concurrency)

    @property
    def name(self) -> str:
        """The model's name in ``llm.toml``."""
        return self._settings.name

    async def complete(self, request: CompletionRequest) -> Completion:
        """The class's answer, its cost and latency filled in where it leaves them open.

        Raises what the class raises of ``porimon.errors``; ``ModelUnavailable`` past the model's
        ``timeout_seconds``; ``ModelAccessError`` for any other error: asking again would not help.
        """
        async with self._places:
            started = time.perf_counter()
            try:
                async with asyncio.timeout(self._settings.timeout_seconds):
                    answer = await self._model.complete(request)
            except TimeoutError as error:
                raise ModelUnavailable(
                    f"the model plugin gave no answer in {self._settings.timeout_seconds:g} s",
                    where=self._settings.plugin,
                ) from error
            except PorimonError:
                raise
            except Exception as error:  # a user's class may raise anything
                raise self._broken(f"raised {type(error).__name__}: {error}") from error
            took = time.perf_counter() - started
        if not isinstance(answer, Completion):
            raise self._broken(f"answered with {type(answer).__name__}, not with a Completion")
        if answer.latency_seconds is None:
            answer = replace(answer, latency_seconds=took)
        if answer.cost is None:
            answer = replace(
                answer,
                cost=call_cost(
                    self._settings.prices,
                    answer.input_tokens,
                    answer.cached_input_tokens,
                    answer.output_tokens,
                ),
            )
        return answer

    async def close(self) -> None:
        """Close the class's model, where it has something to close."""
        close = getattr(self._model, "close", None)
        if close is not None:
            closing = close()
            if inspect.isawaitable(closing):
                await closing

    def _broken(self, what: str) -> ModelAccessError:
        return ModelAccessError(
            f"the model plugin {what}",
            where=self._settings.plugin,
            remedy="mend the class, then go on with the run",
        )
