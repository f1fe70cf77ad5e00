"""What names mean in answers: the game's nicknames, and which words are names of something else."""

from __future__ import annotations

import gzip
import json
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from porimon.showdown.dex.store import dex

ALIASES_FILE = Path(__file__).parent / "aliases.json.gz"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Names beyond the labels of the legal orders, as Showdown ids.

    ``aliases`` maps a nickname to the id that it stands for (``eq`` to ``earthquake``). ``names``
    are ids of real moves and Pokémon: such a word is never taken for a misspelling of another.
    """

    aliases: Mapping[str, str] = field(default_factory=dict)
    names: Container[str] = frozenset()


EMPTY_LEXICON = Lexicon()
"""Knows no nickname and no other name."""


@lru_cache(maxsize=1)
def game_lexicon() -> Lexicon:
    """The lexicon of generation 8, read on first use.

    Nicknames are Showdown's own (``extract_aliases``).
    """
    aliases = json.loads(gzip.decompress(ALIASES_FILE.read_bytes()))
    data = dex()
    return Lexicon(aliases, frozenset(data.ids("moves")) | frozenset(data.ids("species")))
