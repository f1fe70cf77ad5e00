"""`porimon challenge`: challenge USER on a Showdown server, and let one of our players play."""

from __future__ import annotations

from typing import Any

import click

from porimon.cli.elsewhere import DYNAMAX_FREE, elsewhere_options, play_elsewhere


@click.command()
@click.argument("user")
@click.option("--format", "battle_format", default=DYNAMAX_FREE, show_default=True)
@elsewhere_options
def command(user: str, battle_format: str, **options: Any) -> None:
    """Challenge USER on a Showdown server, and let one of our players play.

    The account is taken from the environment variables PORIMON_USERNAME and PORIMON_PASSWORD; a
    guest's name is made up where there is none. A server on this machine needs no password.

    \b
    Examples:
      porimon challenge alice
      porimon challenge alice --server official --player lt0 --llm luna --timer
    """
    from porimon.showdown.elsewhere.meeting import Challenge, check_format

    play_elsewhere(Challenge(user, check_format(battle_format)), battle_format, **options)
