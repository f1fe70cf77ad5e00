"""The `porimon` command: a group whose commands are imported only when one is called."""

from __future__ import annotations

import importlib
import sys

import click

from porimon import __version__
from porimon.errors import PorimonError

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("porimon.cli.demo", "Play a small tournament end to end, offline, then its report."),
    "run": ("porimon.cli.run", "Play the tournament of a TOML file, or go on with one."),
    "plan": ("porimon.cli.plan", "Show what a tournament would play, cost and detect."),
    "analyze": ("porimon.cli.analyze", "Win rates, Bradley–Terry, tests and intervals of a run."),
    "report": ("porimon.cli.report", "Write a run's report (HTML, opens without a network)."),
    "verify": ("porimon.cli.verify", "Simulate recorded battles again and compare the logs."),
    "inspect": ("porimon.cli.inspect", "What a player saw, asked, got and did in a battle."),
    "memory": ("porimon.cli.memory", "List, show, export and import Long-Term experiences."),
    "watch": ("porimon.cli.watch", "Follow a run from another terminal."),
    "doctor": ("porimon.cli.doctor", "Say what this machine has and what is missing."),
    "setup": ("porimon.cli.setup", "Install the Node parts into the cache folder now."),
    "serve": ("porimon.cli.serve", "Keep a Showdown server up on this machine."),
    "fake-llm": ("porimon.cli.fake_llm", "Serve the offline reader as an OpenAI-style endpoint."),
    "bench": ("porimon.cli.bench", "Measure speed and sizes, side by side."),
    "challenge": ("porimon.cli.challenge", "Challenge a user on any Showdown server."),
    "accept": ("porimon.cli.accept", "Accept challenges on any Showdown server."),
    "ladder": ("porimon.cli.ladder", "Play on a Showdown server's ladder."),
}
"""Each command's module (with a click command named ``command``) and its one-line help."""


class LazyGroup(click.Group):
    """A group that lists commands without importing them: `porimon --help` stays fast."""

    def list_commands(self, context: click.Context) -> list[str]:
        """The names in the order in which a user meets them."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Import the module of one command."""
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[name][0]).command
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table above."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="porimon")
def porimon() -> None:
    """Language-model agents for Pokémon Showdown, measured so that a difference can be believed.

    \b
    Example:
      porimon demo
    """


def entry() -> None:
    """The console script: run a command and turn errors raised on purpose into exit codes."""
    try:
        porimon(standalone_mode=False)
    except click.exceptions.Exit as exit_request:
        sys.exit(exit_request.exit_code)
    except click.Abort:
        click.echo("interrupted", err=True)
        sys.exit(4)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except PorimonError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(error.exit_code)
