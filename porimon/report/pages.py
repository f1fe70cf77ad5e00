"""The report's HTML pages, made from templates that escape every text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jinja2

from porimon.report.overview import Overview
from porimon.stats.tables import Cell, Table, written

POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; "
    "img-src 'self' file: data: blob:; base-uri 'none'; form-action 'none'"
)
"""What a browser lets the pages do: run the folder's own scripts, and reach nothing else."""


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell as text, and the raw value that sorts it."""

    text: str
    raw: Cell


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table ready for a template: headings as (text, numeric), and rows of cells."""

    name: str
    caption: str
    headings: tuple[tuple[str, bool], ...]
    rows: tuple[tuple[ShownCell, ...], ...]


def shown(table: Table) -> ShownTable:
    """A table as a page shows it."""
    places = [table.keys.index(column.keys[0]) for column in table.columns]
    return ShownTable(
        table.name,
        table.caption,
        tuple((column.heading, column.numeric) for column in table.columns),
        tuple(
            tuple(ShownCell(text, row[at]) for text, at in zip(texts, places, strict=True))
            for texts, row in zip(written(table), table.rows, strict=True)
        ),
    )


def overview_page(overview: Overview) -> str:
    """``report.html``: all that concerns the whole run."""
    return _render(
        "report.html.jinja",
        root="report/",
        overview=overview,
        tables={name: shown(table) for name, table in overview.tables.items()},
        stages=[(name, shown(table)) for name, table in overview.stages],
    )


def battles_page(title: str) -> str:
    """``report/battles.html``: matchups and their battles, filled in by its script."""
    return _render("battles.html.jinja", root="", title=title)


def battle_page(title: str, scripts: tuple[str, ...], styles: tuple[str, ...]) -> str:
    """``report/battle.html``: one battle, named by the address; the game's own files beside it."""
    return _render("battle.html.jinja", root="", title=title, scripts=scripts, styles=styles)


def table_data(overview: Overview) -> dict[str, Mapping[str, Any]]:
    """The raw figures of every table, for the page's CSV buttons."""
    return {table.name: {"keys": table.keys, "rows": table.rows} for table in overview.all_tables}


def _render(template: str, **values: Any) -> str:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("porimon.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(policy=POLICY, **values)
