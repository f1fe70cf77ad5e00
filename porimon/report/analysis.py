"""A run's analysis with the options that its own tournament file states."""

from __future__ import annotations

from pathlib import Path

from porimon.stats.analysis import Options, analyze_battles
from porimon.stats.cards import models_of, pooled
from porimon.stats.results import Analysis
from porimon.tournament.record.read import RunReader


def run_options(reader: RunReader) -> Options:
    """Reference and named trends of the run's tournament file, and the models of its cards.

    A trend is left out until all its players have played; the names of the file become those of
    the analysis.
    """
    called = {
        name: matchup.labels[seat]
        for matchup in reader.matchups()
        for seat, name in matchup.names.items()
    }
    contrasts = [
        f"{title}: " + " < ".join(called[name] for name in chain)
        for title, chain in reader.plan.get("contrasts", {}).items()
        if all(name in called for name in chain)
    ]
    reference = reader.plan.get("reference")
    return Options(
        reference=called.get(reference) if reference else None,
        contrasts=tuple(contrasts),
        models=models_of(reader.cards()),
    )


def run_analysis(folder: Path) -> Analysis:
    """The whole run of a folder, analysed."""
    with RunReader(folder) as reader:
        pooled(reader.cards())
        return analyze_battles(reader.battle_rows(), run_options(reader))
