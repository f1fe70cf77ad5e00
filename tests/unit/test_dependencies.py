"""What is installed is what was reviewed: the tables of ``docs/security.md`` against the locks."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from porimon.showdown.node import NPM_ARGUMENTS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
LOCKS = [ROOT / part / "package-lock.json" for part in ("showdown_server", "calc_api")]


def reviewed(heading: str) -> list[str]:
    """The packages of one table of the page."""
    table = PAGE.partition(heading)[2].partition("|---|---|\n")[2].partition("\n\n")[0]
    return [row.split("|")[1].strip() for row in table.splitlines()]


def locked(lock: Path) -> dict[str, dict[str, object]]:
    """Every package of a lock file by its place, without our own."""
    packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    return {place: package for place, package in packages.items() if place}


def test_every_node_package_that_is_installed_was_reviewed() -> None:
    installed = {
        place.rpartition("node_modules/")[2]
        for lock in LOCKS
        for place, package in locked(lock).items()
        if not package.get("optional")
    }
    assert reviewed("Node, all that is installed:") == sorted(installed)


def test_every_python_package_that_is_used_was_reviewed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.split(r"[<>=!~\[ ]", line)[0] for line in project["dependencies"]]
    assert reviewed("Python, directly used:") == sorted(names)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.parent.name)
def test_node_packages_have_checksums_and_exact_versions(lock: Path) -> None:
    for place, package in locked(lock).items():
        assert str(package["integrity"]).startswith("sha512-"), place
    wanted = json.loads((lock.parent / "package.json").read_text(encoding="utf-8"))
    for name, version in wanted["dependencies"].items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name


def test_no_install_script_is_run() -> None:
    assert {"ci", "--ignore-scripts", "--omit=optional"} <= set(NPM_ARGUMENTS)


def test_python_versions_are_pinned_for_every_installation() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert len(pins) > 30
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+]+", pin) for pin in pins)
    assert "--constraint constraints.txt" in (ROOT / "Makefile").read_text(encoding="utf-8")
