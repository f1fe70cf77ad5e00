"""Takes login names out of a battle's lines, whatever the names are.

In battles of our own, names are made so that they occur nowhere else and can be replaced blindly.
Somebody else may be called "Ditto": here only the places are touched where the protocol puts a
user's name.
"""

from __future__ import annotations

import re

from porimon.showdown.arena_model import Role
from porimon.showdown.elsewhere.account import user_id

_SIDE = re.compile(r"(p[12]): .*")
_SIDE_TAGS = frozenset({"-sidestart", "-sideend"})


class PlayerNames:
    """Both players' names as the room tells them, by role."""

    def __init__(self) -> None:
        self.by_role: dict[Role, str] = {}

    def learn(self, line: str) -> None:
        """Take in a line; ``|player|p1|NAME|…`` tells a name."""
        parts = line.split("|")
        if parts[1:2] == ["player"] and len(parts) > 3 and parts[3] and parts[2] in ("p1", "p2"):
            self.by_role["p1" if parts[2] == "p1" else "p2"] = parts[3]

    def role_of(self, name: str) -> Role | None:
        """The role of a user; ``None`` where the room has not told it."""
        for role, known in self.by_role.items():
            if user_id(known) == user_id(name):
                return role
        return None

    def without(self, line: str) -> str:
        """A protocol line in which the players are called ``p1`` and ``p2``."""
        parts = line.split("|")
        tag = parts[1] if len(parts) > 1 else ""
        if tag == "win" and len(parts) > 2:
            return f"|win|{self.role_of(parts[2]) or parts[2]}"
        if tag in _SIDE_TAGS and len(parts) > 2 and (side := _SIDE.fullmatch(parts[2])):
            parts[2] = f"{side[1]}: {side[1]}"
            return "|".join(parts)
        if tag == "-message" and len(parts) > 2:
            for role, name in self.by_role.items():
                if parts[2].startswith(f"{name} "):
                    parts[2] = role + parts[2].removeprefix(name)
                    return "|".join(parts)
        return line
