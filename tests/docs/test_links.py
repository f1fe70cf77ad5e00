"""Links between pages, to files and to headings lead somewhere; every page can be reached."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.markdown import PAGES, ROOT, anchors, prose

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def links(page: Path) -> list[str]:
    return [link for link in _LINK.findall(prose(page)) if "://" not in link]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} leads nowhere"
        assert target.is_relative_to(ROOT), f"{link} leads out of the project"
        if anchor:
            assert anchor in anchors(target), f"{link}: known are {sorted(anchors(target))}"


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        waiting += [(page.parent / link.partition("#")[0]).resolve() for link in links(page)]
    assert not [str(page.relative_to(ROOT)) for page in PAGES if page not in seen]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_named_in_code_exist(page: Path) -> None:
    """Paths in backticks that begin with a folder of the project name something that is there."""
    folders = "porimon|docs|tests|configs|tournaments|examples|calc_api|showdown_server"
    for path in re.findall(rf"`((?:{folders})/[\w./*{{}},-]*)`", prose(page)):
        for each in _expanded(path):
            assert list(ROOT.glob(each.rstrip("/"))), f"{path} is not there"


def _expanded(path: str) -> list[str]:
    """``a/{b,c}`` as ``a/b`` and ``a/c``."""
    found = re.match(r"(.*)\{([^}]*)\}(.*)", path)
    if found is None:
        return [path]
    return [each for part in found[2].split(",") for each in _expanded(found[1] + part + found[3])]
