"""Writes a run's report: ``report.html`` in the run's folder, readable without a network."""

from __future__ import annotations

from pathlib import Path

import jinja2

from porimon.report.analysis import run_analysis
from porimon.stats.tables import tables, written
from porimon.tournament.record.read import RunReader


def write_report(folder: Path) -> Path:
    """Write the report of the run in ``folder``; returns the page to open.

    Raises ``UserInputError`` where the folder holds no run.
    """
    with RunReader(folder) as reader:
        name = reader.meta.get("name", folder.name)
        played = sum(1 for _ in reader.battles())
    analysis = run_analysis(folder)
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("porimon.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    page = folder / "report.html"
    page.write_text(
        environment.get_template("report.html.jinja").render(
            name=name,
            played=played,
            warnings=analysis.warnings,
            tables=[(table, written(table)) for table in tables(analysis)],
        ),
        encoding="utf-8",
    )
    return page
