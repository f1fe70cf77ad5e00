"""Golden prompts: in sixteen situations every player is told exactly what was read and kept."""

from __future__ import annotations

import pytest

from porimon.config.player import PlayerConfig
from porimon.llm.model import Message
from porimon.showdown.prompts.render import load_templates, render_prompt
from tests.golden_prompts import DATA, PLAYERS, golden_prompt, player, stored
from tests.situations import SITUATIONS


@pytest.mark.parametrize("base", PLAYERS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_prompt_is_the_golden_one(situation: str, base: str) -> None:
    """A stored view, its facts and its log give the stored prompt, without any server."""
    kept = (DATA / "golden_prompts" / f"{situation}.{base}.txt").read_text(encoding="utf-8")
    assert golden_prompt(situation, base) == kept


@pytest.mark.parametrize("situation", SITUATIONS)
def test_stored_view_is_that_of_the_situation(situation: str) -> None:
    view, log, _ = stored(situation)
    assert (view, log) == SITUATIONS[situation]()


@pytest.mark.parametrize("base", PLAYERS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_legal_order_is_offered_once_by_its_label(situation: str, base: str) -> None:
    """Options are numbered from 1 in the view's order, and nothing else starts with a number."""
    view, _, _ = stored(situation)
    lines = _user(situation, player(base)).content.splitlines()
    options = [line for line in lines if " | move" in line or " | switch" in line]
    assert [line.split(" | ")[0] for line in options] == [
        f"{number}. {order.label}" for number, order in enumerate(view.legal_orders, start=1)
    ]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_stable_sections_come_first(situation: str) -> None:
    """Rules, answer format and own team precede everything that changes with each turn."""
    view, log, facts = stored(situation)
    config = player("lt0")
    prompt = render_prompt(view, log, facts["extended"], config, load_templates("porimon"))
    names = [name for name, _ in prompt.sections]
    expected = ["system_rules", "system_answer", "own_team", "opposing_team", "history"]
    assert names == [
        *(name for name in expected if log or name != "history"),
        "situation",
        "options",
    ]
    assert [message.role for message in prompt.messages()] == ["system", "user"]


def _user(situation: str, config: PlayerConfig) -> Message:
    view, log, facts = stored(situation)
    templates = load_templates(config.style)
    prompt = render_prompt(view, log, facts[config.knowledge], config, templates)
    return prompt.messages()[1]
