"""The language models that a run may use, as validated settings read from ``llm.toml``.

Nothing here talks to a network. A key is named by its environment variable and never stored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

from porimon.config.toml import nearest, place, read_toml
from porimon.errors import UserInputError
from porimon.paths import shipped_configs
from porimon.plugins import anchored

StartedModel = Literal["offline", "smollm2"]

OFFLINE_READER_LABEL = "offline reader (no language model)"
"""What every table that contains results of the offline reader calls it."""


class Prices(BaseModel):
    """US dollars per million tokens. ``None`` means unknown, which is not the same as free."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    input: float | None = Field(None, ge=0)
    cached_input: float | None = Field(None, ge=0)
    """Input tokens that the provider served from its cache; unknown: charged as ``input``."""
    output: float | None = Field(None, ge=0)

    @property
    def known(self) -> bool:
        """Whether the cost of a call can be told."""
        return self.input is not None and self.output is not None


class Sampling(BaseModel):
    """Sampling parameters. Only those that are set are sent; the endpoint's defaults hold else."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    temperature: float | None = Field(None, ge=0)
    top_p: float | None = Field(None, gt=0, le=1)
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    seed: int | None = None


class ModelSettings(BaseModel):
    """One language model: where it is, how it is asked, what it costs."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    name: str
    model: str = Field(min_length=1)
    """The name that the endpoint knows the model by."""
    start: StartedModel | None = None
    """A model that the run starts by itself; it then has no ``base_url`` of its own."""
    plugin: str | None = Field(None, min_length=1)
    """A class of the user's own in place of an endpoint (``file.py:Class`` or an entry point)."""
    base_urls: tuple[str, ...] = ()
    """Endpoints of the same model (``…/v1``), used evenly and avoided while they fail."""
    key_env: str | None = Field(None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """Name of the environment variable that holds the key; ``None``: no key is sent."""
    timeout_seconds: float = Field(60, gt=0, le=3600)
    """Time limit of one HTTP attempt."""
    max_attempts: int = Field(5, ge=1, le=100)
    """Attempts at one call, rate limits not counted, before it counts as unavailable."""
    patience_seconds: float = Field(600, ge=0)
    """How long one call waits through rate limits, all waits together."""
    queue_seconds: float = Field(3600, gt=0)
    """How long one call waits for its turn among the calls in flight."""
    backoff_seconds: float = Field(1.0, gt=0)
    """Upper bound of the first random pause between attempts; it doubles with each attempt."""
    concurrency: int = Field(16, ge=1, le=4096)
    """Calls in flight at once, per endpoint."""
    reasoning_effort: str | None = Field(None, min_length=1)
    sampling: Sampling = Field(default_factory=Sampling)
    max_output_tokens: int | None = Field(None, ge=1)
    max_tokens_field: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    prices: Prices = Field(default_factory=Prices)
    extra_body: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _one_or_several_urls(cls, data: Any) -> Any:
        if isinstance(data, dict) and "base_url" in data:
            if "base_urls" in data:
                raise ValueError("give base_url or base_urls, not both")
            data = {**data, "base_urls": (data["base_url"],)}
            del data["base_url"]
        return data

    @field_validator("base_urls")
    @classmethod
    def _usable_urls(cls, urls: tuple[str, ...]) -> tuple[str, ...]:
        for url in urls:
            parts = urlsplit(url)
            if parts.scheme not in ("http", "https") or not parts.hostname:
                raise ValueError(f"{url!r} is no address of the form https://host/v1")
            if parts.username or parts.password or parts.query:
                raise ValueError("a base_url holds no user, password or query; use key_env")
        if len(set(urls)) != len(urls):
            raise ValueError("the same base_url is given twice")
        return urls

    @field_validator("extra_body")
    @classmethod
    def _sendable(cls, body: dict[str, Any]) -> dict[str, Any]:
        try:
            json.dumps(body, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise ValueError(f"this cannot be sent as JSON: {error}") from None
        return body

    @model_validator(mode="after")
    def _started_or_reachable(self) -> ModelSettings:
        if self.start is not None and self.base_urls:
            raise ValueError("a model that the run starts has no base_url: remove one of the two")
        if self.plugin is not None and (self.start is not None or self.base_urls):
            raise ValueError("a model that is a plugin has neither base_url nor start")
        if self.start is None and self.plugin is None and not self.base_urls:
            raise ValueError("base_url is missing")
        return self

    @property
    def label(self) -> str:
        """What tables call this model."""
        return OFFLINE_READER_LABEL if self.start == "offline" else self.model


def load_models(path: Path | None = None) -> dict[str, ModelSettings]:
    """The shipped models, overridden by those of the user's file at ``path``.

    A model in the user's file replaces a shipped one of the same name as a whole. Raises
    ``UserInputError`` naming file, line, what is wrong and the nearest right word.
    """
    models = read_models(shipped_configs() / "llm.toml")
    if path is not None:
        models |= read_models(path)
    return models


def read_models(path: Path) -> dict[str, ModelSettings]:
    """The models of one TOML file by name. Raises ``UserInputError``."""
    try:
        document, text = read_toml(path)
    except RecursionError:
        raise UserInputError("the file is nested too deep", where=str(path)) from None
    models = {}
    for name, table in document.items():
        if not isinstance(table, dict):
            raise UserInputError(
                f"{name!r} stands outside of any model",
                where=place(path, text, (name,)),
                remedy=f"begin a model with a line such as [{name}]",
            )
        if "name" in table:
            raise UserInputError(
                "a model is named by its table",
                where=place(path, text, (name, "name")),
                remedy="remove the key 'name'; what the endpoint calls the model is 'model'",
            )
        try:
            models[name] = ModelSettings(name=name, **_anchored(table, path))
        except ValidationError as error:
            raise _explained(error.errors()[0], name, table, text, path) from None
    return models


def _anchored(table: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The table with its plugin's file found beside the TOML file, wherever a run is started."""
    if isinstance(table.get("plugin"), str):
        return {**table, "plugin": anchored(table["plugin"], path.parent)}
    return dict(table)


def choose_model(models: Mapping[str, ModelSettings], name: str) -> ModelSettings:
    """The model called ``name``. Raises ``UserInputError`` with the nearest known name."""
    if name in models:
        return models[name]
    raise UserInputError(
        f"there is no language model named {name!r}", remedy=_right_word(name, models)
    )


def _right_word(word: str, known: Iterable[str]) -> str:
    words = sorted(known)
    near = nearest(word, words)
    return f"did you mean {near!r}?" if near else f"one of: {', '.join(words)}"


def _explained(
    detail: ErrorDetails, name: str, table: Mapping[str, Any], text: str, path: Path
) -> UserInputError:
    keys = [part for part in detail["loc"] if isinstance(part, str)]
    if keys == ["base_urls"] and "base_url" in table:
        keys = ["base_url"]
    where = place(path, text, (name, *keys))
    if detail["type"] == "extra_forbidden":
        remedy = _right_word(keys[-1], _known_beside(keys))
        return UserInputError(f"there is no setting {keys[-1]!r}", where=where, remedy=remedy)
    if detail["type"] == "missing":
        return UserInputError(
            f"{keys[-1]!r} is missing", where=where, remedy=f"add a line such as {keys[-1]} = …"
        )
    message = detail["msg"].removeprefix("Value error, ")
    given = "" if detail["type"] == "value_error" else f" (given: {detail['input']!r:.80})"
    allowed = re.findall(r"'([^']*)'", str(detail.get("ctx", {}).get("expected", "")))
    return UserInputError(
        message + given,
        where=where,
        remedy=_right_word(str(detail["input"]), allowed) if allowed else None,
    )


def _known_beside(keys: list[str]) -> Iterable[str]:
    if keys[:1] == ["prices"] and len(keys) > 1:
        return Prices.model_fields
    if keys[:1] == ["sampling"] and len(keys) > 1:
        return Sampling.model_fields
    return (set(ModelSettings.model_fields) | {"base_url"}) - {"name"}
