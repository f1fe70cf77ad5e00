"""Sections that say nothing of the position are kept, and never for other values."""

from __future__ import annotations

from dataclasses import replace
from inspect import getsource

import pytest

from porimon.showdown.prompts import render
from porimon.showdown.prompts.context import Experience, Refusal
from porimon.showdown.prompts.render import load_templates, render_prompt
from tests.golden_prompts import player, stored
from tests.situations import SITUATIONS

FORMATS = ("json_object", "json_schema", "text")
EXPERIENCES = (
    (),
    (Experience("You won", "Short.", ("Attack.",), 0.5),),
    (Experience("You lost", "Short.", ("Attack.",), 0.5),),
)
REFUSALS = (None, Refusal("not_json", "it is no JSON", "hm"), Refusal("not_json", "it is no JSON"))


def test_every_variable_is_known_to_be_of_the_position_or_not() -> None:
    """A new variable must be put into one of the two sets, or a stale text could be kept."""
    source = getsource(render_prompt)
    told = source[source.index("variables = {") : source.index("\n    }\n")]
    names = {line.split('"')[1] for line in told.splitlines() if line.strip().startswith('"')}
    assert names == render._SELDOM_NEW | render._OF_THE_POSITION
    assert not render._SELDOM_NEW & render._OF_THE_POSITION


@pytest.mark.parametrize("base", ["p", "lt0", "lt1-uniform"])
def test_a_kept_text_is_what_rendering_gives(base: str) -> None:
    templates = load_templates(player(base).style)
    assert any(section.depends_on is not None for section in templates.sections)
    never = replace(
        templates,
        sections=tuple(replace(section, depends_on=None) for section in templates.sections),
    )
    for situation in SITUATIONS:
        view, log, facts = stored(situation)
        for answer_format in FORMATS:
            for experiences in EXPERIENCES:
                for refusal in REFUSALS:
                    for mode in ("io", "cot"):
                        config = player(base, answer_format=answer_format, mode=mode)
                        known = facts[config.knowledge]
                        kept, anew = (
                            render_prompt(
                                view, log, known, config, each,
                                experiences=experiences, refusal=refusal,
                            )
                            for each in (templates, never)
                        )  # fmt: skip
                        assert kept == anew


def test_the_steps_of_a_decision_are_told_apart() -> None:
    view, log, facts = stored("weather")
    config = player("lt0")
    templates = load_templates(config.style)
    orders = view.legal_orders
    texts = {
        render_prompt(
            view, log, facts["extended"], config, templates, step=step, proposals=proposals
        ).text
        for step, proposals in (
            ("decide", ()), ("propose", ()), ("choose", orders[:2]), ("choose", orders[:1]),
        )
    }  # fmt: skip
    assert len(texts) == 4


def test_few_texts_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "_KEPT_TEXTS", 5)
    view, log, facts = stored("weather")
    config = player("lt0")
    templates = replace(load_templates(config.style), kept={})
    for number in range(20):
        refusal = Refusal("not_json", f"reason {number}")
        prompt = render_prompt(view, log, facts["extended"], config, templates, refusal=refusal)
        assert f"reason {number}" in prompt.text
        assert len(templates.kept) <= 5


def test_a_users_templates_are_rendered_each_time(tmp_path: object) -> None:
    """They may do what we do not foresee, such as drawing at random."""
    folder = render.PACKAGE_TEMPLATES / "porimon"
    copy = tmp_path / "mine"  # type: ignore[operator]
    copy.mkdir()
    for file in folder.glob("*.jinja"):
        (copy / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    assert {section.depends_on for section in load_templates("porimon", str(copy)).sections} == {
        None
    }
