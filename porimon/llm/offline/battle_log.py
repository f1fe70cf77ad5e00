"""What happened in a battle, counted from the sentences of its log.

Understands sentences such as "The opposing Rex used Fire Blast." and "Rex lost 40% of its HP; 60%
left."; whatever reads otherwise is passed over.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

Name = tuple[bool, str]
"""A Pokémon of the log: whether it is the opponent's, and its name."""

_SENTENCE_END = re.compile(r"(?<!Mr\.)(?<!Jr\.)(?<=[.!])\s+|\n+|\s*\[sep\]\s*")
_TURN_LABEL = re.compile(r"^(?:Turn \d+|Start)(?: \(continued\))?:\s*")
_TURN_BEGINS = re.compile(r"(?=\bTurn \d+(?: \(continued\))?:)")
_OPPOSING = "the opposing "
_USED = re.compile(r"^(?P<who>.+?) used (?P<move>[^,(]+?)(?: \(.*|, .*)?$")
_LOST = re.compile(
    r"^(?P<who>.+?) lost (?:less than )?(?P<share>\d+)%(?: \([^)]*\))? of its HP(?P<why>[^;]*)"
)
_FAINTED = re.compile(r"^(?P<who>.+?) fainted$")


@dataclass(slots=True)
class BattleDigest:
    """Counts from a log. Damage in percent of the target's HP.

    ``faints`` are (fainted, the attacker and move that did it, or ``None`` and the cause).
    """

    damage_by_move: Counter[tuple[Name, str]] = field(default_factory=Counter)
    damage_by: Counter[Name] = field(default_factory=Counter)
    damage_to: Counter[Name] = field(default_factory=Counter)
    moves_used: Counter[tuple[Name, str]] = field(default_factory=Counter)
    faints: list[tuple[Name, Name | None, str]] = field(default_factory=list)

    def faints_by(self, attacker: Name) -> int:
        """How many opposing Pokémon this one made faint."""
        return sum(by == attacker for _, by, _ in self.faints)

    def fell(self, pokemon: Name) -> bool:
        """Whether this one fainted."""
        return any(fallen == pokemon for fallen, _, _ in self.faints)


def read_log(log: str) -> BattleDigest:
    """Count what the sentences of a log tell, in order."""
    digest = BattleDigest()
    attack: tuple[Name, str] | None = None
    last_cause: dict[Name, tuple[Name | None, str]] = {}
    for raw in _SENTENCE_END.split(log):
        text = _TURN_LABEL.sub("", raw.strip()).rstrip(".!")
        if used := _USED.match(text):
            attack = (_name(used["who"]), used["move"].strip())
            digest.moves_used[attack] += 1
        elif lost := _LOST.match(text):
            target, share = _name(lost["who"]), int(lost["share"])
            digest.damage_to[target] += share
            why = lost["why"].strip()
            if why or attack is None or attack[0][0] == target[0]:
                last_cause[target] = (None, why or "something else")
            else:
                digest.damage_by_move[attack] += share
                digest.damage_by[attack[0]] += share
                last_cause[target] = attack
        elif fainted := _FAINTED.match(text):
            fallen = _name(fainted["who"])
            by, how = last_cause.get(fallen, (None, "something else"))
            digest.faints.append((fallen, by, how))
    return digest


@lru_cache(maxsize=16)  # every option of a prompt looks at the same log
def last_turns(log: str, count: int) -> str:
    """The end of a log: its last ``count`` turns, the one that has begun included."""
    turns = _TURN_BEGINS.split(log)
    return "".join(turns[-count:])


def _name(words: str) -> Name:
    words = words.strip()
    if words.lower().startswith(_OPPOSING):
        return True, words[len(_OPPOSING) :]
    return False, words
