"""The `porimon` command: a group whose commands are imported only when one is called."""

from __future__ import annotations

import difflib
import errno
import importlib
import sys

import click
from click.shell_completion import CompletionItem

from porimon import __version__
from porimon.errors import MachineSetupError, PorimonError, UserInputError

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
    "completion": ("porimon.cli.completion", "Print the script that completes with the tab key."),
}
"""Each command's module (with a click command named ``command``) and its one-line help."""


class LazyGroup(click.Group):
    """A group that lists commands without importing them: `porimon --help` stays fast."""

    def list_commands(self, context: click.Context) -> list[str]:
        """The names in the order in which a user meets them."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Import the module of one command; ``UserInputError`` names the nearest one there is."""
        if name not in COMMANDS:
            near = difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.5)
            raise UserInputError(
                f"there is no command {name!r}",
                where="porimon",
                remedy=f"did you mean `porimon {near[0]}`?" if near else "see `porimon --help`",
            )
        command: click.Command = importlib.import_module(COMMANDS[name][0]).command
        return command

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a command's name without importing any."""
        names = [
            CompletionItem(name, help=text)
            for name, (_, text) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, context, incomplete)

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
        code = porimon(prog_name="porimon", standalone_mode=False)
    except click.Abort:
        print_error("interrupted", None, None)
        sys.exit(4)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(2)
    except click.ClickException as error:
        print_error(error.format_message(), *_place_of(error))
        sys.exit(2)
    except PorimonError as error:
        print_error(error.what, error.where, error.remedy)
        sys.exit(error.exit_code)
    except OSError as error:
        # Writing to our own output names no file; every other file's trouble is an error of ours.
        if error.errno != errno.ENOSPC or error.filename is not None:
            raise
        sys.stdout = None  # what is left in its buffer cannot be written either
        print_error(
            "the output cannot be written: the disk is full",
            "standard output",
            "free some space; what was recorded stays: porimon analyze shows it again",
        )
        sys.exit(MachineSetupError.exit_code)
    # Without click's standalone mode an exit code is what the call returns.
    sys.exit(code if isinstance(code, int) else 0)


def print_error(what: str, where: str | None, remedy: str | None) -> None:
    """An error on stderr: what, where, what to do, one line each; coloured on a terminal only."""
    # Imported here: a command that goes well and prints no table does without it.
    from rich.text import Text

    from porimon.cli.console import message_console

    console = message_console()
    lines = [("error", "bold red", what), ("where", "bold", where), ("what to do", "bold", remedy)]
    for number, (title, style, text) in enumerate(lines):
        if text:
            # Never wrapped: a command to be copied must stay in one piece.
            line = Text.assemble("  " * bool(number), (f"{title}: ", style), text)
            console.print(line, soft_wrap=True)


def _place_of(error: click.ClickException) -> tuple[str | None, str | None]:
    """Where and what to do, for click's own complaints on options and arguments."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return None, None
    return context.command_path, f"see `{context.command_path} --help`"
