"""Showdown ids: how the game spells every name without case, spaces, accents and punctuation."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_NOT_IN_IDS = re.compile(r"[^a-z0-9]+")


# A decision asks for hundreds of ids of the same few names.
@lru_cache(maxsize=8192)
def to_id(name: str) -> str:
    """The Showdown id of a name: ``to_id("Flabébé")`` is ``flabebe``, ``"U-turn"`` ``uturn``."""
    plain = unicodedata.normalize("NFKD", name)
    return _NOT_IN_IDS.sub("", plain.lower())
