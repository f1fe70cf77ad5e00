"""`porimon report`: a run's report as a folder that opens by double click, without a network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from porimon.report.build import WrittenReport


@click.command("report")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--battles",
    "most_battles",
    metavar="N",
    type=click.IntRange(0),
    help="Pages for the first N battles of each matchup only [default: all].",
)
@click.option("--json", "as_json", is_flag=True, help="What was written, as one JSON document.")
def command(folder: Path, most_battles: int | None, as_json: bool) -> None:
    """Write the report of the run in DIR: DIR/report.html and the folder DIR/report beside it.

    Open report.html by double click; both may be mailed or put on a web server as they are. Works
    while the run goes on. Battles that have a page already are not written again.

    \b
    Examples:
      porimon report runs/demo
      porimon report runs/porimon --battles 20
    """
    written = _write(folder, most_battles)
    if as_json:
        click.echo(
            json.dumps(
                {
                    "page": str(written.page),
                    "battles": written.battles,
                    "renewed": written.renewed,
                    "bytes": written.size,
                }
            )
        )
    else:
        _tell(written)


def write_and_tell(folder: Path) -> None:
    """Write the report of a run and print where it is."""
    _tell(_write(folder, None))


def _write(folder: Path, most_battles: int | None) -> WrittenReport:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from porimon.cli.console import message_console
    from porimon.report.build import write_report
    from porimon.showdown.battle_page.describer import ShowdownDescriber

    console = message_console()
    columns = (TextColumn("battle pages"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("battles", total=None)
        return write_report(
            folder,
            ShowdownDescriber(),
            most_battles=most_battles,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )


def _tell(written: WrittenReport) -> None:
    """The page on stdout; the rest is a message."""
    size = f"{written.size / 1_000_000:.1f} MB"
    click.echo(
        f"report of {written.battles} battle pages ({written.renewed} of them new), {size}:",
        err=True,
    )
    click.echo(str(written.page))
