"""`porimon analyze`: win rates, Bradley–Terry strengths, tests and intervals of runs or counts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from porimon.errors import UserInputError

if TYPE_CHECKING:
    from porimon.report.analysis import AnalyzedRuns
    from porimon.stats.analysis import Options
    from porimon.stats.details import Details
    from porimon.stats.results import Analysis


@click.command("analyze")
@click.argument(
    "folders", metavar="[DIR]...", nargs=-1, type=click.Path(exists=True, file_okay=False)
)
@click.option(
    "--counts",
    metavar="CSV",
    type=click.Path(exists=True, dir_okay=False),
    help="Counts instead of a run: player_a,player_b,wins_a,wins_b,ties.",
)
@click.option("--reference", metavar="NAME", help="Player with β = 0 [default: h].")
@click.option(
    "--contrast",
    "contrasts",
    metavar="TEXT",
    multiple=True,
    help="A trend 'NAME: p < lt0 < wb' or a sum 'NAME: 0.5*wa + 0.5*wb - p'; repeatable.",
)
@click.option("--stage", metavar="NAME", help="Only the battles of one stage.")
@click.option("--firth", is_flag=True, help="Bias-reduced estimates, finite for clean sweeps too.")
@click.option(
    "--errors",
    type=click.Choice(["auto", "information", "pairs"]),
    default="auto",
    show_default=True,
    help="Standard errors; auto clusters by pair where battles were paired.",
)
@click.option("--pool", is_flag=True, help="Pool runs even if a player's harness cards differ.")
@click.option("--details", is_flag=True, help="Also fit, pairs, sensitivity and stages.")
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "csv", "markdown", "latex"]),
    default="table",
    show_default=True,
    help="How tables are printed.",
)
@click.option(
    "--table",
    "only",
    metavar="NAME",
    help="Only one table: players, pairwise, contrasts, matchups, fit, pairs, sensitivity.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def command(
    folders: tuple[str, ...],
    counts: str | None,
    reference: str | None,
    contrasts: tuple[str, ...],
    stage: str | None,
    firth: bool,
    errors: str,
    pool: bool,
    details: bool,
    layout: str,
    only: str | None,
    as_json: bool,
) -> None:
    """Analyze runs, or counts of wins: which differences can be believed.

    Several runs are pooled if every player was the same in all of them.

    \b
    Example:
      porimon analyze runs/porimon --reference h --contrast "p < lt0 < wb"
      porimon analyze --counts results.csv --json
    """
    from porimon.stats.analysis import Options

    if bool(folders) == (counts is not None):
        raise UserInputError(
            "give either a run's folder or --counts CSV",
            remedy="porimon analyze DIR, or porimon analyze --counts results.csv",
        )
    options = Options(reference, contrasts, firth, errors)  # type: ignore[arg-type]
    if counts is not None:
        if stage is not None:
            raise UserInputError("counts know of no stages", remedy="leave --stage out")
        analysis, more = _of_counts(Path(counts), options, details)
        _print(analysis, more, layout, only, as_json)
        return
    from porimon.report.analysis import analyze_runs

    runs = analyze_runs([Path(folder) for folder in folders], options, part=stage, pool=pool)
    more = runs.details() if details else None
    if layout == "table" and only is None and not as_json and not details:
        print_runs(runs)
    else:
        _print(runs.analysis, more, layout, only, as_json)


def _of_counts(path: Path, options: Options, details: bool) -> tuple[Analysis, Details | None]:
    from porimon.stats.analysis import analyze_counts
    from porimon.stats.battles import from_counts
    from porimon.stats.counts_csv import read_counts
    from porimon.stats.details import details_of_comparisons

    rows = read_counts(path)
    analysis = analyze_counts(rows, options)
    return analysis, details_of_comparisons(from_counts(rows), analysis) if details else None


def print_runs(runs: AnalyzedRuns) -> None:
    """All battles together, then each part of the tournament by itself."""
    from porimon.cli.console import print_tables, result_console
    from porimon.stats.tables import tables

    for warning in runs.analysis.warnings:
        click.echo(f"warning: {warning}", err=True)
    if not runs.parts:
        print_tables(tables(runs.analysis))
        return
    console = result_console()
    console.rule("all parts together", align="left")
    # Every difference between the players of all parts would fill pages: `--table pairwise` has it.
    print_tables(table for table in tables(runs.analysis) if table.name in ("players", "contrasts"))
    for part, analysis in runs.parts.items():
        console.rule(part, align="left")
        # Players of a part that never met would fill the table with dashes.
        met = tuple(pair for pair in analysis.pairwise if pair.beta_diff is not None)
        print_tables(tables(replace(analysis, pairwise=met)))
    for stage, winner in runs.selections.items():
        console.print(f"{stage}: selected {winner} (best average win rate)", markup=False)


def _print(
    analysis: Analysis, details: Details | None, layout: str, only: str | None, as_json: bool
) -> None:
    from porimon.stats.contrasts import nearest
    from porimon.stats.table_formats import printed
    from porimon.stats.tables import tables

    if as_json:
        document = analysis.document()
        if details is not None:
            document |= details.document(analysis)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))
        return
    found = tables(analysis, details)
    if only is not None:
        names = [table.name for table in found]
        if only not in names:
            raise UserInputError(
                f"there is no table {only!r} here", where="--table", remedy=nearest(only, names)
            )
        found = [table for table in found if table.name == only]
    for warning in analysis.warnings:
        click.echo(f"warning: {warning}", err=True)
    if layout != "table":
        click.echo(printed(found, layout), nl=False)  # type: ignore[arg-type]
        return
    from porimon.cli.console import print_tables

    print_tables(found)
