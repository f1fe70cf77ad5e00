"""The bench measures what it says, and stops if the fast and the plain scores part."""

from __future__ import annotations

import pytest

from porimon.bench import retrieval
from porimon.errors import PorimonError
from porimon.memory import plain


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "GOALS_MS", {40: 10_000.0, 80: 0.0})
    monkeypatch.setattr(retrieval, "_PLAIN_EXPERIENCES", 20)


def test_figures_goals_and_differences() -> None:
    result = retrieval.run(quick=True)
    figures = {each.name: each for each in result.figures}
    assert len(figures) == 10
    assert all(value > 0 for each in result.figures for value in each.values)
    assert figures["top 3 of 40"].met is True
    assert figures["top 3 of 80"].met is False
    for size in ("40", "80"):
        about = result.details[size]
        assert isinstance(about, dict)
        assert about["largest_score_difference"] < 1e-12
        assert about["distinct_pokemon"] > 40


def test_wrong_scores_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    right = plain.score
    monkeypatch.setattr(plain, "score", lambda *arguments: right(*arguments) + 1e-9)
    with pytest.raises(PorimonError, match="differ"):
        retrieval.run(quick=True)
