"""The reader's reflection after a battle: a summary, lessons and importance, counted from the log.

It says what a count can say: who made whom faint, what did most damage, what the opponent's
dangerous Pokémon were. The lessons keep to the wordings that the reader itself can use later.
"""

from __future__ import annotations

import json
import re
from typing import Any

from porimon.llm.model import AnswerFormat
from porimon.llm.offline.battle_log import BattleDigest, Name, read_log

MOST_LESSONS = 6
HIGHEST_IMPORTANCE = 10
FAINT_POINTS = 3.0
DAMAGE_PER_POINT = 40.0
"""Percent of HP taken that count as one point of importance."""

_FENCE = re.compile(r"<<<(.*?)>>>", re.DOTALL)


def asks_to_reflect(asked: str) -> bool:
    """Whether a prompt asks for a reflection rather than for an order."""
    plain = _FENCE.sub("", asked)
    return '"importance"' in plain and '"summary"' in plain


def reflect(asked: str, answer_format: AnswerFormat) -> str:
    """The reflection as JSON: ``summary``, ``lessons``, ``importance`` of each listed Pokémon."""
    plain = _FENCE.sub("", asked)
    log = "\n".join(found.strip() for found in _FENCE.findall(asked))
    digest = read_log(log)
    own, foe = read_roster(plain)
    document: dict[str, Any] = {
        "summary": summarise(digest, plain),
        "lessons": " ".join(lessons(digest)),
        "importance": {
            "own": {name: importance(digest, (False, name)) for name in own},
            "foe": {name: importance(digest, (True, name)) for name in foe},
        },
    }
    return json.dumps(document, ensure_ascii=False)


def read_roster(plain: str) -> tuple[list[str], list[str]]:
    """Names of our Pokémon and of the opponent's, as the prompt lists them."""
    teams: dict[str, list[str]] = {"own": [], "foe": []}
    team = None
    for line in plain.splitlines():
        heading = line.strip().lower()
        if heading.startswith(("your team", "own team")):
            team = "own"
        elif heading.startswith(("opposing team", "opponent's team", "foe team")):
            team = "foe"
        elif not heading:
            team = None
        elif team is not None and (
            entry := re.match(r"[-*]\s*([^|:]+?)\s*(?:[|:]|$)", line.strip())
        ):
            teams[team].append(entry[1])
    return teams["own"], teams["foe"]


def summarise(digest: BattleDigest, plain: str) -> str:
    """A few sentences: the result, the faints on both sides, the strongest on both sides."""
    result = re.search(r"\b(won|lost|tied|tie)\b", plain.lower())
    parts = [f"Result: {result[1]}."] if result else []
    fallen_foes = [name for (foe, name), _, _ in digest.faints if foe]
    fallen_own = [name for (foe, name), _, _ in digest.faints if not foe]
    parts.append(f"{len(fallen_foes)} opposing Pokémon and {len(fallen_own)} of ours fainted.")
    for foe, words in ((False, "Our"), (True, "The opposing")):
        ranked = [(count, name) for (side, name), count in digest.damage_by.items() if side == foe]
        if ranked:
            count, name = max(ranked)
            moves = [
                (taken, move)
                for ((side, who), move), taken in digest.damage_by_move.items()
                if side == foe and who == name
            ]
            parts.append(f"{words} {name} did most damage ({count}%), mostly by {max(moves)[1]}.")
    return " ".join(parts)


def lessons(digest: BattleDigest) -> list[str]:
    """Sentences that a later decision can use, the most telling first."""
    found = []
    threats = {by: digest.faints_by(by) for _, by, _ in digest.faints if by is not None and by[0]}
    for (_, name), count in sorted(threats.items(), key=lambda item: (-item[1], item[0])):
        moves = _moves_of(digest, (True, name))
        found.append(f"The opposing {name} fainted {count} of ours with {moves}.")
    for (foe, name), by, how in digest.faints:
        if foe and by is not None and not by[0]:
            found.append(f"{how} fainted opposing {name}.")
    return found[:MOST_LESSONS] or ["Nothing stood out."]


def importance(digest: BattleDigest, pokemon: Name) -> int:
    """From 0 to 10: faints that it caused, and damage that it did."""
    points = FAINT_POINTS * digest.faints_by(pokemon)
    points += digest.damage_by[pokemon] / DAMAGE_PER_POINT
    return min(HIGHEST_IMPORTANCE, round(points))


def _moves_of(digest: BattleDigest, pokemon: Name) -> str:
    moves = [move for (who, move), _ in digest.damage_by_move.most_common() if who == pokemon]
    return " and ".join(moves[:2]) or "its moves"
