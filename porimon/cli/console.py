"""Consoles: progress and messages go to stderr, results to stdout. `NO_COLOR` is respected."""

from __future__ import annotations

from rich.console import Console


def message_console() -> Console:
    """Where progress and messages go."""
    return Console(stderr=True, highlight=False)


def result_console() -> Console:
    """Where results go."""
    return Console(highlight=False)
