"""A game that plays stored Showdown battles: a real record for reports, without a server.

Logs, views and facts are those of ``tests/data``. Model answers and prompts carry planted markup,
so that every page made of them shows whether it escapes.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from porimon.llm.model import Completion
from porimon.memory.experience import Experience
from porimon.tournament.game import (
    Asker,
    BattleOutcome,
    BattleSpec,
    CallRecord,
    DecisionRecord,
    Reflection,
    RetrievedExperience,
    Seat,
)
from tests.unit.tournament.coin_game import CoinGame

DATA = Path(__file__).parents[2] / "data"
PLANTED = '<script>window.planted = 1</script><img src=x onerror="window.planted = 2">'
SITUATIONS = ("lead", "hazards", "weather", "terrain")


@cache
def stored_logs() -> list[str]:
    """The logs of ``random.jsonl.gz`` as p1 read them."""
    with gzip.open(DATA / "battle_logs" / "random.jsonl.gz", "rt", encoding="utf-8") as file:
        return ["\n".join(json.loads(line)["p1"]) for line in file]


class StoredGame(CoinGame):
    """Battle 1.1 has the first log; seat a wins two battles of three."""

    async def play(
        self, spec: BattleSpec, askers: Mapping[Seat, Asker], memories: Mapping[Seat, Any]
    ) -> BattleOutcome:
        """One stored battle."""
        matchup, place = map(int, spec.battle_id.split("."))
        number = 6 * (matchup - 1) + place - 1
        self.played.append(spec.battle_id)
        decisions: list[DecisionRecord] = []
        for seat in ("a", "b"):
            for turn, situation in enumerate(SITUATIONS, start=1):
                if seat not in askers:
                    decisions.append(plain(seat, turn))
                    continue
                made = watched(seat, turn, situation)
                if seat in memories and spec.index > 0:
                    first = replace(spec, battle_id=f"{matchup}.1", index=0)
                    learnt = RetrievedExperience(Experience(**experience(first)).id, 0.25, {})
                    made = replace(made, retrieved=(*made.retrieved, learnt))
                decisions.append(made)
        log = stored_logs()[number % len(stored_logs())] + f"\n|-message|{PLANTED}"
        return BattleOutcome(
            winner="b" if spec.index % 3 == 2 else "a",
            turns=18,
            end_reason="forfeit" if spec.battle_id == "1.5" else "normal",
            log=log,
            choices=("move 1",),
            decisions=tuple(decisions),
            reflections={seat: Reflection(experience(spec)) for seat in memories},
            seconds=12.5,
        )


def plain(seat: Seat, turn: int) -> DecisionRecord:
    """A decision of a player that asks no model."""
    return DecisionRecord(seat, turn, turn, None, ("Tackle", "Snorlax"), "Tackle", "move 1")


def watched(seat: Seat, turn: int, situation: str) -> DecisionRecord:
    """A decision with view, facts, a refused and a used answer, and a retrieved experience."""
    view = json.loads((DATA / "views" / f"{situation}.json").read_text(encoding="utf-8"))
    facts = json.loads((DATA / "facts" / f"{situation}.json").read_text(encoding="utf-8"))
    view["turn"] = turn
    legal = tuple(order["label"] for order in view["legal_orders"])
    sections = (("system_role", "You play."), ("moves", f"MOVES {PLANTED}"))
    first = Completion(PLANTED, "stored-model", "stop", 900, 100, 12, 0.25, 1.5)
    second = Completion(
        f'{{"move": "{legal[0]}"}}', "stored-model", "stop", 910, None, 9, 0.125, 0.5
    )
    why = {
        "opponent": {
            "similarity": 0.61,
            "current_members": [
                {"current": "Snorlax", "nearest": "Munchlax", "similarity": 0.875},
                {"current": "Onix"},
            ],
        }
    }
    return DecisionRecord(
        seat=seat,
        number=turn,
        turn=turn,
        view=json.dumps(view).encode(),
        legal=legal,
        order=legal[0],
        choice="move 1",
        fallback="illegal_order" if turn == 3 else None,
        notes=("no_damage_ranges",) if turn == 2 else (),
        calls=(
            CallRecord("decision", 1, sections, first, refused="not_json"),
            CallRecord("decision", 2, sections, second),
        ),
        retrieved=(RetrievedExperience("0123456789abcdef", 0.4321, why),),
        facts=json.dumps(facts["extended"]).encode(),
    )


def experience(spec: BattleSpec) -> dict[str, Any]:
    """What is remembered of a battle."""
    return Experience(
        battle_id=spec.battle_id,
        index=spec.index,
        result="win",
        own_team=({"side": "heads"},),
        foe_team=({"side": "tails"},),
        own_importance=(5.0,),
        foe_importance=(5.0,),
        summary=f"Summary {PLANTED}",
        lessons=("Lead with Snorlax.",),
    ).document()
