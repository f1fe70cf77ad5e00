"""How sentences name things: one's own Pokémon bare, the other side's as "the opposing X"."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from porimon.showdown.events.model import Effect, PokemonIdent, SideRole

LONGEST_NAME = 24
"""Nicknames are the other player's text: no longer than this, and no brackets or line breaks."""

STATS = {
    "atk": "Attack",
    "def": "Defense",
    "spa": "Special Attack",
    "spd": "Special Defense",
    "spe": "Speed",
    "accuracy": "accuracy",
    "evasion": "evasiveness",
}

STATUSES = {
    "brn": "burn",
    "par": "paralysis",
    "slp": "sleep",
    "frz": "freeze",
    "psn": "poison",
    "tox": "bad poison",
    "confusion": "confusion",
}

AFFLICTED = {
    "brn": "burned",
    "par": "paralyzed",
    "slp": "asleep",
    "frz": "frozen",
    "psn": "poisoned",
    "tox": "badly poisoned",
}

# Where the protocol writes an id or a word of its own in place of a name.
_PLAIN_NAMES = {
    "stealeat": "the thief's appetite",
    "highjumpkick": "High Jump Kick",
    "jumpkick": "Jump Kick",
    "mindblown": "Mind Blown",
    "steelbeam": "Steel Beam",
    "deltastream": "the strong winds",
    "primordialsea": "the heavy rain",
    "desolateland": "the extremely harsh sunlight",
}


@dataclass(frozen=True, slots=True)
class Names:
    """Names as one player reads them. ``role`` is that player's side."""

    role: SideRole

    def own(self, side: SideRole) -> bool:
        """Whether this side's HP are told in points, and its Pokémon come in by choice."""
        return side == self.role

    def pokemon(self, ident: PokemonIdent) -> str:
        """``Rex``, or ``the opposing Rex``."""
        name = clean(ident.name)
        return name if ident.side == self.role else f"the opposing {name}"

    def owner(self, owner: PokemonIdent, pokemon: PokemonIdent | None) -> str:
        """``its`` where a Pokémon owns what concerns it, else ``the opposing Rex's``."""
        return "its" if owner == pokemon else f"{self.pokemon(owner)}'s"

    def side(self, side: SideRole) -> str:
        """``your side`` or ``the opposing side``."""
        return "your side" if side == self.role else "the opposing side"

    def team(self, side: SideRole) -> str:
        """``your team`` or ``the opposing team``."""
        return "your team" if side == self.role else "the opposing team"

    def winner(self, side: SideRole) -> str:
        """``You won the battle.``, or that you lost it."""
        return "You won the battle." if side == self.role else "You lost the battle."

    def forfeiter(self, side: SideRole) -> str:
        """``You forfeited.``, or that the opponent did."""
        return "You forfeited." if side == self.role else "The opponent forfeited."


@dataclass(frozen=True, slots=True)
class SpectatorNames(Names):
    """Names as a reader of both sides reads them: every Pokémon with its player's name.

    ``players`` are the names of p1 and p2. ``role`` only says whom the narrator follows.
    """

    players: tuple[str, str]

    def own(self, side: SideRole) -> bool:
        """True: a stored log tells both sides' HP in points."""
        return True

    def pokemon(self, ident: PokemonIdent) -> str:
        """``lt0's Rex``."""
        return f"{self._player(ident.side)}'s {clean(ident.name)}"

    def side(self, side: SideRole) -> str:
        """``lt0's side``."""
        return f"{self._player(side)}'s side"

    def team(self, side: SideRole) -> str:
        """``lt0's team``."""
        return f"{self._player(side)}'s team"

    def winner(self, side: SideRole) -> str:
        """``lt0 won the battle.``"""
        return f"{self._player(side)} won the battle."

    def forfeiter(self, side: SideRole) -> str:
        """``lt0 forfeited.``"""
        return f"{self._player(side)} forfeited."

    def _player(self, side: SideRole) -> str:
        return clean(self.players[0 if side == "p1" else 1])


@lru_cache(maxsize=4096)
def clean(name: str) -> str:
    """A nickname made safe to stand in prose: one line, no brackets, cut when it is long."""
    plain = " ".join("".join(" " if c in '[]{}<>|`"' else c for c in name).split())
    plain = "".join(c for c in plain if c.isprintable())
    return plain[:LONGEST_NAME].rstrip() or "(unnamed)"


def effect_name(effect: Effect) -> str:
    """An effect's name as people read it."""
    if effect.kind is None:
        plain = STATUSES.get(effect.name) or _PLAIN_NAMES.get(effect.id)
        if plain is not None:
            return plain
    return clean_text(effect.name)


def stat_name(stat: str) -> str:
    """``Special Attack`` for ``spa``; an unknown stat by its own word."""
    return STATS.get(stat, clean_text(stat))


def status_name(status: str) -> str:
    """``paralysis`` for ``par``; an unknown status by its own word."""
    return STATUSES.get(status, clean_text(status))


def clean_text(text: str) -> str:
    """Text of the server in one line, without the separator's brackets."""
    return " ".join(text.replace("[", "(").replace("]", ")").split())


def sentence(text: str) -> str:
    """``text`` with a capital where it begins with an article, and a full stop."""
    if text.startswith(("the ", "your ", "a ", "an ", "all ", "both ", "every ", "it ")):
        text = text[0].upper() + text[1:]
    ended = text.endswith((".", "!")) or text.startswith("(")
    return text if ended else f"{text}."
