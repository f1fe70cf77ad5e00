"""Makes battle logs repeatable: what depends on the clock, the room or login names is taken out.

The same functions serve the server's log and the simulator's, so that both can be compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from porimon.showdown.arena_model import Role

Names = Mapping[str, Role]
"""Login name → the role under which the player appears in logs."""

ROOM_TAGS = frozenset(
    {
        "t:",
        "j",
        "J",
        "l",
        "L",
        "n",
        "N",
        "c",
        "c:",
        "b",
        "raw",
        "html",
        "uhtml",
        "uhtmlchange",
        "title",
        "init",
        "deinit",
        "noinit",
        "inactive",
        "inactiveoff",
        "expire",
        "tempnotify",
        "tempnotifyoff",
        "sentchoice",
        "debug",
        "request",
        "error",
    }
)
"""Kinds of lines that belong to the chat room, the clock or one player's client."""


def clean_line(line: str, names: Names) -> str | None:
    """A protocol line without what may differ between two plays of the same battle.

    ``None`` for a line that belongs to the room (chat, joins, clock). Login names become ``p1`` and
    ``p2``; avatars and ratings are dropped.
    """
    if not line.startswith("|"):
        return None
    end = line.find("|", 1)
    tag = line[1:end] if end > 0 else line[1:]
    if tag in ROOM_TAGS:
        return None
    if tag == "player":
        parts = line.split("|")
        # |player|p1|NAME|AVATAR|RATING; without a name where a player has left.
        return f"|player|{parts[2]}|{parts[2]}||" if len(parts) > 3 and parts[3] else None
    # Names stand in more places than one would think: |-sidestart|p2: NAME|move: Spikes. Login
    # names are made so that they occur nowhere else and none begins another.
    for name, role in names.items():
        if name in line:
            line = line.replace(name, role)
    return line


def clean_log(lines: Iterable[str], names: Names) -> str:
    """The lines of a log, cleaned and joined; without a newline at the end."""
    kept = (clean_line(line, names) for line in lines)
    return "\n".join(line for line in kept if line is not None).strip("\n")


def clean_choices(lines: Iterable[str]) -> tuple[str, ...]:
    """The simulator's input log without login names, avatars and the server's version."""
    return tuple(_clean_choice(line) for line in lines if not line.startswith(">version"))


def _clean_choice(line: str) -> str:
    if not line.startswith(">player "):
        return line
    command, role, options = line.split(" ", 2)
    player = json.loads(options) | {"name": role, "avatar": ""}
    return f"{command} {role} {json.dumps(player, ensure_ascii=False, separators=(',', ':'))}"
