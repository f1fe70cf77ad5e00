"""From a tournament's TOML file, and what the command line changes in it, to checked settings."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porimon.config.player import PlayerConfig
from porimon.config.resolve import Found, resolve_player
from porimon.config.toml import KeyPath, line_of, place, read_toml, validated
from porimon.config.tournament import Stage, TournamentSettings
from porimon.errors import UserInputError
from porimon.plugins import anchored

_MOST_FILES = 8


@dataclass(frozen=True, slots=True)
class TournamentFile:
    """Checked settings, and every player as far as it is known before anything is played.

    ``players`` holds, for each stage and name, the complete player; where a stage still has to
    find something, its first player stands in for the winner.
    """

    path: Path
    settings: TournamentSettings
    players: dict[tuple[str, str], PlayerConfig]


def load_tournament(path: Path, changes: Sequence[str] = ()) -> TournamentFile:
    """Read a tournament file, apply ``KEY=VALUE`` changes, check all of it.

    A file may say ``extends = "other.toml"`` (beside it): its own keys then replace the other's,
    top level by top level. Raises ``UserInputError`` with file, line, what is wrong there and the
    nearest right word.
    """
    data, text, base = _read_with_bases(path)
    for change in changes:
        _apply(data, change)
    where = path
    try:
        settings = validated(TournamentSettings, data, where, text)
    except UserInputError as error:
        raise _located_in_changes(_located_in_base(error, path, text, base), changes) from None
    players = _resolve_all(settings, path, text, base)
    _check_chains(settings, path, text)
    return TournamentFile(path, settings, players)


def _read_with_bases(path: Path) -> tuple[dict[str, Any], str, tuple[Path, str] | None]:
    data, text = read_toml(path)
    _anchor(data, path.parent)
    base: tuple[Path, str] | None = None
    seen = [path.resolve()]
    current, extends = path, data.pop("extends", None)
    while extends is not None:
        if not isinstance(extends, str):
            raise UserInputError("`extends` is not a file's name", where=place(path, text, ()))
        current = current.parent / extends
        if current.resolve() in seen or len(seen) > _MOST_FILES:
            raise UserInputError("files extend each other in a circle", where=str(path))
        seen.append(current.resolve())
        other, other_text = read_toml(current)
        _anchor(other, current.parent)
        extends = other.pop("extends", None)
        if base is None:
            base = (current, other_text)
        if "round_robin" in data or "stages" in data:
            other.pop("round_robin", None)
            other.pop("stages", None)
        data = {**other, **data}
    return data, text, base


def _anchor(data: dict[str, Any], folder: Path) -> None:
    """Find plugins and prompts beside the file that names them, wherever the run is started."""
    players = data.get("players")
    tables = [data.get("defaults"), *(players.values() if isinstance(players, dict) else ())]
    for table in tables:
        if not isinstance(table, dict):
            continue  # the check of the settings says what is wrong
        if isinstance(table.get("plugin"), str):
            table["plugin"] = anchored(table["plugin"], folder)
        if isinstance(table.get("prompts"), str):
            table["prompts"] = str((folder / Path(table["prompts"]).expanduser()).resolve())


def _apply(data: dict[str, Any], change: str) -> None:
    key, equals, value = change.partition("=")
    if not equals or not key.strip():
        raise UserInputError(
            f"{change!r} is no change", where="--set", remedy="write --set battles=20"
        )
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value.strip()
    table = data
    *parents, last = key.strip().split(".")
    for parent in parents:
        table = table.setdefault(parent, {})
        if not isinstance(table, dict):
            raise UserInputError(f"{parent!r} in {key!r} is no table", where="--set")
    table[last] = parsed


def _located_in_changes(error: UserInputError, changes: Sequence[str]) -> UserInputError:
    # What the user typed last is the mistake, rather than a file that may not name the key at all.
    for change in changes:
        key = change.partition("=")[0].strip()
        if error.where is not None and error.where.endswith(f"({key})"):
            return UserInputError(error.what, where=f"--set {change}", remedy=error.remedy)
    return error


def _located_in_base(
    error: UserInputError, path: Path, text: str, base: tuple[Path, str] | None
) -> UserInputError:
    # The mistake may stand in the file that is extended: name that one's line then.
    if base is None or error.where is None or f"{path}:" in error.where:
        return error
    keys: KeyPath = tuple(
        int(part) if part.isdigit() else part
        for part in error.where.partition("(")[2].rstrip(")").split(".")
    )
    if line_of(base[1], keys) is None:
        return error
    return UserInputError(error.what, where=place(base[0], base[1], keys), remedy=error.remedy)


def _resolve_all(
    settings: TournamentSettings, path: Path, text: str, base: tuple[Path, str] | None
) -> dict[tuple[str, str], PlayerConfig]:
    found = Found()
    players: dict[tuple[str, str], PlayerConfig] = {}
    for position, stage in enumerate(settings.stages):
        for name in stage.names():
            try:
                players[stage.name, name] = resolve_player(name, settings, found)
            except UserInputError as error:
                where = _place_of_stage(stage, position, path, text, base)
                raise UserInputError(error.what, where=where, remedy=error.remedy) from None
        if stage.selects is not None:
            found = found.with_winner(stage.selects, players[stage.name, stage.players[0]])
    return players


def _place_of_stage(
    stage: Stage, position: int, path: Path, text: str, base: tuple[Path, str] | None
) -> str:
    key = "pairs" if stage.schedule == "pairs" else "players"
    keys: KeyPath = ("stages", position, key)
    if line_of(text, keys) is None and line_of(text, ("round_robin",)) is not None:
        return place(path, text, ("round_robin",))
    if line_of(text, keys) is None and base is not None:
        return place(base[0], base[1], keys)
    return place(path, text, keys)


def _check_chains(settings: TournamentSettings, path: Path, text: str) -> None:
    names = {name for stage in settings.stages for name in stage.names()}
    for title, chain in settings.contrasts.items():
        for name in chain:
            if name not in names:
                raise UserInputError(
                    f"the contrast {title!r} names {name!r}, which plays in no stage",
                    where=place(path, text, ("contrasts", title)),
                    remedy=f"players: {', '.join(sorted(names))}",
                )
        if len(chain) < 2:
            raise UserInputError(
                f"the contrast {title!r} needs at least two players",
                where=place(path, text, ("contrasts", title)),
            )
