"""A battle's decisions as styled lines of text, for the inspector in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from porimon.tournament.record.read import RecordedBattle, RecordedMatchup

Line = tuple[str, str]
"""A rich style (or "") and a text."""

_CONTROL = {number: None for number in range(32) if number not in (9, 10)} | {127: None}


def battle_lines(
    battle: RecordedBattle,
    matchup: RecordedMatchup,
    decisions: list[dict[str, Any]],
    reflections: Mapping[str, Any],
) -> Iterator[Line]:
    """The battle in short: a line for each decision, and what was learnt at the end."""
    won = "a tie" if battle.winner is None else f"{matchup.labels[battle.winner]} won"
    yield (
        "bold",
        f"battle {battle.battle_id}: {matchup.labels['a']} (a) against {matchup.labels['b']} (b), "
        f"{won} in {battle.turns} turns ({battle.end_reason}); seed {battle.seed}, "
        f"{battle.first} played p1",
    )
    for decision in decisions:
        marks = list(decision["notes"])
        if decision["fallback"]:
            marks.insert(0, f"fallback: {decision['fallback']}")
        refused = sum(call["refused"] is not None for call in decision["calls"])
        if refused:
            marks.append(f"{refused} answers refused")
        if decision["retrieved"]:
            marks.append(f"{len(decision['retrieved'])} experiences")
        text = f"turn {decision['turn']:>3}  {decision['seat']}  {safe(decision['order'])}"
        yield ("yellow" if decision["fallback"] else "", text + _bracketed(marks))
    for seat, reflection in reflections.items():
        experience = reflection["experience"]
        yield ("bold", f"{matchup.labels[seat]} remembers:")  # type: ignore[index]
        yield ("", f"  {safe(experience.get('summary') or 'no summary')}")
        for lesson in experience.get("lessons", ()):
            yield ("", f"  - {safe(lesson)}")


def decision_lines(decision: Mapping[str, Any], matchup: RecordedMatchup) -> Iterator[Line]:
    """One decision in full: prompt, answers, legal orders, what was played, what it took."""
    seat = decision["seat"]
    name = matchup.labels[seat]
    yield ("bold", f"turn {decision['turn']}, decision {decision['number']} of {name} ({seat})")
    yield ("", f"legal orders: {', '.join(safe(order) for order in decision['legal'])}")
    for found in decision["retrieved"]:
        yield from _experience_lines(found)
    for call in decision["calls"]:
        yield ("cyan", f"call {call['attempt']} ({call['purpose']})")
        for title, text in call["sections"]:
            yield ("bold blue", f"[{title}]")
            yield ("", safe(text))
        completion = call["completion"]
        yield ("bold blue", "[answer]")
        yield ("", safe(completion["text"]))
        yield ("dim", _took(completion))
        if call["refused"]:
            yield ("yellow", f"refused: {call['refused']}")
    if decision["fallback"]:
        yield ("yellow", f"fallback: {decision['fallback']}")
    yield ("bold green", f"played: {safe(decision['order'])}{_bracketed(decision['notes'])}")


def _experience_lines(found: Mapping[str, Any]) -> Iterator[Line]:
    yield ("magenta", f"experience {found['experience_id'][:12]}, score {found['score']:.4f}")
    for side in ("opponent", "own"):
        why = found["why"].get(side)
        if not why:
            continue
        yield ("", f"  {side}: similarity {why['similarity']:.4f}")
        for member in why["current_members"]:
            if "nearest" in member:
                yield (
                    "",
                    f"    {safe(member['current'])} ~ {safe(member['nearest'])}"
                    f" {member['similarity']:.3f}",
                )


def _took(completion: Mapping[str, Any]) -> str:
    def shown(value: Any, unit: str) -> str:
        return f"{'unknown' if value is None else value} {unit}"

    latency = completion["latency_seconds"]
    cost = completion["cost"]
    return ", ".join(
        (
            completion["model"],
            shown(completion["input_tokens"], "tokens in"),
            shown(completion["output_tokens"], "tokens out"),
            "cost unknown" if cost is None else f"${cost:.6f}",
            "latency unknown" if latency is None else f"{latency:.2f} s",
        )
    )


def _bracketed(marks: list[str]) -> str:
    return f"  ({'; '.join(safe(mark) for mark in marks)})" if marks else ""


def safe(text: str) -> str:
    """``text`` without control characters, which a terminal would obey."""
    return text.translate(_CONTROL)
