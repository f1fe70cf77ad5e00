"""The offline reader understands every prompt that the project makes.

Each stored situation is rendered for every style, knowledge, mode and answer format; the reader
must find every option and every figure that the prompt tells, and its answer must be one that the
answers' parser takes.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porimon.llm.model import AnswerFormat, Message
from porimon.llm.offline.reader import OfflineReader
from porimon.llm.offline.reading import Situation, read_situation
from porimon.memory.window import TurnSegments
from porimon.showdown.answers.formats import answer_format
from porimon.showdown.answers.parse import parse_order, parse_proposals
from porimon.showdown.dex.store import dex
from porimon.showdown.prompts.render import Prompt, load_templates, render_prompt
from porimon.showdown.reflection_answer import parse_reflection
from porimon.showdown.reflection_prompt import FinishedBattle, reflection_prompt, team_names
from tests.golden_prompts import DATA, EXPERIENCES, PLAYERS, player, stored

SITUATIONS = sorted(file.stem for file in (DATA / "views").glob("*.json"))
GOLDEN = sorted((DATA / "golden_prompts").glob("*.txt"))
READER = OfflineReader()


def prompt_of(situation: str, base: str, **settings: str) -> Prompt:
    view, log, facts = stored(situation)
    config = player(base, **settings)
    return render_prompt(
        view,
        log,
        facts[config.knowledge],
        config,
        load_templates(config.style),
        experiences=EXPERIENCES if config.memory is not None else (),
        step="propose" if config.mode == "tot" else "decide",
    )


def test_there_are_golden_prompts() -> None:
    assert len(SITUATIONS) >= 12
    assert len(GOLDEN) >= 2 * len(SITUATIONS)


@pytest.mark.parametrize("base", PLAYERS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_option_and_figure_is_found(situation: str, base: str) -> None:
    view, _, _ = stored(situation)
    prompt = prompt_of(situation, base)
    read = read_situation(prompt.messages())
    assert [(one.label, one.kind) for one in read.options] == [
        (order.label, order.kind) for order in view.legal_orders
    ]
    body = prompt.messages()[-1].content
    _compare_figures(read, body)
    if view.foe.active is not None and not view.foe.active.fainted:
        assert read.foe is not None
        assert read.foe.hp == pytest.approx(view.foe.active.hp_fraction, abs=0.01)
        assert read.foe.types
    own = view.own.active
    if own is not None and not own.fainted and not view.forced_switch:
        assert read.own is not None
        assert read.own.hp == pytest.approx(own.hp_fraction, abs=0.01)
        assert read.own.types
        assert len(read.threats) == len(re.findall(r"^Attack on (?!it)", body, re.MULTILINE))


def _compare_figures(read: Situation, body: str) -> None:
    """Each option's line, taken by itself: what it tells in words stands in what was read."""
    lines = dict(re.findall(r"^\d+\. ([^|\n]+?) \| (.+)$", body, re.MULTILINE))
    for option in read.options:
        line = lines[option.label]
        if option.kind == "move":
            damage = re.search(r"damage (?:\d+-)?(\d+)%", line)
            assert (option.strength.high is not None) == bool(damage), line
            if damage:
                assert option.strength.high == int(damage[1]) / 100
            assert option.strength.status_move == ("status move" in line), line
            power = re.search(r"scaled power (\d+)", line)
            if power:
                assert option.strength.power == int(power[1])
            told = re.search(r"\| ×([\d.]+) \|", line)
            assert option.strength.multiplier == (float(told[1]) if told else None), line
        else:
            assert option.fighter is not None
            health = re.search(r"HP (\d+)%", line)
            assert health is not None
            assert option.fighter.hp == int(health[1]) / 100
            assert (option.deals is not None) == bool(re.search(r"deals:|attacks:", line)), line
            if "damage" in line.partition("takes:")[2]:
                assert option.takes is not None
                assert option.takes.high is not None


@pytest.mark.parametrize("answer_kind", ["json_object", "json_schema", "text"])
@pytest.mark.parametrize("mode", ["io", "cot", "sc", "tot"])
@pytest.mark.parametrize("base", ["lt0", "p"])
def test_every_answer_is_one_that_the_parser_takes(base: str, mode: str, answer_kind: str) -> None:
    for situation in SITUATIONS:
        view, _, _ = stored(situation)
        legal = view.legal_orders
        config = player(base, mode=mode, answer_format=answer_kind)
        step = "propose" if mode == "tot" else "decide"
        messages = prompt_of(situation, base, mode=mode, answer_format=answer_kind).messages()
        asked = answer_format(config, legal, step)
        said = READER.answer(messages, asked)
        if mode == "tot":
            assert len(parse_proposals(said, legal)) == min(3, len(legal)), said
        else:
            assert parse_order(said, legal) in legal
        if mode == "cot":
            assert "thought" in said


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_golden_prompts_are_answered_with_a_listed_option(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    read = read_situation((Message("user", text),))
    said = READER.answer((Message("user", text),), AnswerFormat())
    assert any(f'"{option.label}"' in said for option in read.options)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_reflections_are_ones_that_their_parser_takes(situation: str) -> None:
    view, _, _ = stored(situation)
    log = (
        TurnSegments(1, ("The opposing Rotom used Surf. Blissey lost 20% of its HP; 80% left.",)),
        TurnSegments(2, ("Blissey used Ice Beam. The opposing Rotom fainted.",)),
    )
    battle = FinishedBattle("b", 0, "win", 2, view.own.team, view.foe.team, log)
    prompt = reflection_prompt(battle, dex(), log_characters=12_000)
    own, foe = team_names(battle.own_team, dex()), team_names(battle.foe_team, dex())
    said = READER.answer(prompt.messages(), AnswerFormat())
    reflection = parse_reflection(said, own, foe)
    assert "You won." in reflection.summary
    assert len(reflection.own_importance) == len(own)
    assert len(reflection.foe_importance) == len(foe)
