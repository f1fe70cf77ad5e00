"""Everything that a report's first page shows, gathered from a run's record."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from porimon.config.tournament import TournamentSettings
from porimon.report.analysis import run_options
from porimon.report.cards import ComparedCards, compared_cards
from porimon.report.curves import SYMBOLS, Curve, curves
from porimon.report.letters import compact_letters, different_pairs
from porimon.report.usage import player_usage, usage_table
from porimon.stats.analysis import analyze_battles
from porimon.stats.cards import pooled
from porimon.stats.details import details_of_battles
from porimon.stats.results import Analysis
from porimon.stats.tables import Column, Table, models_asked, tables
from porimon.tournament.plan import planned_matchups
from porimon.tournament.record.read import RunReader


@dataclass(frozen=True, slots=True)
class Overview:
    """The first page's content.

    ``facts`` are (heading, text) pairs on the run. ``tables`` are all tables by name; ``stages``
    holds (title, selected player or ``None``, table of players) of each part of the tournament.
    ``data`` is what the plots read, as JSON; its ``analysis`` is the document that
    `porimon analyze --json` prints.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    tables: Mapping[str, Table]
    stages: tuple[tuple[str, Table], ...]
    selections: tuple[tuple[str, str], ...]
    curves: tuple[Curve, ...]
    cards: ComparedCards
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def all_tables(self) -> list[Table]:
        """Every table of the page, those of the stages too."""
        return [*self.tables.values(), *(table for _, table in self.stages)]


def overview(reader: RunReader) -> Overview:
    """Gather the first page of a run.

    Raises ``UserInputError`` where no battle is finished, or where a player's harness card changed.
    """
    settings = TournamentSettings.model_validate(reader.plan)
    cards = reader.cards()
    mixed = pooled(cards, allow=True)
    rows = reader.battle_rows()
    options = run_options(reader)
    analysis = analyze_battles(rows, options)
    analysis = dataclasses.replace(analysis, warnings=(*mixed, *analysis.warnings))
    details = details_of_battles(rows, analysis, options)
    usage = player_usage(reader, options.models)
    found = {table.name: table for table in tables(analysis, details)}
    order = [str(row[0]) for row in found["players"].rows]
    comparable = {player.name for player in analysis.players if player.beta is not None}
    letters = compact_letters(
        [name for name in order if name in comparable], different_pairs(analysis.pairwise)
    )
    over_settings = tuple(curves(reader.players, reader.matchups(), rows))
    found["players"] = _with_letters(found["players"], letters)
    found["usage"] = usage_table(usage)
    for setting in SYMBOLS:
        table = _curve_table(setting, over_settings, models_asked(analysis))
        if table.rows:
            found[table.name] = table
    compared = compared_cards(cards)
    if compared.table is not None:
        found["cards"] = compared.table
    return Overview(
        title=settings.name,
        facts=_facts(reader, settings, analysis),
        warnings=analysis.warnings,
        tables=found,
        stages=_stages(details.stages),
        selections=tuple(reader.selections().items()),
        curves=over_settings,
        cards=compared,
        data={
            "analysis": analysis.document(),
            "order": order,
            "letters": letters,
            "curves": [dataclasses.asdict(curve) for curve in over_settings],
            "usage": [each.document() for each in usage],
        },
    )


def _facts(
    reader: RunReader, settings: TournamentSettings, analysis: Analysis
) -> tuple[tuple[str, str], ...]:
    planned = sum(matchup.battles for matchup in planned_matchups(settings))
    times = sorted(battle.finished_at for battle in reader.battles())
    put_back = len(reader.put_back())
    played = f"{len(times):,} of {planned:,} planned"
    if put_back:
        played += f"; {put_back:,} broke off and were played again"
    return (
        ("Battles", played),
        ("Players", f"{len(analysis.players)}"),
        ("Played", _span(times)),
        ("Models", models_asked(analysis).partition(": ")[2] or "none"),
        ("Format", settings.format),
        ("Seed", f"{settings.seed}"),
        ("Pairs", "same seed, sides swapped" if settings.paired else "none"),
        ("Porimon", reader.meta.get("code_version", "unknown")),
    )


def _span(times: Sequence[str]) -> str:
    """The first and the last battle's end, to the minute (UTC)."""
    first, last = (time[:16].replace("T", " ") for time in (times[0], times[-1]))
    return f"{first} UTC" if first == last else f"{first} to {last} UTC"


def _with_letters(players: Table, letters: Mapping[str, str]) -> Table:
    """The table of players with the letters of those that cannot be told apart."""
    return dataclasses.replace(
        players,
        keys=(*players.keys, "letters"),
        rows=tuple((*row, letters.get(str(row[0]))) for row in players.rows),
        columns=(
            players.columns[0],
            Column("group", ("letters",), str, numeric=False),
            *players.columns[1:],
        ),
    )


def _stages(stages: Mapping[str, Analysis]) -> tuple[tuple[str, Table], ...]:
    return tuple(
        (name, dataclasses.replace(tables(analysis)[0], name=f"stage-{number}"))
        for number, (name, analysis) in enumerate(stages.items(), start=1)
    )


def _curve_table(setting: str, found: Sequence[Curve], models: str) -> Table:
    symbol = SYMBOLS[setting]  # type: ignore[index]
    caption = f"Win rate over {symbol} inside a stage (a tie is half a win; Wilson 95 % intervals)"
    return Table(
        f"curve-{setting}",
        f"{caption}. {models}" if models else caption,
        ("curve", "value", "player", "battles", "win_rate", "low", "high"),
        tuple(
            (curve.title, p.value, p.player, p.battles, p.win_rate, p.low, p.high)
            for curve in found
            if curve.setting == setting
            for p in curve.points
        ),
        (
            Column("players", ("curve",), str, numeric=False),
            Column(symbol, ("value",), lambda value: f"{value:g}"),
            Column("player", ("player",), str, numeric=False),
            Column("battles", ("battles",), str),
            Column("win rate (95 %)", ("win_rate", "low", "high"), _rate),
        ),
    )


def _rate(value: float, low: float, high: float) -> str:
    return f"{100 * value:.1f} % ({100 * low:.1f}–{100 * high:.1f})"
