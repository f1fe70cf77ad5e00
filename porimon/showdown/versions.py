"""Versions of everything outside our code that decides how battles are played."""

from __future__ import annotations

import importlib.metadata
import json
from functools import lru_cache
from pathlib import Path

from porimon.paths import calc_api_source, showdown_server_source


@lru_cache(maxsize=1)
def data_versions() -> str:
    """``pokemon-showdown 0.11.11, @smogon/calc 0.12.0, poke-env 0.16.1``, from the pins."""
    pins = {**_pins(showdown_server_source()), **_pins(calc_api_source())}
    found = [f"{name} {version}" for name, version in sorted(pins.items())]
    return ", ".join([*found, f"poke-env {importlib.metadata.version('poke-env')}"])


def _pins(folder: Path) -> dict[str, str]:
    document = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    return dict(document["dependencies"])
