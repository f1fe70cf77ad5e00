"""Consoles: progress and messages go to stderr, results to stdout. `NO_COLOR` is respected."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from porimon.stats.tables import Table

PIPED_WIDTH = 200
"""Columns of text that goes to a file or a pipe, unless the variable COLUMNS says otherwise."""


def message_console() -> Console:
    """Where progress and messages go."""
    return Console(stderr=True, highlight=False)


def result_console() -> Console:
    """Where results go."""
    return Console(highlight=False)


def print_tables(found: Iterable[Table]) -> None:
    """Tables on stdout, an empty line between them."""
    from porimon.stats.table_formats import as_rich

    console = result_console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        # Piped text must not be cut to the width of a terminal that is not there.
        console.width = PIPED_WIDTH
    for number, table in enumerate(found):
        if number:
            console.print()
        console.print(as_rich(table))
