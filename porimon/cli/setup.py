"""`porimon setup`: install the Node parts now instead of at the first run."""

from __future__ import annotations

import click


@click.command()
def command() -> None:
    """Install the Node parts (Showdown server, damage calculator) into the user's cache folder.

    The first run does it by itself; this does it ahead of time, or shows why it fails. The
    environment variable PORIMON_CACHE chooses another folder.

    \b
    Example:
      porimon setup
    """
    from porimon.showdown.node import prepare_node_parts

    parts = prepare_node_parts(lambda line: click.echo(line, err=True))
    click.echo(f"Showdown server: {parts.showdown_server}")
    click.echo(f"Damage calculator: {parts.calc_api}")
