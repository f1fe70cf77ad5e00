"""Where the files that are not Python code lie: in a checkout or in an installed wheel."""

from __future__ import annotations

from pathlib import Path

import porimon


def _shipped(in_checkout: str, in_wheel: str) -> Path:
    package = Path(porimon.__file__).resolve().parent
    wheel = package / in_wheel
    return wheel if wheel.exists() else package.parent / in_checkout


def showdown_server_source() -> Path:
    """The Node package around the pinned Showdown server (start script, plugin, tools)."""
    return _shipped("showdown_server", "node_parts/showdown_server")


def calc_api_source() -> Path:
    """The Node package of the damage-calculator service."""
    return _shipped("calc_api", "node_parts/calc_api")


def shipped_configs() -> Path:
    """The folder of shipped configuration files (``llm.toml``)."""
    return _shipped("configs", "configs")


def shipped_tournaments() -> Path:
    """The folder of shipped tournament files."""
    return _shipped("tournaments", "tournaments")


def cache_folder() -> Path:
    """The user's cache folder for set-up Node parts; ``PORIMON_CACHE`` overrides it."""
    import os

    import platformdirs

    chosen = os.environ.get("PORIMON_CACHE")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("porimon"))
