"""Classes of users: from a file (``my_player.py:MyPlayer``) or an installed package's entry point.

Entry points belong to a group, such as ``porimon.players``. Loading runs the user's code, so it
happens only for what a file of the user names.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from porimon.errors import UserInputError


def anchored(plugin: str, folder: Path) -> str:
    """A plugin that a file in ``folder`` names: a path becomes absolute, a name stays as it is."""
    parts = _file_and_class(plugin)
    if parts is None:
        return plugin
    path, name = parts
    return f"{(folder / path.expanduser()).resolve()}:{name}"


@lru_cache(maxsize=64)
def load_plugin(plugin: str, group: str, members: Sequence[str], kind: str) -> Callable[..., Any]:
    """The class that ``file.py:Class`` or the name of an entry point of ``group`` stands for.

    ``members`` are what it must have, ``kind`` is the word for it in messages ("player"). Raises
    ``UserInputError`` if there is none, it cannot be imported, or it lacks something.
    """
    parts = _file_and_class(plugin)
    if parts is not None:
        path, name = parts
        if not path.expanduser().is_file():
            raise UserInputError(f"the file of the {kind} plugin does not exist", where=str(path))
        return _checked(lambda: _from_file(path.expanduser(), name), plugin, members, kind)
    entry = _entry_point(plugin, group, kind)
    return _checked(entry.load, plugin, members, kind)


def plugin_version(plugin: str, group: str, kind: str) -> str:
    """What changes when the plugin's code does: hash of its file, or its package's version."""
    parts = _file_and_class(plugin)
    if parts is not None:
        path, name = parts
        try:
            content = path.expanduser().read_bytes()
        except OSError as error:
            raise UserInputError(
                f"the file of the {kind} plugin cannot be read: {error.strerror}", where=str(path)
            ) from error
        return f"{path.name}:{name} {hashlib.sha256(content).hexdigest()[:16]}"
    package = _entry_point(plugin, group, kind).dist
    return f"{plugin} of {package.name} {package.version}" if package is not None else plugin


def _file_and_class(plugin: str) -> tuple[Path, str] | None:
    path, colon, name = plugin.rpartition(":")
    return (Path(path), name) if colon and path.endswith(".py") else None


def _entry_point(plugin: str, group: str, kind: str) -> importlib.metadata.EntryPoint:
    found = importlib.metadata.entry_points(group=group)
    for entry in found:
        if entry.name == plugin:
            return entry
    offered = ", ".join(sorted(entry.name for entry in found)) or "none is installed"
    raise UserInputError(
        f"there is no {kind} plugin {plugin!r}",
        remedy=f"give file.py:Class, or an entry point of {group} ({offered})",
    )


def _from_file(path: Path, name: str) -> object:
    spec = importlib.util.spec_from_file_location(f"porimon_plugin_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def _checked(
    load: Callable[[], object], plugin: str, members: Sequence[str], kind: str
) -> Callable[..., Any]:
    try:
        found = load()
    except Exception as error:  # a user's module may raise anything while it is imported
        raise UserInputError(
            f"the {kind} plugin cannot be loaded: {type(error).__name__}: {error}", where=plugin
        ) from error
    lacking = [member for member in members if not hasattr(found, member)]
    if not callable(found) or lacking:
        raise UserInputError(
            f"the {kind} plugin lacks {', '.join(lacking) or 'a class'}",
            where=plugin,
            remedy=f"the class needs {', '.join(members)}; examples/ of the source has one",
        )
    return found
