"""The command line as a whole: help, imports, errors, colours, completion."""

from __future__ import annotations

import importlib
import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from porimon.cli.main import COMMANDS, porimon

HEAVY = (
    *("aiohttp", "jinja2", "numpy", "poke_env", "pydantic", "requests", "rich"),
    *("scipy", "sqlite3", "statsmodels", "zstandard"),
)
"""What takes long to import and is not needed to show a help text."""


def command_of(name: str) -> click.Command:
    command: click.Command = importlib.import_module(COMMANDS[name][0]).command
    return command


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "porimon", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def examples(help_text: str) -> list[str]:
    """The lines of a help text's example block."""
    block = help_text.partition("Example")[2].partition("Options:")[0]
    return [line.strip() for line in block.splitlines()[1:] if line.strip()]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_examples_that_the_command_takes(name: str) -> None:
    result = CliRunner().invoke(porimon, [name, "--help"], prog_name="porimon")
    assert result.exit_code == 0, result.output
    shown = examples(result.output)
    assert shown, "no example"
    command = command_of(name)
    for line in shown:
        words = shlex.split(re.split(r"\s(?:>>?|\|)\s", line)[0])
        assert words[:2] == ["porimon", name], line
        parser = command.make_parser(click.Context(command))
        parser.parse_args(words[2:])  # raises for an option that does not exist


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_and_argument_is_explained(name: str) -> None:
    """Options have a help text, or a name and default that say it all."""
    for parameter in command_of(name).params:
        if isinstance(parameter, click.Option):
            assert parameter.help or parameter.show_default, parameter.name


def test_help_imports_nothing_heavy() -> None:
    """`porimon --help`, and the help of every command, in one fresh interpreter."""
    code = (
        "import sys\n"
        "from click.testing import CliRunner\n"
        "from porimon.cli.main import COMMANDS, porimon\n"
        "for arguments in ([], *([name] for name in COMMANDS)):\n"
        "    result = CliRunner().invoke(porimon, [*arguments, '--help'])\n"
        "    assert result.exit_code == 0, result.output\n"
        f"    loaded = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "    assert not loaded, (arguments, loaded)\n"
        "print(len(sys.modules))\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert finished.returncode == 0, finished.stderr
    assert int(finished.stdout) < 400


def test_the_list_of_commands_is_complete() -> None:
    result = CliRunner().invoke(porimon, ["--help"])
    for name in COMMANDS:
        assert re.search(rf"^  {name} ", result.output, re.MULTILINE), name
    folder = Path(importlib.import_module("porimon.cli.main").__file__ or "").parent
    with_command = {
        f"porimon.cli.{file.stem}"
        for file in folder.glob("*.py")
        if re.search(r"^def command\(", file.read_text(), re.MULTILINE)
    }
    assert with_command == {module for module, _ in COMMANDS.values()}


@pytest.mark.parametrize(
    "arguments, code, lines",
    [
        (
            ["analyse", "x"],
            2,
            [
                "error: there is no command 'analyse'",
                "  where: porimon",
                "  what to do: did you mean `porimon analyze`?",
            ],
        ),
        (
            ["run"],
            2,
            [
                "error: Missing argument 'FILE'.",
                "  where: porimon run",
                "  what to do: see `porimon run --help`",
            ],
        ),
        (
            ["watch", "/nowhere/at/all"],
            2,
            [
                "error: there is no run in this folder",
                "  where: /nowhere/at/all",
                "  what to do: name the folder that `porimon run` printed (it holds run.sqlite)",
            ],
        ),
    ],
)
def test_errors_say_what_where_and_what_to_do(
    arguments: list[str], code: int, lines: list[str]
) -> None:
    finished = run(*arguments)
    assert finished.returncode == code
    assert finished.stdout == ""
    assert finished.stderr.splitlines() == lines


def test_no_command_shows_the_help() -> None:
    finished = run()
    assert finished.returncode == 2
    assert finished.stderr.startswith("Usage:")


def test_an_exit_code_of_a_command_is_kept() -> None:
    """Without click's standalone mode it comes back as a value, and was lost once."""
    code = (
        "import click, sys\n"
        "from porimon.cli import main\n"
        "@click.command()\n"
        "@click.pass_context\n"
        "def command(context): context.exit(7)\n"
        "main.porimon.add_command(command, 'seven')\n"
        "main.COMMANDS['seven'] = ('', '')\n"
        "main.porimon.get_command = lambda context, name: command\n"
        "sys.argv = ['porimon', 'seven']\n"
        "main.entry()\n"
    )
    finished = subprocess.run([sys.executable, "-c", code], timeout=60, check=False)
    assert finished.returncode == 7


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What a command writes when a terminal is there to read it."""
    leader, follower = pty.openpty()
    variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen(
        [sys.executable, "-m", "porimon", *arguments],
        env={**variables, "TERM": "xterm-256color", **environment},
        stdin=follower,
        stdout=follower,
        stderr=follower,
    )
    os.close(follower)
    written = b""
    while True:
        try:
            piece = os.read(leader, 4096)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        written += piece
    os.close(leader)
    assert process.wait(60) == 2
    return written.decode()


def test_colour_is_for_terminals_and_may_be_refused() -> None:
    coloured = on_a_terminal("analyse")
    assert "\x1b[1;31merror" in coloured
    plain = on_a_terminal("analyse", NO_COLOR="1")
    assert "31m" not in plain
    assert "error" in plain
    assert "\x1b" not in run("analyse").stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_ask_for_completions(shell: str) -> None:
    finished = run("completion", shell)
    assert finished.returncode == 0
    assert "_PORIMON_COMPLETE" in finished.stdout


def test_commands_options_and_tournaments_are_completed() -> None:
    code = "import sys; sys.argv = ['porimon']\nfrom porimon.cli.main import entry\nentry()\n"

    def offered(*words: str) -> list[str]:
        finished = subprocess.run(
            [sys.executable, "-c", code],
            env={
                **os.environ,
                "_PORIMON_COMPLETE": "bash_complete",
                "COMP_WORDS": " ".join(("porimon", *words)),
                "COMP_CWORD": str(len(words)),
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return finished.stdout.splitlines()

    assert offered("an") == ["plain,analyze"]
    assert offered("watch", "--o") == ["plain,--once"]
    assert "plain,porimon" in offered("run", "po")
    assert "file,po" in offered("run", "po")
    assert offered("completion", "f") == ["plain,fish"]
    assert offered("run", "demo", "--llm", "off") == ["plain,offline"]
    assert offered("bench", "rep") == ["plain,report"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
@pytest.mark.parametrize("words", [("completion", "bash"), ("plan", "demo")])
def test_a_full_disk_behind_our_output_is_told(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        finished = subprocess.run(
            [sys.executable, "-m", "porimon", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert finished.returncode == 3
    assert "the disk is full" in finished.stderr
    assert "Traceback" not in finished.stderr
