"""The analysis of recorded runs, with the options that their own tournament files state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porimon.config.toml import nearest
from porimon.errors import UserInputError
from porimon.stats.analysis import DEFAULT_OPTIONS, Options, analyze_battles
from porimon.stats.battles import BattleRow
from porimon.stats.cards import HarnessCard, models_of, pooled
from porimon.stats.details import Details, by_stage, details_of_battles
from porimon.stats.results import Analysis
from porimon.tournament.record.read import RunReader


@dataclass(frozen=True, slots=True)
class AnalyzedRuns:
    """Runs, analysed together: all battles at once, and each part of the tournament by itself.

    ``parts`` is empty where there is only one. ``selections`` are the winners of stages that
    select one, by stage.
    """

    analysis: Analysis
    rows: tuple[BattleRow, ...]
    options: Options
    parts: dict[str, Analysis]
    selections: dict[str, str]

    def details(self) -> Details:
        """Fit, pairs, sensitivity and stages: more than a glance needs, so made when asked for."""
        return details_of_battles(self.rows, self.analysis, self.options)


def analyze_runs(
    folders: Sequence[Path],
    options: Options = DEFAULT_OPTIONS,
    *,
    part: str | None = None,
    pool: bool = False,
) -> AnalyzedRuns:
    """Analyse the runs in ``folders`` together, or only the battles of one ``part``.

    What ``options`` leave open is taken from the tournament file of a single run: reference and
    trends. Raises ``UserInputError`` where a player's harness cards differ (unless ``pool``), or
    for a part that is not there.
    """
    cards: list[HarnessCard] = []
    rows: list[BattleRow] = []
    selections: dict[str, str] = {}
    for number, folder in enumerate(folders):
        with RunReader(folder) as reader:
            cards += reader.cards()
            selections |= reader.selections()
            # Matchups of two runs may bear one name; their pairs must not be mixed up.
            prefix = "" if len(folders) == 1 else f"{number}/"
            rows += [replace(r, matchup_id=prefix + r.matchup_id) for r in reader.battle_rows()]
            if len(folders) == 1:
                options = with_plan(options, reader, part)
    warnings = pooled(cards, allow=pool)
    options = replace(options, models=models_of(cards))
    parts = list(dict.fromkeys(row.stage for row in rows))
    if part is not None:
        if part not in parts:
            right = nearest(part, parts)
            raise UserInputError(
                f"there is no part {part!r}",
                where="--stage",
                remedy=f"did you mean {right!r}?" if right else f"parts: {', '.join(parts)}",
            )
        rows = [row for row in rows if row.stage == part]
        parts = [part]
    analysis = analyze_battles(rows, options)
    return AnalyzedRuns(
        replace(analysis, warnings=(*warnings, *analysis.warnings)),
        tuple(rows),
        options,
        by_stage(rows, replace(options, contrasts=())) if len(parts) > 1 else {},
        selections,
    )


def with_plan(options: Options, reader: RunReader, part: str | None = None) -> Options:
    """``options``, completed by the reference and the named trends of the run's file.

    The names of the file become those of the analysis. A trend is left out until all its players
    have played (in ``part``).
    """
    called = {
        name: matchup.labels[seat]
        for matchup in reader.matchups()
        if part in (None, matchup.part)
        for seat, name in matchup.names.items()
    }
    trends = [
        f"{title}: " + " < ".join(called[name] for name in chain)
        for title, chain in reader.plan.get("contrasts", {}).items()
        if all(name in called for name in chain)
    ]
    reference = called.get(reader.plan.get("reference", ""))
    return replace(
        options,
        reference=options.reference or reference,
        contrasts=options.contrasts or tuple(trends),
    )


def run_options(reader: RunReader) -> Options:
    """The options that a run's own file states, and the models of its cards."""
    return replace(with_plan(DEFAULT_OPTIONS, reader), models=models_of(reader.cards()))
