"""`porimon completion`: the script that makes a shell complete porimon's commands and options."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

_PROGRAM = "porimon"
_VARIABLE = "_PORIMON_COMPLETE"
"""The environment variable by which the shell asks for completions (click's convention)."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that completes porimon's commands, options and files with the tab key.

    \b
    Examples:
      porimon completion bash >> ~/.bashrc
      porimon completion zsh >> ~/.zshrc
      porimon completion fish > ~/.config/fish/completions/porimon.fish
    """
    from click.shell_completion import get_completion_class

    from porimon.cli.main import porimon

    found = get_completion_class(shell)
    if found is None:
        raise RuntimeError(f"click knows no completion for {shell}")
    click.echo(found(porimon, {}, _PROGRAM, _VARIABLE).source())


def tournament_files(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The shipped tournaments' names that begin so, beside the user's files."""
    from porimon.paths import shipped_tournaments

    names = sorted(file.stem for file in shipped_tournaments().glob("*.toml"))
    found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
    return [CompletionItem(incomplete, type="file"), *found]


def language_models(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The language models that begin so: the shipped ones, and those of ``--llm-file``."""
    from porimon.errors import PorimonError
    from porimon.llm.settings import load_models

    try:
        names = sorted(load_models(context.params.get("llm_file")))
    except PorimonError:
        return []  # a file that is not finished: the command itself will say what is wrong
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
