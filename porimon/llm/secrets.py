"""Keys of endpoints: read from the environment, never shown."""

from __future__ import annotations

import os
from collections.abc import Mapping

from porimon.errors import ModelAccessError
from porimon.llm.settings import ModelSettings

REMOVED = "[key removed]"


class Secret:
    """A key that cannot be printed by accident: ``str`` and ``repr`` hide it."""

    __slots__ = ("_value",)

    def __init__(self, value: str | None) -> None:
        self._value = value

    def reveal(self) -> str | None:
        """The key itself, for the one place that sends it."""
        return self._value

    def scrub(self, text: str) -> str:
        """``text`` without the key, wherever an endpoint may have echoed it."""
        return text.replace(self._value, REMOVED) if self._value else text

    def __repr__(self) -> str:
        return "Secret(none)" if self._value is None else "Secret(hidden)"


def read_key(settings: ModelSettings, environment: Mapping[str, str] | None = None) -> Secret:
    """The key that ``settings.key_env`` names; an empty secret where the model needs none.

    Raises ``ModelAccessError`` naming the environment variable that is not set.
    """
    if settings.key_env is None:
        return Secret(None)
    value = (os.environ if environment is None else environment).get(settings.key_env, "").strip()
    if not value:
        raise ModelAccessError(
            f"the language model {settings.name!r} needs a key, and there is none",
            where=f"environment variable {settings.key_env}",
            remedy=f"export {settings.key_env}=… (or change its key_env in llm.toml)",
        )
    return Secret(value)
