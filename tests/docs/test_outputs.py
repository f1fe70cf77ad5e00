"""Output that the pages show is what the commands print, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.markdown import PAGES, ROOT, Block, Note
from tests.docs.outputs import agrees, printed, shown_outputs


@pytest.mark.parametrize(
    ("shown", "output", "same"),
    [
        ("one\ntwo", "one\ntwo\n", True),
        ("one", "one\ntwo", False),
        ("one\n…\nfour", "one\ntwo\nthree\nfour", True),
        ("one\n…\nfour", "one\ntwo\nthree\nfour\nfive", False),
        ("one\n…\nfour\n…", "one\ntwo\nthree\nfour\nfive", True),
        ("…\nfour", "one\ntwo\nthree\nfour", True),
        ("four\n…\none", "one\ntwo\nthree\nfour", False),
    ],
)
def test_lines_may_be_left_out_but_not_changed(shown: str, output: str, same: bool) -> None:
    block = Block(ROOT / "README.md", 1, "text", shown, Note(output=True))
    assert agrees(block, output) == same


@pytest.mark.server
@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(shown_outputs(page))],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_shown_output_is_what_is_printed(page: Path, tmp_path: Path) -> None:
    for shown, output in printed(page, tmp_path):
        assert agrees(shown.block, output), (
            f"{shown.block.place} shows another output of `{shown.command.text}`; "
            f"python -m tests.docs.outputs writes it anew:\n{output}"
        )
