"""`porimon report`: a run's report as a folder that opens by double click, without a network."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("report")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
def command(folder: Path) -> None:
    """Write the report of the run in DIR: DIR/report.html.

    \b
    Example:
      porimon report runs/demo
    """
    write_and_tell(folder)


def write_and_tell(folder: Path) -> None:
    """Write the report of a run and print where it is."""
    from porimon.report.build import write_report

    page = write_report(folder)
    click.echo(str(page))
