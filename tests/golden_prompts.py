"""Write the golden prompts anew: ``python -m tests.golden_prompts`` (from the checkout's root).

For each situation of ``tests.situations`` it stores the view (``tests/data/views``), the facts of
both kinds of knowledge with the turn log (``tests/data/facts``), and the prompts of every player
style (``tests/data/golden_prompts``). Look at the difference before committing it: a golden prompt
is right because somebody has read it.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from porimon.config.player import LANGUAGE_MODEL_PLAYERS, Knowledge, PlayerConfig
from porimon.showdown.calculator.client import Calculator
from porimon.showdown.calculator.service import CalculatorService
from porimon.showdown.dex.store import dex
from porimon.showdown.facts.damage import CalculatedDamage, candidates_of
from porimon.showdown.facts.gather import gather_facts
from porimon.showdown.facts.model import Facts, dump_facts, load_facts
from porimon.showdown.prompts.context import Experience
from porimon.showdown.prompts.render import load_templates, render_prompt
from porimon.showdown.view.model import BattleView, dump_view, load_view
from tests.situations import SITUATIONS

DATA = Path(__file__).parent / "data"
PLAYERS = ("lt0", "p", "lt0v", "lt0w", "lt1-uniform")
EXPERIENCES = (
    Experience(
        "You won",
        "Spikes and a slow pivot wore the team down.",
        ("Set Spikes early.", "Keep Clefable healthy."),
        0.81,
    ),
    Experience(
        "You lost", "A boosted Volcarona swept.", ("Keep a Rock move for Volcarona.",), 0.64
    ),
)
"""What the golden prompt of a player with Long-Term KAG is given."""


def player(base: str, **changes: Any) -> PlayerConfig:
    """The configuration of one of the paper's players."""
    return PlayerConfig(name=base, base=base, **{**LANGUAGE_MODEL_PLAYERS[base], **changes})


def stored(situation: str) -> tuple[BattleView, str, dict[str, Facts]]:
    """View, turn log, and facts by kind of knowledge, as stored for a situation."""
    view = load_view((DATA / "views" / f"{situation}.json").read_bytes())
    document = json.loads((DATA / "facts" / f"{situation}.json").read_text(encoding="utf-8"))
    facts = {kind: load_facts(json.dumps(document[kind])) for kind in ("extended", "pokellmon")}
    return view, document["log"], facts


def golden_prompt(situation: str, base: str) -> str:
    """The prompt of a player in a stored situation, as a reader sees it."""
    view, log, facts = stored(situation)
    config = player(base)
    experiences = EXPERIENCES if config.memory is not None else ()
    templates = load_templates(config.style)
    prompt = render_prompt(
        view, log, facts[config.knowledge], config, templates, experiences=experiences
    )
    return prompt.text


def _write(folder: str, name: str, data: bytes) -> None:
    (DATA / folder).mkdir(parents=True, exist_ok=True)
    (DATA / folder / name).write_bytes(data)


async def main() -> None:
    """Store views, facts and prompts of every situation; the calculator is the real one."""
    async with CalculatorService() as service, Calculator(service) as calculator:
        await _write_all(CalculatedDamage(calculator))


async def _write_all(damage: CalculatedDamage) -> None:
    kinds: tuple[Knowledge, ...] = ("extended", "pokellmon")
    for situation, build in SITUATIONS.items():
        view, log = build()
        document: dict[str, Any] = {"log": log}
        for kind in kinds:
            facts = await gather_facts(view, kind, dex(), candidates_of, damage)
            document[kind] = json.loads(dump_facts(facts))
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        _write("views", f"{situation}.json", dump_view(view) + b"\n")
        _write("facts", f"{situation}.json", text.encode() + b"\n")
        for base in PLAYERS:
            _write(
                "golden_prompts", f"{situation}.{base}.txt", golden_prompt(situation, base).encode()
            )


if __name__ == "__main__":
    asyncio.run(main())
