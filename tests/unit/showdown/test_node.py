"""Setting up the Node parts: clear errors, once for many processes, never half done."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from porimon.errors import MachineSetupError
from porimon.showdown import node
from porimon.showdown.node import find_node, parts_missing, prepare_node_parts

NPM = """#!/bin/sh
echo "$@" >> "$NPM_CALLS"
sleep 0.3
mkdir -p node_modules/some-package
echo done > node_modules/some-package/index.js
"""
FAILING_NPM = """#!/bin/sh
mkdir -p node_modules/half
echo "npm error code E404" >&2
exit 7
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with a Node and an npm of the test's making, and two small Node parts."""
    for name in ("showdown_server", "calc_api"):
        source = tmp_path / name
        source.mkdir()
        (source / "package.json").write_text(json.dumps({"name": name}))
        (source / "package-lock.json").write_text(json.dumps({"name": name, "packages": {}}))
        (source / "start.js").write_text("// first version\n")
        (source / "node_modules").mkdir()
        (source / "node_modules" / "left-over.js").write_text("// of the checkout\n")
        monkeypatch.setattr(node, f"{name}_source", lambda source=source: source)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("PORIMON_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NPM_CALLS", str(tmp_path / "npm-calls"))
    program(tmp_path, "node", "#!/bin/sh\necho v20.1.0\n")
    program(tmp_path, "npm", NPM)
    return tmp_path


def program(machine: Path, name: str, text: str) -> None:
    path = machine / "bin" / name
    path.write_text(text)
    path.chmod(0o755)


def test_parts_have_scripts_and_packages(machine: Path) -> None:
    lines: list[str] = []
    assert parts_missing() == ["showdown_server", "calc_api"]
    parts = prepare_node_parts(lines.append)
    assert parts_missing() == []
    for folder in (parts.showdown_server, parts.calc_api):
        assert (folder / "start.js").read_text() == "// first version\n"
        assert (folder / "node_modules" / "some-package" / "index.js").is_file()
        assert not (folder / "node_modules" / "left-over.js").exists()
    assert len(lines) == 2
    assert all("npm ci --omit=optional --ignore-scripts" in line for line in lines)
    again: list[str] = []
    assert prepare_node_parts(again.append) == parts
    assert again == []


def test_new_scripts_are_used_without_a_new_download(machine: Path) -> None:
    before = prepare_node_parts()
    (machine / "showdown_server" / "start.js").write_text("// second version\n")
    after = prepare_node_parts()
    assert (after.showdown_server / "start.js").read_text() == "// second version\n"
    assert (before.showdown_server / "start.js").read_text() == "// first version\n"
    assert after.calc_api == before.calc_api
    assert len((machine / "npm-calls").read_text().splitlines()) == 2


def test_a_new_lock_file_is_downloaded(machine: Path) -> None:
    prepare_node_parts()
    (machine / "calc_api" / "package-lock.json").write_text('{"packages": {"new": {}}}')
    assert parts_missing() == ["calc_api"]
    prepare_node_parts()
    assert len((machine / "npm-calls").read_text().splitlines()) == 3


def test_several_at_once_download_once(machine: Path) -> None:
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(prepare_node_parts())) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(found) == 4
    assert len(set(found)) == 1
    assert len((machine / "npm-calls").read_text().splitlines()) == 2


def test_a_failing_npm_is_quoted_and_leaves_nothing(machine: Path) -> None:
    program(machine, "npm", FAILING_NPM)
    with pytest.raises(MachineSetupError) as caught:
        prepare_node_parts()
    assert "npm ci --omit=optional --ignore-scripts" in str(caught.value)
    assert "exit code 7" in str(caught.value)
    assert "E404" in str(caught.value)
    assert "porimon setup" in str(caught.value)
    assert parts_missing() == ["showdown_server", "calc_api"]
    assert not [p for p in (machine / "cache" / "node").iterdir() if p.is_dir()]


def test_node_is_missing_old_or_odd(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(machine, "node", "#!/bin/sh\necho v18.19.0\n")
    with pytest.raises(MachineSetupError, match=r"v18\.19\.0 is too old"):
        find_node()
    program(machine, "node", "#!/bin/sh\necho something else\n")
    with pytest.raises(MachineSetupError, match="something else"):
        find_node()
    monkeypatch.setenv("PATH", str(machine))
    with pytest.raises(MachineSetupError, match="Node is not installed") as caught:
        prepare_node_parts()
    assert caught.value.exit_code == 3


def test_npm_is_missing(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (machine / "bin" / "npm").unlink()
    monkeypatch.setenv("PATH", str(machine / "bin"))
    monkeypatch.setattr(node, "find_node", lambda: "node")
    with pytest.raises(MachineSetupError, match="npm is not installed"):
        prepare_node_parts()


@pytest.mark.parametrize("part", ["showdown_server", "calc_api"])
def test_lock_files_pin_exactly_and_name_no_download_address(part: str) -> None:
    folder = Path(__file__).parents[3] / part
    wanted = json.loads((folder / "package.json").read_text())["dependencies"]
    assert wanted
    lock = json.loads((folder / "package-lock.json").read_text())
    for name, version in wanted.items():
        assert lock["packages"][f"node_modules/{name}"]["version"] == version
    for name, package in lock["packages"].items():
        assert "resolved" not in package
        assert not name or "integrity" in package, name
