"""The rooms of the package: which may import which (a rule that keeps a second game possible)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import porimon

PACKAGE = Path(porimon.__file__).parent
GAME_FREE_ROOMS = ("llm", "memory", "tournament", "stats", "report", "config")


def imported_modules(source: Path) -> set[str]:
    """Every module that a file imports, wherever in the file, as dotted names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{source}: relative import"
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("room", GAME_FREE_ROOMS)
def test_game_free_rooms_know_nothing_of_showdown(room: str) -> None:
    files = sorted((PACKAGE / room).rglob("*.py"))
    assert files
    for file in files:
        for module in imported_modules(file):
            assert not module.startswith("porimon.showdown"), f"{file} imports {module}"
            assert not module.startswith("poke_env"), f"{file} imports {module}"


def test_only_the_command_line_is_imported_by_nobody() -> None:
    for file in sorted(PACKAGE.rglob("*.py")):
        if (PACKAGE / "cli") in file.parents or file.name == "__main__.py":
            continue
        for module in imported_modules(file):
            assert not module.startswith("porimon.cli"), f"{file} imports {module}"
