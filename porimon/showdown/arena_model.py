"""What the arena and its choosers exchange: moments of decision, a battle's end, its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from poke_env.battle import Battle

Role = Literal["p1", "p2"]
Lines = Sequence[list[str]]
"""Protocol lines, each split at ``|``: ``|move|p1a: Ditto|…`` is ``["", "move", "p1a: Ditto", …]``.

Players are always called ``p1`` and ``p2`` in them, whatever their login names.
"""

FORFEIT = "forfeit"
"""What a chooser returns to give the battle up."""


class Picture(Protocol):
    """Gives poke-env's battle, brought up to the present when it is asked for."""

    @property
    def battle(self) -> Battle:
        """The same object each time."""
        ...


@dataclass(frozen=True, slots=True)
class DecisionMoment:
    """One question of the server to one player.

    ``turn`` is the battle's (0 before the first one). ``lines`` are what this player received since
    its previous moment (empty when the same question is put again). ``request`` is the server's
    request as parsed JSON. ``rejected`` is why the server refused the previous answer to this
    question, in its own words (``[Unavailable choice] Can't switch: …``), ``None`` for a first try.
    After an ``[Unavailable choice]`` the request is an updated one.
    """

    picture: Picture
    role: Role
    turn: int
    lines: Lines
    request: Mapping[str, Any]
    rejected: str | None = None

    @property
    def battle(self) -> Battle:
        """poke-env's battle, with all of ``lines`` and ``request`` taken in."""
        return self.picture.battle


@dataclass(frozen=True, slots=True)
class BattleEnding:
    """What a chooser is told when its battle has ended: the last lines, and the final picture."""

    picture: Picture
    role: Role
    lines: Lines
    winner: Role | None

    @property
    def battle(self) -> Battle:
        """poke-env's battle as it ended."""
        return self.picture.battle


class Chooser(Protocol):
    """Whoever decides for one side of one battle."""

    async def choose(self, moment: DecisionMoment) -> str:
        """The answer, as the server's ``/choose`` takes it: ``move 2``, ``switch 4``.

        The message of a poke-env order (``/choose move thunderbolt``) will do, too; ``forfeit``
        gives the battle up. An exception ends the battle and comes out of ``Arena.play``.
        """
        ...

    async def finished(self, ending: BattleEnding) -> None:
        """Called once when the battle has ended in a regular way."""
        ...


EndReason = Literal["normal", "forfeit", "tie", "turn_limit"]


@dataclass(frozen=True, slots=True)
class PlayedBattle:
    """A battle that was played to its end.

    ``winner`` is ``None`` for a tie. ``log`` is the whole protocol log as a spectator who sees
    both sides gets it, ``player_logs`` what each player saw; both without timestamps and chat, the
    players named ``p1`` and ``p2``: the same seed and decisions give the same text. ``choices`` is
    the simulator's input (seed, teams, every choice in order), enough to simulate it again; empty
    where the server did not give it. ``notes`` holds marks such as ``unseeded``.
    """

    winner: Role | None
    turns: int
    end_reason: EndReason
    log: str
    player_logs: dict[Role, str]
    choices: tuple[str, ...]
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
