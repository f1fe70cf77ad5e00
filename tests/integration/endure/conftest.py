"""One endpoint for all tests of runs, and one run that nothing disturbed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.integration.endure.runs import Beside, Workplace, endpoint_beside
from tests.records import contents


@dataclass(frozen=True)
class Undisturbed:
    """What every disturbed run must come to as well."""

    contents: dict[str, Any]
    calls: int
    output: str
    folder: Path


@pytest.fixture(scope="session")
def endpoint() -> Iterator[Beside]:
    with endpoint_beside(latency_ms=5) as beside:
        yield beside


@pytest.fixture
def beside(endpoint: Beside) -> Iterator[Beside]:
    """The endpoint without a fault; whatever a test switches on is off after it."""
    endpoint.faults.switch(None)
    yield endpoint
    endpoint.faults.switch(None)


@pytest.fixture(scope="session")
def undisturbed(endpoint: Beside, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    place = Workplace.make(tmp_path_factory.mktemp("undisturbed"), endpoint.port)
    endpoint.faults.switch(None)
    before = endpoint.answered
    ended = place.finish()
    assert ended.code == 0, ended.err
    whole = contents(place.run)
    assert len(whole["battles"]) == 2
    assert any(row[4] for row in whole["decisions"]) or whole["memories"][0]
    return Undisturbed(whole, endpoint.answered - before, ended.out, place.folder)
