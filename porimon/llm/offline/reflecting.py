"""The reader's reflection after a battle: a summary, lessons and importance, counted from the log.

It says what a count can say: who made whom faint, what did most damage, which opposing Pokémon were
dangerous. The lessons keep to the wordings that the reader itself can use in a later decision.
"""

from __future__ import annotations

import json
import re
from typing import Any

from porimon.llm.model import AnswerFormat
from porimon.llm.offline.battle_log import BattleDigest, Name, read_log
from porimon.llm.offline.reading import without_fences

MOST_LESSONS = 5
HIGHEST_IMPORTANCE = 10
FAINT_POINTS = 3.0
DAMAGE_PER_POINT = 40.0
"""Percent of HP taken that count as one point of importance."""

_FENCE = re.compile(r"<<<(.*?)>>>", re.DOTALL)
_MEMBER = re.compile(r"^(Your|Opposing) Pokémon \| ([^|]+?)(?: \| .*)?$", re.MULTILINE)
_RESULT = re.compile(r"^Result \| you (won|lost|tied)", re.MULTILINE)


def asks_to_reflect(asked: str) -> bool:
    """Whether a prompt asks for a reflection rather than for an order."""
    plain = without_fences(asked)
    return '"importance"' in plain and '"summary"' in plain


def reflect(asked: str, answer_format: AnswerFormat) -> str:
    """The reflection as a JSON object with ``summary``, ``lessons`` and ``importance``.

    Every Pokémon that the prompt lists gets its importance under the name that stands there. The
    object fits the prompt's words and the schema alike, so ``answer_format`` changes nothing.
    """
    plain = without_fences(asked)
    digest = read_log("\n".join(found.strip() for found in _FENCE.findall(asked)))
    result = _RESULT.search(plain)
    document: dict[str, Any] = {
        "summary": summarise(digest, result[1] if result else None),
        "lessons": lessons(digest),
        "importance": {"own": {}, "opponent": {}},
    }
    for whose, name in _MEMBER.findall(plain):
        side = "opponent" if whose == "Opposing" else "own"
        document["importance"][side][name] = importance(digest, whose == "Opposing", name)
    return json.dumps(document, ensure_ascii=False)


def summarise(digest: BattleDigest, result: str | None) -> str:
    """A few sentences: the result, the faints on both sides, the strongest on both sides."""
    parts = [f"You {result}." if result else ""]
    fallen_foes = sum(foe for (foe, _), _, _ in digest.faints)
    fallen_own = len(digest.faints) - fallen_foes
    parts.append(f"{fallen_foes} opposing Pokémon and {fallen_own} of ours fainted.")
    for foe, words in ((False, "Our"), (True, "The opposing")):
        ranked = [(count, name) for (side, name), count in digest.damage_by.items() if side == foe]
        if ranked:
            count, name = max(ranked)
            move = _moves_of(digest, (foe, name))[0]
            parts.append(f"{words} {name} did most damage ({count}% in all), mostly with {move}.")
    return " ".join(part for part in parts if part)


def lessons(digest: BattleDigest) -> list[str]:
    """Sentences that a later decision can use, the most telling first; at least one."""
    found = []
    threats = {by: digest.faints_by(by) for _, by, _ in digest.faints if by is not None and by[0]}
    for (_, name), count in sorted(threats.items(), key=lambda item: (-item[1], item[0])):
        moves = " and ".join(_moves_of(digest, (True, name))[:2])
        found.append(
            f"The opposing {name} fainted {count} of ours with {moves}: "
            "knock it out early or answer with what resists them."
        )
    answers = [
        f"{how} fainted opposing {name}: use it when {name} is in."
        for (foe, name), by, how in digest.faints
        if foe and by is not None and not by[0]
    ]
    # Both kinds are told where both exist: what to fear, and what works.
    kept = found[: MOST_LESSONS - min(2, len(answers))]
    told = kept + list(dict.fromkeys(answers))[: MOST_LESSONS - len(kept)]
    return told or ["Nothing in this battle stood out: play by damage and speed."]


def importance(digest: BattleDigest, foe: bool, listed: str) -> int:
    """From 0 to 10: faints that a listed Pokémon caused, and damage that it did.

    The log may call a Pokémon by less than its listed name (``Rotom`` for ``Rotom-Wash``).
    """
    seen = {name for pair in digest.damage_by_move for name in (pair[0],) if name[0] == foe}
    names = [name for name in seen if _is_called(listed, name[1])]
    points = sum(
        FAINT_POINTS * digest.faints_by(name) + digest.damage_by[name] / DAMAGE_PER_POINT
        for name in names
    )
    return min(HIGHEST_IMPORTANCE, round(points))


def _is_called(listed: str, in_log: str) -> bool:
    plain = re.sub(r" \(\d+\)$", "", listed)
    return plain == in_log or plain.startswith(f"{in_log}-")


def _moves_of(digest: BattleDigest, pokemon: Name) -> list[str]:
    """Its moves by damage done, the strongest first; a stand-in where none did any."""
    moves = [move for (who, move), _ in digest.damage_by_move.most_common() if who == pokemon]
    return moves or ["its moves"]
