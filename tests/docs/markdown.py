"""Reads the project's Markdown pages: code blocks with their line, language and test note; links.

A code block that a test must treat in a special way has an HTML comment right above it:

``<!-- test: with --battles 2 -->``
    run each command of the block with these options added (the last of equal options wins)
``<!-- test: background -->``
    a command that goes on until Ctrl-C: start it, wait for its first line, interrupt it
``<!-- test: long -->``
    left to ``make test-long``
``<!-- test: not run, REASON -->``
    what a test cannot do (a key that costs money, another machine)
``<!-- test: file NAME -->``
    not commands: the content of a file that the page's commands use
``<!-- test: run -->``
    SQL or Python that a user would run: SQL on the run ``runs/demo``, Python in the folder of runs
``<!-- test: output -->``
    not commands: what the last command before it prints on standard output; a line that holds
    nothing but ``…`` stands for lines left out

Several notes of one block are separated by ``;``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
)
"""Every page that a user may read."""

_FENCE = re.compile(r"^(?P<indent> {0,3})```(?P<language>[\w-]*)\s*$")
_NOTE = re.compile(r"<!-- test: (?P<text>.*?) -->")


@dataclass(frozen=True, slots=True)
class Note:
    """How a test treats a block."""

    options: str = ""
    background: bool = False
    long: bool = False
    reason_not_run: str | None = None
    file: str | None = None
    output: bool = False
    run: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced code block; ``line`` is that of its first line of content, from 1."""

    page: Path
    line: int
    language: str
    text: str
    note: Note = field(default_factory=Note)

    @property
    def place(self) -> str:
        """Page and line, as messages name them."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def read_note(text: str) -> Note:
    """The note of a comment's text. Raises ``ValueError`` for a word that means nothing."""
    known: dict[str, str | bool] = {}
    for part in (part.strip() for part in text.split(";")):
        word, _, rest = part.partition(" ")
        if word == "with" and rest:
            known["options"] = rest
        elif word in ("background", "long", "output", "run") and not rest:
            known[word] = True
        elif part.startswith("not run, "):
            known["reason_not_run"] = part.removeprefix("not run, ")
        elif word == "file" and rest:
            known["file"] = rest
        else:
            raise ValueError(f"a test note cannot say {part!r}")
    return Note(**known)  # type: ignore[arg-type]


def blocks(page: Path) -> Iterator[Block]:
    """The code blocks of a page, in order. Raises ``ValueError`` for one that never ends."""
    lines = page.read_text(encoding="utf-8").splitlines()
    position, note = 0, Note()
    while position < len(lines):
        line = lines[position]
        fence = _FENCE.match(line)
        if fence is None:
            found = _NOTE.search(line)
            if found is not None:
                note = read_note(found["text"])
            elif line.strip():
                note = Note()
            position += 1
            continue
        first = position + 1
        end = first
        while end < len(lines) and lines[end].strip() != "```":
            end += 1
        if end == len(lines):
            raise ValueError(f"{page}:{first}: the code block never ends")
        content = "\n".join(text.removeprefix(fence["indent"]) for text in lines[first:end])
        yield Block(page, first + 1, fence["language"], content, note)
        position, note = end + 1, Note()


def prose(page: Path) -> str:
    """A page without its code blocks and comments."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"^ {0,3}```.*?^ {0,3}```\s*$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


@dataclass(frozen=True, slots=True)
class Command:
    """A command that a page shows."""

    text: str
    place: str
    note: Note


def commands(page: Path) -> Iterator[Command]:
    """The commands of a page's ``sh`` blocks: one a line, ``\\`` goes on, comments left out."""
    for block in blocks(page):
        if block.language != "sh" or block.note.file is not None:
            continue
        begun = ""
        for offset, line in enumerate(block.text.splitlines()):
            begun += line.strip()
            if begun.endswith("\\"):
                begun = begun[:-1]
                continue
            text = re.sub(r"(^|\s)#.*$", "", begun).strip()
            begun = ""
            if text:
                place = f"{page.relative_to(ROOT)}:{block.line + offset}"
                yield Command(text, place, block.note)


def anchors(page: Path) -> set[str]:
    """What a link into a page may point at: its headings, as GitHub names them."""
    text = re.sub(
        r"^ {0,3}```.*?^ {0,3}```\s*$",
        "",
        page.read_text(encoding="utf-8"),
        flags=re.DOTALL | re.MULTILINE,
    )
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *$", text, flags=re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
        found.add(plain.replace(" ", "-"))
    return found


@dataclass(frozen=True, slots=True)
class MarkdownTable:
    """A table and the heading above it; cells as they are written."""

    heading: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(page: Path) -> Iterator[MarkdownTable]:
    """The tables of a page, in order."""
    heading = ""
    rows: list[tuple[str, ...]] = []
    for line in [*page.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if line.startswith("|"):
            rows.append(tuple(cell.strip() for cell in line.strip().strip("|").split(" | ")))
        elif rows:
            yield MarkdownTable(heading, rows[0], tuple(rows[2:]))
            rows = []
