"""Small requests and lines for the tests of the view."""

from __future__ import annotations

from typing import Any

from porimon.showdown.view.model import BattleView
from porimon.showdown.view.tracker import BattleTracker

STATS = {"atk": 150, "def": 150, "spa": 150, "spd": 150, "spe": 150}
START = [
    "|teamsize|p1|6",
    "|teamsize|p2|6",
    "|tier|[Gen 8] Random Battle",
    "|start",
]


def team_entry(
    details: str, condition: str = "250/250", *, active: bool = False, **changes: Any
) -> dict[str, Any]:
    """One Pokémon of a request; ``details`` as ``Rotom-Wash, L83``."""
    name = details.split(", ")[0].split("-")[0]
    return {
        "ident": f"p1: {name}",
        "details": details,
        "condition": condition,
        "active": active,
        "stats": dict(STATS),
        "moves": ["surf", "toxic", "protect", "rest"],
        "baseAbility": "pressure",
        "item": "leftovers",
        "pokeball": "pokeball",
        "ability": "pressure",
        **changes,
    }


def move_entry(name: str, pp: int = 16, **changes: Any) -> dict[str, Any]:
    """One move of a request's active Pokémon."""
    identifier = name.lower().replace(" ", "").replace("-", "")
    return {"move": name, "id": identifier, "pp": pp, "maxpp": 16, "disabled": False, **changes}


def request(
    *team: dict[str, Any], moves: list[dict[str, Any]] | None = None, **flags: Any
) -> dict[str, Any]:
    """A move request; ``flags`` are those of the active Pokémon (``trapped`` …)."""
    listed = moves if moves is not None else [move_entry("Surf"), move_entry("Toxic")]
    return {
        "active": [{"moves": listed, **flags}],
        "side": {"name": "bot 1", "id": "p1", "pokemon": list(team)},
    }


SUICUNE = team_entry("Suicune, L79", active=True)
BENCH = team_entry("Rotom-Wash, L83", "0 fnt"), team_entry("Snorlax, L80, M", "300/300")


def started() -> BattleTracker:
    """Player p1's tracker after a start: Suicune against Blissey."""
    tracker = BattleTracker("p1")
    tracker.apply(
        [
            *START,
            "|switch|p1a: Suicune|Suicune, L79|250/250",
            "|switch|p2a: Blissey|Blissey, L83, F|100/100",
            "|turn|1",
        ]
    )
    return tracker


def view_after(*lines: str, **flags: Any) -> BattleView:
    """Player p1's view after that start and ``lines``."""
    tracker = started()
    tracker.apply(lines)
    return tracker.view(request(SUICUNE, *BENCH, **flags))
