"""Open a language model by its settings: start what the run has to start itself, then connect."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from porimon.llm.client import OpenAIModel
from porimon.llm.model import LanguageModel
from porimon.llm.settings import ModelSettings


@asynccontextmanager
async def open_model(settings: ModelSettings) -> AsyncIterator[LanguageModel]:
    """The language model, ready to be asked; it is closed, and what was started stopped, at exit.

    ``offline`` starts the offline reader's endpoint inside this process, ``smollm2`` a server of
    llama.cpp in a child process; both listen on a free port of loopback, and are asked over HTTP
    like any other endpoint. Raises ``ModelAccessError`` for a key that is not there,
    ``MachineSetupError`` for a local model that is not installed and ``UserInputError`` for a
    plugin that cannot be loaded.
    """
    if settings.plugin is not None:
        from porimon.llm.plugin import PluginModel

        plugin = PluginModel(settings)
        try:
            yield plugin
        finally:
            await plugin.close()
    elif settings.start == "offline":
        from porimon.llm.endpoint.server import FakeEndpoint

        async with (
            FakeEndpoint() as endpoint,
            _connected(settings, endpoint.base_url) as model,
        ):
            yield model
    elif settings.start == "smollm2":
        from porimon.llm.local import LocalServer

        async with (
            LocalServer(settings.model) as server,
            _connected(settings, server.base_url) as model,
        ):
            yield model
    else:
        async with _connected(settings) as model:
            yield model


@asynccontextmanager
async def _connected(
    settings: ModelSettings, base_url: str | None = None
) -> AsyncIterator[OpenAIModel]:
    if base_url is not None:
        settings = settings.model_copy(update={"base_urls": (base_url,)})
    model = OpenAIModel(settings)
    try:
        yield model
    finally:
        await model.close()
