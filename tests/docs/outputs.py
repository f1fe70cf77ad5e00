"""Output that the documentation shows: ``python -m tests.docs.outputs`` writes it anew.

A block with the note ``output`` holds what the last command before it prints on standard output.
The commands of a page are run as they stand there, in order, in an empty folder. A line ``…``
stands for lines left out; such a block is compared, but must be written by hand.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.docs.conftest import Workplace
from tests.docs.markdown import PAGES, Block, Command, blocks, commands

LEFT_OUT = "…"
DEADLINE_SECONDS = 900


@dataclass(frozen=True, slots=True)
class Shown:
    """A block of output, and the command that prints it."""

    block: Block
    command: Command


def shown_outputs(page: Path) -> Iterator[Shown]:
    """The outputs of a page, in order. Raises ``ValueError`` for one without a command."""
    told = list(commands(page))
    lines = [int(command.place.rpartition(":")[2]) for command in told]
    for block in blocks(page):
        if not block.note.output:
            continue
        before = [command for command, line in zip(told, lines, strict=True) if line < block.line]
        if not before:
            raise ValueError(f"{block.place} shows the output of no command")
        yield Shown(block, before[-1])


def printed(page: Path, folder: Path) -> Iterator[tuple[Shown, str]]:
    """Run the commands behind a page's outputs in ``folder``: each with what it printed."""
    (folder / "home").mkdir(parents=True, exist_ok=True)
    place = Workplace(folder)
    for shown in shown_outputs(page):
        ran = place.run(shown.command.text, seconds=DEADLINE_SECONDS)
        if ran.returncode != 0:
            raise RuntimeError(f"{shown.command.place}: exit {ran.returncode}: {ran.stderr}")
        yield shown, _without_trailing_blanks(ran.stdout)


def agrees(block: Block, output: str) -> bool:
    """Whether a block shows ``output``: all of it, or its parts around the lines left out."""
    parts = re.split(rf"^{LEFT_OUT}$", _without_trailing_blanks(block.text), flags=re.MULTILINE)
    pattern = ".*".join(re.escape(part) for part in parts)
    return re.fullmatch(pattern, output.strip("\n"), flags=re.DOTALL) is not None


def _without_trailing_blanks(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def write_anew(page: Path) -> int:
    """Replace the outputs of a page by what its commands print now; how many have changed."""
    changed = 0
    with tempfile.TemporaryDirectory() as folder:
        for shown, output in printed(page, Path(folder)):
            if agrees(shown.block, output):
                continue
            changed += 1
            if LEFT_OUT in shown.block.text.splitlines():
                print(f"{shown.block.place}: write this by hand from\n{output}")
                continue
            text = page.read_text(encoding="utf-8")
            page.write_text(text.replace(shown.block.text, output), encoding="utf-8")
    return changed


if __name__ == "__main__":
    for each in PAGES:
        if any(shown_outputs(each)):
            print(f"{each.name}: {write_anew(each)} outputs changed")
