"""Data as scripts: any text survives, and none can leave its string."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.report.scripts import as_script


@given(st.text())
def test_every_text_survives_as_plain_ascii(text: str) -> None:
    script = as_script("battle", {"text": text})
    assert script.isascii()
    assert "<" not in script
    argument = script.removeprefix("Porimon.battle(").removesuffix(");\n")
    assert json.loads(argument) == {"text": text}


def test_several_values_are_several_arguments() -> None:
    assert as_script("matchup", 3, [1, None]) == "Porimon.matchup(3,[1,null]);\n"


def test_what_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_script("overview", float("nan"))
