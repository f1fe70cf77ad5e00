"""A player's harness card: everything that shapes its results, flat, so that cards compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import porimon
from porimon.config.player import PlayerConfig
from porimon.llm.plugin import ENTRY_POINT_GROUP
from porimon.llm.settings import ModelSettings
from porimon.plugins import plugin_version


def harness_card(
    player: PlayerConfig, model: ModelSettings | None, of_the_game: Mapping[str, Any]
) -> dict[str, Any]:
    """The card of one player. ``of_the_game`` adds prompt hash and data versions."""
    card: dict[str, Any] = {
        "base": player.base,
        "code_version": porimon.__version__,
        **of_the_game,
    }
    if player.llm is None or model is None:
        return card
    card |= {
        "model": model.label,
        "endpoint": _endpoint(model),
        "reasoning_effort": model.reasoning_effort,
        "max_output_tokens": model.max_output_tokens,
        "window": player.window,
        "retries": player.retries,
        "mode": player.mode,
        "answer_format": player.answer_format,
        "style": player.style,
        "knowledge": player.knowledge,
    }
    card |= {f"sampling.{key}": value for key, value in model.sampling if value is not None}
    memory = player.memory
    card["alpha"] = memory.alpha if memory is not None else None
    card["memory_policy"] = memory.model_dump_json() if memory is not None else None
    return card


def _endpoint(model: ModelSettings) -> str:
    if model.plugin is not None:
        return f"plugin {plugin_version(model.plugin, ENTRY_POINT_GROUP, 'model')}"
    return ", ".join(model.base_urls) or f"started by the run ({model.start})"
