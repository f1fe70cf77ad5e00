"""What is sent to the calculator is JSON, whatever a server called a move."""

from __future__ import annotations

import json
from typing import Any

import pytest

from porimon.showdown.calculator.client import _dumped


@pytest.mark.parametrize("move", ["surf", "Pokémon", "\ud83d", "\x00"])
def test_a_request_comes_back_as_it_was(move: str) -> None:
    request: dict[str, Any] = {"combatants": [{"item": None}], "queries": [{"move": move}]}
    assert json.loads(_dumped(request)) == request
