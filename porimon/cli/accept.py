"""`porimon accept`: wait for challenges on a Showdown server, and let one of our players play."""

from __future__ import annotations

from typing import Any

import click

from porimon.cli.elsewhere import elsewhere_options, play_elsewhere


@click.command()
@click.option("--from", "user", metavar="USER", help="Only challenges of this user.")
@elsewhere_options
def command(user: str | None, **options: Any) -> None:
    """Wait for challenges on a Showdown server, and let one of our players play.

    The account is taken from the environment variables PORIMON_USERNAME and PORIMON_PASSWORD; a
    guest's name is made up where there is none. A server on this machine needs no password.

    Any Gen 8 Random Battle is accepted, with or without battle rules; our players never Dynamax.

    \b
    Examples:
      porimon accept --battles 3
      porimon accept --from alice --player p --llm luna
    """
    from porimon.showdown.elsewhere.meeting import FORMAT, Accept

    play_elsewhere(Accept(user), FORMAT, **options)
