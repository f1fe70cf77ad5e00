"""`porimon ladder`: play on a Showdown server's ladder with one of our players."""

from __future__ import annotations

from typing import Any

import click

from porimon.cli.elsewhere import LADDER_FORMAT, elsewhere_options, play_elsewhere


@click.command()
@click.option("--format", "battle_format", default=LADDER_FORMAT, show_default=True)
@elsewhere_options
def command(battle_format: str, **options: Any) -> None:
    """Play on a Showdown server's ladder with one of our players.

    The account is taken from the environment variables PORIMON_USERNAME and PORIMON_PASSWORD; a
    guest's name is made up where there is none. A server on this machine needs no password.

    Ladders have no Dynamax Clause: opponents may Dynamax, our players never do. Look at the
    server's rules on bots first.

    \b
    Example:
      porimon ladder --server official --llm luna --battles 5 --timer
    """
    from porimon.showdown.elsewhere.meeting import Ladder, check_format

    play_elsewhere(Ladder(check_format(battle_format)), battle_format, **options)
