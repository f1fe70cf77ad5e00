"""What of our environment the Node programs inherit: what they need to run, never a key."""

from __future__ import annotations

import os
from collections.abc import Mapping

_NAMES = frozenset(
    {"PATH", "HOME", "USER", "LANG", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH"}
)
_BEGINNINGS = ("LC_", "NODE_", "XDG_")


def child_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables that a Node program gets.

    A list of what is let through, not of what is held back: a user may keep a key in a variable of
    any name.
    """
    given = os.environ if environment is None else environment
    return {
        name: value
        for name, value in given.items()
        if name in _NAMES or name.startswith(_BEGINNINGS)
    }
