"""CONTRIBUTING.md gives a reason for every dependency, and names modules that are there."""

from __future__ import annotations

import importlib.util
import re
import tomllib

from tests.docs.markdown import ROOT, commands, tables

PAGE = ROOT / "CONTRIBUTING.md"


def test_every_dependency_has_a_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"]]
    for packages in project["optional-dependencies"].values():
        needed += packages
    text = PAGE.read_text(encoding="utf-8")
    names = {re.split(r"[^A-Za-z0-9._-]", requirement)[0] for requirement in needed}
    lacking = {name for name in names if not re.search(rf"\b{re.escape(name)}\b", text)}
    assert not lacking


def test_every_folder_of_tests_is_described() -> None:
    (described,) = [table for table in tables(PAGE) if table.header[0] == "folder"]
    named = {row[0].strip("`") for row in described.rows}
    folders = {
        f"tests/{path.name}/"
        for path in (ROOT / "tests").iterdir()
        if path.is_dir() and path.name != "__pycache__"
    }
    assert named == folders


def test_every_room_of_the_package_is_on_the_map() -> None:
    text = PAGE.read_text(encoding="utf-8") + (ROOT / "docs" / "concepts.md").read_text("utf-8")
    for room in (ROOT / "porimon").iterdir():
        if (room / "__init__.py").exists():
            assert f"`porimon/{room.name}/`" in text, room.name


def test_every_node_package_is_named() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in ("pokemon-showdown", "@smogon/calc"):
        assert f"`{name}`" in text


def test_modules_that_are_to_be_run_are_there() -> None:
    modules = re.findall(r"python -m ([\w.]+)", PAGE.read_text(encoding="utf-8"))
    assert len(modules) >= 4
    for module in modules:
        assert importlib.util.find_spec(module) is not None, module


def test_every_make_target_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, flags=re.MULTILINE))
    shown = {
        command.text.split()[1] for command in commands(PAGE) if command.text.startswith("make ")
    }
    assert shown
    assert shown <= targets
