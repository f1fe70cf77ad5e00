"""`porimon serve`: keep a Showdown server up."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--simulators",
    type=click.IntRange(0, 64),
    default=1,
    show_default=True,
    help="Processes that simulate battles beside the server's own.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Run folder with the server's log; a temporary one if left out.",
)
def command(port: int, simulators: int, folder: Path | None) -> None:
    """Keep a Showdown server up on this machine (loopback only) until Ctrl-C.

    \b
    Example:
      porimon serve --port 8000
    """
    from porimon.showdown.server_serving import serve_until_stopped

    def announce(url: str) -> None:
        click.echo(url)
        click.echo("Ctrl-C stops it.", err=True)

    serve_until_stopped(announce, port=port, simulators=simulators, folder=folder)
