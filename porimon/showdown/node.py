"""Sets up the Node parts (Showdown server, calculator service) in the user's cache folder.

What is downloaded is kept by the hash of the lock file; the scripts themselves are copied beside it
by the hash of their content, so they are always those of the installed version of Porimon.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from porimon.errors import MachineSetupError
from porimon.paths import cache_folder, calc_api_source, showdown_server_source

MINIMUM_NODE = 20
"""The oldest major version of Node that the pinned server runs on."""

NPM_ARGUMENTS = ("ci", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund")
"""How packages are installed: exactly the lock file, no native builds, no scripts of others."""

NODE_REMEDY = f"install Node {MINIMUM_NODE} or newer with npm (https://nodejs.org)"

_INSTALL_DEADLINE_SECONDS = 900.0
_VERSION_DEADLINE_SECONDS = 30.0

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class NodeParts:
    """The Node parts, ready to run.

    ``showdown_server`` and ``calc_api`` are folders with the scripts and a ``node_modules``;
    ``node`` is the executable that runs them.
    """

    showdown_server: Path
    calc_api: Path
    node: str


def prepare_node_parts(progress: Progress | None = None) -> NodeParts:
    """Set up the Node parts unless they are there, and say where they are.

    ``progress`` gets one line for each step that takes time. Safe when several processes do it at
    once. Blocks (a minute at worst on the first run): call it in a thread from a coroutine. Raises
    ``MachineSetupError`` when Node or npm is missing or too old, or when npm fails.
    """
    node = find_node()
    return NodeParts(
        showdown_server=_prepare(showdown_server_source(), progress),
        calc_api=_prepare(calc_api_source(), progress),
        node=node,
    )


def find_node() -> str:
    """The path of a Node executable that is new enough; ``MachineSetupError`` without one."""
    node = shutil.which("node")
    if node is None:
        raise MachineSetupError("Node is not installed (no `node` on PATH)", remedy=NODE_REMEDY)
    version = program_version(node)
    major = re.match(r"v(\d+)\.", version or "")
    if major is None:
        raise MachineSetupError(
            f"`node --version` says {version!r}", where=node, remedy=NODE_REMEDY
        )
    if int(major[1]) < MINIMUM_NODE:
        raise MachineSetupError(
            f"Node {version} is too old: Porimon needs {MINIMUM_NODE} or newer",
            where=node,
            remedy=NODE_REMEDY,
        )
    return node


def find_npm() -> str:
    """The path of npm; ``MachineSetupError`` without one."""
    npm = shutil.which("npm")
    if npm is None:
        raise MachineSetupError("npm is not installed (no `npm` on PATH)", remedy=NODE_REMEDY)
    return npm


def program_version(program: str) -> str | None:
    """What ``program --version`` prints, ``None`` if it cannot be run."""
    try:
        done = subprocess.run(
            [program, "--version"],
            capture_output=True,
            text=True,
            timeout=_VERSION_DEADLINE_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def parts_missing() -> list[str]:
    """Names of the Node parts that ``prepare_node_parts`` would still have to download."""
    sources = (showdown_server_source(), calc_api_source())
    return [source.name for source in sources if not _modules_folder(source).exists()]


def _prepare(source: Path, progress: Progress | None) -> Path:
    """Bring one part's packages and scripts together in the cache; the folder that has both."""
    if not (source / "package-lock.json").is_file():
        raise MachineSetupError(
            f"the Node part {source.name!r} has no package-lock.json",
            where=str(source),
            remedy="install Porimon again: pip install --force-reinstall porimon",
        )
    modules = _modules_folder(source)
    if not modules.exists():
        with _only_one_process(modules.with_suffix(".lock")):
            if not modules.exists():  # another process may have done it while we waited
                _install_packages(source, modules, progress)
    scripts = _source_files(source)
    target = modules.parent / f"{source.name}-{_content_hash(source, scripts)}"
    if not target.exists():
        _copy_scripts(source, scripts, modules, target)
    return target


def _modules_folder(source: Path) -> Path:
    files = [source / "package.json", source / "package-lock.json"]
    name = f"{source.name}-packages-{_content_hash(source, files)}"
    return cache_folder() / "node" / name


def _source_files(source: Path) -> list[Path]:
    return sorted(
        path
        for path in source.rglob("*")
        if path.is_file() and "node_modules" not in path.relative_to(source).parts
    )


def _content_hash(folder: Path, files: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


@contextlib.contextmanager
def _built_aside(target: Path) -> Iterator[Path]:
    """A temporary folder beside ``target`` that becomes it at the end, all at once."""
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        yield aside
        aside.chmod(0o755)
        try:
            aside.rename(target)
        except OSError:
            if not target.exists():  # otherwise another process was faster with the same content
                raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


@contextlib.contextmanager
def _only_one_process(lock: Path) -> Iterator[None]:
    """Hold a file lock, so that a second process waits for the download instead of repeating it."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + _INSTALL_DEADLINE_SECONDS
    with lock.open("w") as handle:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise MachineSetupError(
                        "another process has been setting up the Node parts for too long",
                        where=str(lock),
                        remedy="stop it, then run: porimon setup",
                    ) from None
                time.sleep(0.2)
        yield


def _install_packages(source: Path, modules: Path, progress: Progress | None) -> None:
    npm = find_npm()
    command = [npm, *NPM_ARGUMENTS]
    shown = " ".join(["npm", *NPM_ARGUMENTS])
    if progress is not None:
        progress(f"Setting up {source.name} (once, about 10 s): {shown}")
    with _built_aside(modules) as aside:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(source / name, aside / name)
        try:
            done = subprocess.run(
                command,
                cwd=aside,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "NODE_ENV": "production"},
                timeout=_INSTALL_DEADLINE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise MachineSetupError(
                f"`{shown}` did not finish within {_INSTALL_DEADLINE_SECONDS:.0f} s",
                where=str(source),
                remedy="look at the network, then run: porimon setup",
            ) from error
        if done.returncode != 0:
            last_lines = "\n    ".join((done.stderr or done.stdout).strip().splitlines()[-8:])
            raise MachineSetupError(
                f"`{shown}` failed with exit code {done.returncode}:\n    {last_lines}",
                where=str(source),
                remedy="look at the network and npm's registry setting, then run: porimon setup",
            )


def _copy_scripts(source: Path, scripts: list[Path], modules: Path, target: Path) -> None:
    with _built_aside(target) as aside:
        for script in scripts:
            copy = aside / script.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(script, copy)
        (aside / "node_modules").symlink_to(modules / "node_modules", target_is_directory=True)
