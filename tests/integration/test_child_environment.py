"""The programs that a run starts are not handed the keys that it was given."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from porimon.showdown.calculator.service import CalculatorService
from porimon.showdown.child_environment import child_environment
from porimon.showdown.node import NodeParts
from porimon.showdown.replay import Simulator
from porimon.showdown.server import ShowdownServer

PLANTED = "sk-planted-3f9c0a"


def test_only_listed_variables_are_let_through() -> None:
    given = {"PATH": "/bin", "LC_ALL": "C", "NODE_OPTIONS": "", "LUNA": PLANTED, "HOME_KEY": "x"}
    assert set(child_environment(given)) == {"PATH", "LC_ALL", "NODE_OPTIONS"}


@pytest.mark.server
async def test_no_node_program_knows_a_key(
    tmp_path: Path, node_parts: NodeParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", PLANTED)
    monkeypatch.setenv("PORIMON_PASSWORD", PLANTED)
    async with (
        ShowdownServer(tmp_path, parts=node_parts),
        CalculatorService(node_parts),
        Simulator(node_parts),
    ):
        children = psutil.Process().children(recursive=True)
        nodes = [child for child in children if "node" in child.name()]
        assert len(nodes) >= 3
        for node in nodes:
            assert PLANTED not in node.environ().values(), node.cmdline()
