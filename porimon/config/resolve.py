"""From a name in a tournament file to a complete player: defaults, inheritance, suffixes, aliases.

The order, later wins: the package's defaults, the file's ``[defaults]``, the player's base, what
earlier stages found for it, its own ``[players.NAME]``, its suffixes (Porimon §III-B: "suffixes
override the corresponding inherited winner configuration").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from porimon.config.player import (
    LANGUAGE_MODEL_PLAYERS,
    PLAIN_PLAYERS,
    MemoryConfig,
    PlayerConfig,
    split_name,
)
from porimon.config.toml import nearest
from porimon.config.tournament import PlayerOverrides, Selection, Stage, TournamentSettings
from porimon.errors import UserInputError


@dataclass(frozen=True, slots=True)
class Found:
    """What the stages so far have found: settings by base name, and players by alias."""

    settings: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    aliases: Mapping[str, PlayerConfig] = field(default_factory=dict)

    def with_winner(self, selection: Selection, winner: PlayerConfig) -> Found:
        """These findings, and those of a stage that ``winner`` won."""
        values: dict[str, float] = {}
        if "window" in selection.settings:
            values["window"] = winner.window
        if "alpha" in selection.settings and winner.memory is not None:
            values["alpha"] = winner.memory.alpha
        settings = {name: dict(known) for name, known in self.settings.items()}
        for name in selection.passes_to:
            settings[name] = {**settings.get(name, {}), **values}
        aliases = dict(self.aliases)
        if selection.alias:
            aliases[selection.alias] = winner.model_copy(update={"name": selection.alias})
        return Found(settings, aliases)


def known_names(settings: TournamentSettings) -> list[str]:
    """Every name that a stage of this file may use, suffixes aside."""
    aliases = [s.selects.alias for s in settings.stages if s.selects and s.selects.alias]
    return [*PLAIN_PLAYERS, *LANGUAGE_MODEL_PLAYERS, *settings.players, *aliases]


def resolve_player(name: str, settings: TournamentSettings, found: Found) -> PlayerConfig:
    """The complete player that ``name`` stands for, given what earlier stages have found.

    Raises ``UserInputError`` for an unknown name, a suffix that the player cannot have, or an
    alias whose stage has not been played.
    """
    if name in found.aliases:
        return found.aliases[name]
    base, window, alpha = split_name(name)
    if base in found.aliases:
        return _with_suffixes(found.aliases[base], name, window, alpha)
    own = settings.players.get(name) or settings.players.get(base) or PlayerOverrides()
    root = own.base or base
    root_window: int | None = None
    root_alpha: float | None = None
    if root not in PLAIN_PLAYERS and root not in LANGUAGE_MODEL_PLAYERS and not own.plugin:
        root, root_window, root_alpha = split_name(root)
    if root not in PLAIN_PLAYERS and root not in LANGUAGE_MODEL_PLAYERS and not own.plugin:
        right = nearest(base, known_names(settings))
        raise UserInputError(
            f"there is no player {name!r}",
            remedy=f"did you mean {right!r}?"
            if right
            else f"known players: {', '.join(known_names(settings))}",
        )
    values: dict[str, Any] = {"name": name, "base": root}
    memory: dict[str, Any] = {}
    _lay(values, memory, settings.defaults)
    own_kind = dict(LANGUAGE_MODEL_PLAYERS.get(root, {}))
    kind_memory = own_kind.pop("memory", None)
    values.update(own_kind)
    if isinstance(kind_memory, MemoryConfig):
        memory = {**kind_memory.model_dump(), **memory}
        memory["retrieval"] = kind_memory.retrieval
    for source in (root, base):
        inherited = dict(found.settings.get(source, {}))
        if "alpha" in inherited:
            memory["alpha"] = inherited.pop("alpha")
        values.update(inherited)
    values.update({} if root_window is None else {"window": root_window})
    memory.update({} if root_alpha is None else {"alpha": root_alpha})
    _lay(values, memory, own)
    has_memory = kind_memory is not None or own.memory is not None
    values["memory"] = MemoryConfig(**memory) if has_memory else None
    asks = root in LANGUAGE_MODEL_PLAYERS
    if asks or own.plugin:
        values["llm"] = values.get("llm") or (settings.llm if asks else None)
    else:
        values["llm"] = None
    if "window" in values:
        values["window"] = int(values["window"])
    return _with_suffixes(PlayerConfig(**values), name, window, alpha)


def _lay(values: dict[str, Any], memory: dict[str, Any], overrides: PlayerOverrides) -> None:
    given = overrides.model_dump(exclude_none=True)
    given.pop("base", None)
    memory.update(given.pop("memory", {}))
    values.update(given)


def _with_suffixes(
    player: PlayerConfig, name: str, window: int | None, alpha: float | None
) -> PlayerConfig:
    update: dict[str, Any] = {"name": name}
    if window is not None:
        if player.llm is None:
            raise UserInputError(
                f"{name!r} has a suffix T, but {player.base!r} reads no log", where=name
            )
        update["window"] = window
    if alpha is not None:
        if player.memory is None:
            raise UserInputError(
                f"{name!r} has a suffix a, but {player.base!r} has no Long-Term KAG", where=name
            )
        update["memory"] = player.memory.model_copy(update={"alpha": alpha})
    return player.model_copy(update=update)


def depends_on(
    stage: Stage, earlier: tuple[Stage, ...], settings: TournamentSettings
) -> tuple[str, ...]:
    """The names of the earlier stages whose findings this stage inherits."""
    bases: set[str] = set()
    for name in stage.names():
        base = split_name(name)[0]
        own = settings.players.get(name) or settings.players.get(base)
        bases |= {name, base}
        if own is not None and own.base:
            bases |= {own.base, split_name(own.base)[0]}
    needed = []
    for other in earlier:
        if other.selects is None:
            continue
        touched = set(other.selects.passes_to)
        touched |= {other.selects.alias} if other.selects.alias else set()
        if touched & bases:
            needed.append(other.name)
    return tuple(needed)
