"""Starts a battle by a challenge between two users: the way on servers without our plugin."""

from __future__ import annotations

from porimon.errors import UserInputError
from porimon.showdown.connection import Connection


async def start_by_challenge(challenger: Connection, challenged: Connection, format_: str) -> str:
    """Let one user challenge the other, who accepts; the battle's room.

    The challenger becomes p1. Teams and dice are the server's own. Raises ``UserInputError`` when
    the server refuses the format. The caller sets the deadline.
    """
    for connection in (challenger, challenged):
        await connection.send("/utm null")
    await challenger.send(f"/challenge {challenged.name}, {format_}")
    while True:
        message = await challenger.receive_global()
        if message.startswith("|popup|"):
            raise UserInputError(
                f"the server refuses the challenge: {message.removeprefix('|popup|')[:300]}",
                where=format_,
            )
        # |pm| CHALLENGER| CHALLENGED|/challenge FORMAT|…: the challenge stands.
        if message.startswith("|pm|") and "|/challenge " in message:
            break
    await challenged.send(f"/accept {challenger.name}")
    return await challenger.next_new_room()
