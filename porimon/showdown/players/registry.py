"""From a player's configuration to the player: the project's own, and those of users.

A user's player is a class that is created with a ``PlayerContext`` and is a ``Player``. It comes
from a file (``PlayerConfig.plugin = "my_player.py:MyPlayer"``) or from an installed package that
offers it under the entry point group ``porimon.players``.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from porimon.config.player import LANGUAGE_MODEL_PLAYERS, PLAIN_PLAYERS, PlayerConfig
from porimon.errors import UserInputError
from porimon.plugins import load_plugin
from porimon.showdown.players.base import Player, PlayerContext
from porimon.showdown.players.language_model import LanguageModelPlayer
from porimon.showdown.players.plain import HeuristicPlayer, MaxPowerPlayer, RandomPlayer
from porimon.showdown.prompts.render import load_templates

ENTRY_POINT_GROUP = "porimon.players"
MEMBERS = ("choose", "finished", "finished_battle", "decisions")
"""What a player has (``porimon.showdown.players.base.Player``)."""
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


def plugin_factory(plugin: str) -> PlayerFactory:
    """The class that ``file.py:Class`` or the name of an entry point stands for.

    Raises ``UserInputError`` if there is none or it cannot be imported.
    """
    return load_plugin(plugin, ENTRY_POINT_GROUP, MEMBERS, "player")
