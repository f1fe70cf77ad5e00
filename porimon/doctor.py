"""What Porimon needs of a machine, whether it is there, and the command that brings it."""

from __future__ import annotations

import os
import platform
import re
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata

from porimon.errors import PorimonError, UserInputError
from porimon.llm.local import INSTALL, find_smollm2
from porimon.llm.reach import reach
from porimon.llm.settings import ModelSettings, load_models
from porimon.showdown.node import find_node, find_npm, parts_missing, program_version

MINIMUM_PYTHON = (3, 11)
_INSTALL = "pip install porimon (in a checkout: pip install -e '.[dev]')"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked for.

    ``needed``: without it nothing can be played. ``found`` says what is there, never a key's value;
    ``remedy`` is the command that brings what is missing, ``None`` where nothing is.
    """

    name: str
    present: bool
    needed: bool
    found: str
    remedy: str | None = None


def examine_machine(environment: Mapping[str, str] | None = None) -> list[Check]:
    """Look for everything that Porimon uses on this machine; changes nothing."""
    known = os.environ if environment is None else environment
    return [
        _python(),
        *_packages(),
        _program("node", find_node),
        _npm(),
        _node_parts(),
        _loopback(),
        _local_model(),
        *_model_keys(known),
    ]


def examine_model(
    model: ModelSettings, environment: Mapping[str, str] | None = None
) -> list[Check]:
    """Look whether a language model can be asked: its key, its endpoints, its installation.

    Asks the endpoints (for their list of models, which costs nothing); blocks for some seconds
    where one does not answer.
    """
    name = f"language model {model.name}"
    if model.start == "smollm2":
        found = _local_model()
        return [Check(name, found.present, True, found.found, found.remedy)]
    if model.plugin is not None:
        return [_plugin(name, model.plugin)]
    if model.start is not None:
        return [Check(name, True, True, "started by the run itself")]
    return [
        Check(
            f"{name} at {each.base_url}",
            each.problem is None,
            True,
            each.found if each.problem is None else f"{each.problem} ({each.found})",
            each.remedy,
        )
        for each in reach(model, environment)
    ]


def _plugin(name: str, plugin: str) -> Check:
    from porimon.llm.plugin import ENTRY_POINT_GROUP, MEMBERS
    from porimon.plugins import load_plugin

    try:
        load_plugin(plugin, ENTRY_POINT_GROUP, MEMBERS, "model")
    except UserInputError as error:
        return Check(name, False, True, error.what, error.remedy)
    return Check(name, True, True, f"the class {plugin}")


def all_needed_present(checks: list[Check]) -> bool:
    """Whether a tournament can be played here (with the offline reader at least)."""
    return all(check.present for check in checks if check.needed)


def _python() -> Check:
    recent = sys.version_info[:2] >= MINIMUM_PYTHON
    wanted = ".".join(map(str, MINIMUM_PYTHON))
    return Check(
        "Python",
        recent,
        True,
        platform.python_version(),
        None if recent else f"install Python {wanted} or newer",
    )


def _packages() -> Iterator[Check]:
    try:
        requirements = metadata.requires("porimon") or []
    except metadata.PackageNotFoundError:
        yield Check("package porimon", False, True, "not installed", _INSTALL)
        return
    for requirement in requirements:
        extra = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", requirement)
        if extra is not None and extra[1] in ("dev", "local"):
            continue  # what `local` is for is looked for as a whole
        name = re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            command = f"pip install 'porimon[{extra[1]}]'" if extra else _INSTALL
            yield Check(f"package {name}", False, extra is None, "not installed", command)
        else:
            yield Check(f"package {name}", True, extra is None, version)


def _program(name: str, find: Callable[[], str], *, needed: bool = True) -> Check:
    try:
        path = find()
    except PorimonError as error:
        return Check(name, False, needed, error.what, error.remedy)
    return Check(name, True, needed, f"{program_version(path) or 'unknown version'} ({path})")


def _npm() -> Check:
    # Once the Node parts are set up, npm is not used any more.
    return _program("npm", find_npm, needed=bool(parts_missing()))


def _node_parts() -> Check:
    missing = parts_missing()
    if missing:
        found = f"not set up yet: {', '.join(missing)}"
        return Check("Node parts", False, True, found, "porimon setup")
    return Check("Node parts", True, True, "set up")


def _loopback() -> Check:
    try:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
    except OSError as error:
        remedy = "allow programs to listen on 127.0.0.1"
        return Check("free port on loopback", False, True, str(error), remedy)
    return Check("free port on loopback", True, True, f"for example {port}")


def _local_model() -> Check:
    """The small model that runs on this machine, with the packages that it needs."""
    try:
        find_smollm2()
    except PorimonError as error:
        return Check("local model smollm2", False, False, error.what, error.remedy or INSTALL)
    return Check("local model smollm2", True, False, "installed")


def _model_keys(environment: Mapping[str, str]) -> Iterator[Check]:
    """Whether the key of each shipped model is in the environment; only whether, never what."""
    names: dict[str, list[str]] = {}
    for model in load_models().values():
        if model.key_env is not None:
            names.setdefault(model.key_env, []).append(model.name)
    for variable, models in names.items():
        present = bool(environment.get(variable, "").strip())
        yield Check(
            f"key {variable}",
            present,
            False,
            f"{'set' if present else 'not set'}; used by {', '.join(models)}",
            None if present else f"export {variable}=…",
        )
