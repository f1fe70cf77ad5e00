"""Reading a TOML file into a validated model, with errors that name the line and the right word.

``read_toml`` parses, ``validated`` turns pydantic's complaints into one ``UserInputError`` that
says the file, the line, what is wrong there and the nearest word that would be right.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from porimon.errors import UserInputError

Model = TypeVar("Model", bound=BaseModel)
KeyPath = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*[^\s=]+)*)\s*=""")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that ``word`` most likely meant, ``None`` if none is near."""
    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return found[0] if found else None


def read_toml(path: Path) -> tuple[dict[str, Any], str]:
    """Read and parse a TOML file: the data and the text it came from.

    Raises ``UserInputError`` where the file is missing, unreadable or not TOML.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserInputError("there is no such file", where=str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserInputError(f"the file cannot be read: {error}", where=str(path)) from error
    try:
        return tomllib.loads(text), text
    except tomllib.TOMLDecodeError as error:
        raise UserInputError(f"this is not TOML: {error}", where=str(path)) from error
    except RecursionError:
        raise UserInputError("values are nested too deep", where=str(path)) from None


def line_of(text: str, path: KeyPath) -> int | None:
    """The line (from 1) where the value at ``path`` is set, or the nearest enclosing one.

    ``path`` is as in pydantic's errors: table names, array positions, keys.
    """
    best: tuple[int, int] | None = None
    counts: dict[tuple[str, ...], int] = {}
    table: KeyPath = ()
    for number, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.match(line)
        if header:
            names = _split_key(header[2])
            if header[1] == "[[":
                counts[names] = counts.get(names, -1) + 1
                table = (*names, counts[names])
            else:
                table = names
                for prefix_length in range(len(names), 0, -1):
                    position = counts.get(names[:prefix_length])
                    if position is not None:
                        rest = names[prefix_length:]
                        table = (*names[:prefix_length], position, *rest)
                        break
            found: KeyPath = table
        elif key := _KEY.match(line):
            found = (*table, *_split_key(key[1]))
        else:
            continue
        depth = len(found)
        if found == path[:depth] and depth and (best is None or depth > best[0]):
            best = (depth, number)
    return best[1] if best else None


def place(path: Path | str, text: str, keys: KeyPath) -> str:
    """``file:line (key)`` for an error's ``where``."""
    line = line_of(text, keys)
    name = ".".join(str(key) for key in keys)
    at = f"{path}:{line}" if line is not None else str(path)
    return f"{at} ({name})" if name else at


def validated(model: type[Model], data: Mapping[str, Any], path: Path | str, text: str) -> Model:
    """``data`` as ``model``; raises ``UserInputError`` for the first thing that is wrong."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        keys: KeyPath = tuple(first["loc"])
        where = place(path, text, keys)
        if first["type"] == "extra_forbidden":
            known = _fields_at(model, keys[:-1])
            right = nearest(str(keys[-1]), known)
            hint = f"did you mean {right!r}?" if right else f"known here: {', '.join(known)}"
            raise UserInputError(
                f"there is no setting {str(keys[-1])!r}", where=where, remedy=hint
            ) from None
        remedy: str | None = None
        if first["type"] == "literal_error":
            allowed = re.findall(r"'([^']*)'", str(first.get("ctx", {}).get("expected", "")))
            right = nearest(str(first.get("input")), allowed)
            remedy = f"did you mean {right!r}?" if right else f"one of: {', '.join(allowed)}"
        given = repr(first.get("input"))
        shown = given if len(given) <= 60 else given[:57] + "…"
        problem = str(first["msg"]).removeprefix("Value error, ")
        raise UserInputError(f"{problem} (given: {shown})", where=where, remedy=remedy) from None


def _split_key(dotted: str) -> tuple[str, ...]:
    parts = re.findall(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""", dotted)
    return tuple(part.strip("\"'") for part in parts)


def _fields_at(model: type[BaseModel], keys: KeyPath) -> list[str]:
    current: type[BaseModel] | None = model
    for key in keys:
        if isinstance(key, int) or current is None:
            continue
        field = current.model_fields.get(key)
        if field is None:
            continue  # the name of an entry in a table of tables
        current = _model_in(field.annotation)
    return list(current.model_fields) if current else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _model_in(argument)
        if found is not None:
            return found
    return None
