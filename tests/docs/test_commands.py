"""Every command shown in the documentation is run as it stands there (see ``markdown``)."""

from __future__ import annotations

import importlib
import re
import selectors
import signal
from pathlib import Path

import click
import pytest

from porimon.cli.main import COMMANDS
from tests.docs.conftest import Workplace
from tests.docs.markdown import PAGES, ROOT, Command, blocks, commands, prose

OURS = re.compile(r"^(porimon|make|python -m porimon)\b")
SECONDS = 150
LONG_SECONDS = 1800
FIRST_LINE_SECONDS = 60
STOP_SECONDS = 20


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def write_files(page: Path, folder: Path) -> None:
    for block in blocks(page):
        if block.note.file is not None:
            path = folder / block.note.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text + "\n", encoding="utf-8")


def complaint(command: Command, workplace: Workplace) -> str | None:
    """Run a command; what went wrong, ``None`` if nothing did."""
    text = f"{command.text} {command.note.options}".strip()
    if text in workplace.done:
        return None
    if command.note.background:
        problem = interrupted_well(text, workplace)
    else:
        ended = workplace.run(text, LONG_SECONDS if command.note.long else SECONDS)
        problem = None if ended.returncode == 0 else f"exit {ended.returncode}: {ended.stderr}"
    if problem is None:
        workplace.done.add(text)
        return None
    return f"{command.place}: {text}\n{problem}"


def interrupted_well(text: str, workplace: Workplace) -> str | None:
    """A command that goes on: it must say something, and end well at Ctrl-C."""
    with workplace.start(text) as process, selectors.DefaultSelector() as waiting:
        assert process.stdout is not None
        waiting.register(process.stdout, selectors.EVENT_READ)
        try:
            said = waiting.select(FIRST_LINE_SECONDS) and process.stdout.readline()
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=STOP_SECONDS)
        finally:
            process.kill()
    if not said:
        return f"it said nothing in {FIRST_LINE_SECONDS} s: {errors}"
    return None if process.returncode in (0, 4) else f"exit {process.returncode}: {errors}"


def wanted(page: Path, *, long: bool) -> list[Command]:
    return [
        command
        for command in commands(page)
        if OURS.match(command.text)
        and command.note.reason_not_run is None
        and command.note.long == long
    ]


@pytest.mark.server
@pytest.mark.parametrize("page", [page for page in PAGES if wanted(page, long=False)], ids=name)
def test_commands_of_a_page_do_what_they_say(page: Path, workplace: Workplace) -> None:
    write_files(page, workplace.folder)
    complaints = [complaint(command, workplace) for command in wanted(page, long=False)]
    assert not any(complaints), "\n".join(each for each in complaints if each)


@pytest.mark.server
@pytest.mark.long
@pytest.mark.parametrize("page", [page for page in PAGES if wanted(page, long=True)], ids=name)
def test_long_commands_of_a_page_do_what_they_say(page: Path, workplace: Workplace) -> None:
    write_files(page, workplace.folder)
    complaints = [complaint(command, workplace) for command in wanted(page, long=True)]
    assert not any(complaints), "\n".join(each for each in complaints if each)


def options_of(command: click.Command) -> set[str]:
    return {"-h", "--help"} | {
        name
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for name in (*parameter.opts, *parameter.secondary_opts)
    }


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_named_in_prose_exist_with_their_options(page: Path) -> None:
    for text in re.findall(r"`porimon ([^`]+)`", prose(page)):
        words = text.split()
        if words[0] in ("--help", "--version", "-h") or words[0].isupper():
            continue
        assert words[0] in COMMANDS, f"{name(page)} names `porimon {text}`"
        module = importlib.import_module(COMMANDS[words[0]][0])
        for option in (word.partition("=")[0] for word in words[1:] if word.startswith("-")):
            assert option.strip("[]") in options_of(module.command), f"{name(page)}: {text}"


def test_every_command_is_shown_somewhere() -> None:
    shown = {
        words[1]
        for page in PAGES
        for command in commands(page)
        if len(words := command.text.split()) > 1 and words[0] == "porimon"
    }
    assert not set(COMMANDS) - shown
