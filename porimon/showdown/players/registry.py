"""From a player's configuration to the player: the project's own, and those of users.

A user's player is a class that is created with a ``PlayerContext`` and is a ``Player``. It comes
from a file (``PlayerConfig.plugin = "my_player.py:MyPlayer"``) or from an installed package that
offers it under the entry point group ``porimon.players``.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Callable
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from porimon.config.player import LANGUAGE_MODEL_PLAYERS, PLAIN_PLAYERS, PlayerConfig
from porimon.errors import UserInputError
from porimon.showdown.players.base import Player, PlayerContext
from porimon.showdown.players.language_model import LanguageModelPlayer
from porimon.showdown.players.plain import HeuristicPlayer, MaxPowerPlayer, RandomPlayer
from porimon.showdown.prompts.render import load_templates

ENTRY_POINT_GROUP = "porimon.players"
PlayerFactory = Callable[[PlayerContext], Player]

_PLAIN: dict[str, PlayerFactory] = {
    "h": HeuristicPlayer,
    "random": RandomPlayer,
    "max-power": MaxPowerPlayer,
}


def player_factory(config: PlayerConfig) -> PlayerFactory:
    """What creates this player for a battle.

    Raises ``UserInputError`` for an unknown base name, and for a plugin or templates that cannot be
    loaded: call it before the first battle.
    """
    if config.plugin is not None:
        return plugin_factory(config.plugin)
    if config.base in _PLAIN:
        return _PLAIN[config.base]
    if config.base in LANGUAGE_MODEL_PLAYERS:
        # Compiled once and kept: a template that cannot be used shows before the first battle.
        load_templates(config.style, config.prompts)
        return LanguageModelPlayer
    known = [*PLAIN_PLAYERS, *LANGUAGE_MODEL_PLAYERS]
    near = get_close_matches(config.base, known, n=1)
    raise UserInputError(
        f"there is no player {config.base!r}",
        where=config.name,
        remedy=f"did you mean {near[0]!r}?" if near else f"players: {', '.join(known)}",
    )


def create_player(context: PlayerContext) -> Player:
    """The player of a seat for one battle."""
    return player_factory(context.config)(context)


@lru_cache(maxsize=64)
def plugin_factory(plugin: str) -> PlayerFactory:
    """The class that ``file.py:Class`` or the name of an entry point stands for.

    Raises ``UserInputError`` if there is none or it cannot be imported.
    """
    path, colon, name = plugin.rpartition(":")
    if colon and path.endswith(".py"):
        return _from_file(Path(path).expanduser(), name, plugin)
    found = importlib.metadata.entry_points(group=ENTRY_POINT_GROUP)
    for entry in found:
        if entry.name == plugin:
            return _loaded(entry.load, plugin)
    offered = ", ".join(sorted(entry.name for entry in found)) or "none is installed"
    raise UserInputError(
        f"there is no player plugin {plugin!r}",
        remedy=f"give file.py:Class, or an entry point of {ENTRY_POINT_GROUP} ({offered})",
    )


def _from_file(path: Path, name: str, plugin: str) -> PlayerFactory:
    if not path.is_file():
        raise UserInputError("the file of the player plugin does not exist", where=str(path))

    def load() -> object:
        spec = importlib.util.spec_from_file_location(f"porimon_plugin_{path.stem}", path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{path} is not a Python file")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return getattr(module, name)

    return _loaded(load, plugin)


def _loaded(load: Callable[[], object], plugin: str) -> PlayerFactory:
    try:
        found = load()
    except Exception as error:  # a user's module may raise anything while it is imported
        raise UserInputError(
            f"the player plugin cannot be loaded: {type(error).__name__}: {error}", where=plugin
        ) from error
    lacking = [
        needed
        for needed in ("choose", "finished", "finished_battle", "decisions")
        if not hasattr(found, needed)
    ]
    if not callable(found) or lacking:
        raise UserInputError(
            f"the player plugin lacks {', '.join(lacking) or 'a class'}",
            where=plugin,
            remedy="see porimon.showdown.players.base.Player for what a player has",
        )
    return found
