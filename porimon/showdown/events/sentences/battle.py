"""Sentences on a battle's beginning and end, and on the server's own remarks."""

from __future__ import annotations

import re

from porimon.showdown.events import model
from porimon.showdown.events.sentences.naming import clean_text, sentence
from porimon.showdown.events.sentences.scene import Scene, Silence

_LEFT = re.compile(r"(.*) (?:forfeited|lost (?:due to|because of) .*)\.", re.DOTALL)
_NATURAL_CURE = re.compile(r"\((\d+) of (.*)'s pokemon (?:was|were) cured by Natural Cure\.\)")


def win(event: model.Win, scene: Scene) -> str:
    """Who won, told by the side that the winner's name joined on."""
    side = scene.side_of_user(event.user_name)
    if side is None:
        return "The battle is over."
    return scene.names.winner(side)


def tie(event: model.Tie, scene: Scene) -> str:
    """A draw."""
    return "The battle ended in a tie."


def hint(event: model.Hint, scene: Scene) -> str | Silence:
    """The server's explanation of what just happened."""
    return sentence(f"({clean_text(event.text)})") if event.text else Silence.SPACING


def message(event: model.BattleMessage, scene: Scene) -> str | Silence:
    """A rule's message; user names in it give way to sides."""
    text = event.text
    if (left := _LEFT.fullmatch(text)) is not None:
        side = scene.side_of_user(left.group(1))
        if side is not None:
            return scene.names.forfeiter(side)
    if (cured := _NATURAL_CURE.fullmatch(text)) is not None:
        side = scene.side_of_user(cured.group(2))
        if side is not None:
            return sentence(
                f"Natural Cure healed the status of {cured.group(1)} Pokémon of "
                f"{scene.names.team(side)}"
            )
    return sentence(f"({clean_text(text)})") if text else Silence.SPACING
