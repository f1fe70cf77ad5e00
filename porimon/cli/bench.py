"""`porimon bench`: measure speed and sizes, side by side in one run."""

from __future__ import annotations

import importlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from porimon.errors import UserInputError

if TYPE_CHECKING:
    from rich.table import Table

    from porimon.bench.result import BenchResult

BENCHMARKS: dict[str, str] = {
    "candidates": "coverage and calibration of what a foe may have",
    "damage": "share of real hits inside the predicted range",
    "decision": "view to prompt, everything included",
    "growth": "how cost grows with battles, experiences and players",
    "llm": "a tournament against an endpoint of fixed latency, against the ideal",
    "record": "what recording costs, and bytes per battle",
    "report": "writing the report of a large run",
    "retrieval": "top experiences, against the plain implementation",
    "start": "the command's start, and a run's way to its first battle",
    "stats": "the whole analysis of a large tournament",
    "throughput": "battles per second, against stock poke-env and the simulator alone",
    "tokens": "tokens per decision of each player, and their stable share",
    "workers": "several processes, against one",
}
"""Every benchmark (a module of ``porimon.bench``) and what it measures."""


def _completed(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    found = {**BENCHMARKS, "all": "every one", "list": "name them"}
    return [
        CompletionItem(name, help=text)
        for name, text in found.items()
        if name.startswith(incomplete)
    ]


@click.command()
@click.argument("names", metavar="NAME...", nargs=-1, required=True, shell_complete=_completed)
@click.option("--quick", is_flag=True, help="Fewer repetitions: a look, not a measurement.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@click.option(
    "--plots",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the plots of a benchmark that has some to this folder, as SVG.",
)
def command(names: tuple[str, ...], quick: bool, as_json: bool, plots: Path | None) -> None:
    """Run the benchmarks NAME... (`all`: every one, `list`: name them).

    Figures are medians over several repetitions with their spread. What is compared is measured
    side by side in one run, so quote ratios.

    \b
    Examples:
      porimon bench retrieval
      porimon bench throughput record --json
      porimon bench growth --plots plots
    """
    known = list(BENCHMARKS)
    if names == ("list",):
        for name, text in BENCHMARKS.items():
            click.echo(f"{name:<12} {text}")
        return
    wanted = known if names == ("all",) else list(names)
    for name in wanted:
        if name not in known:
            from porimon.config.toml import nearest

            right = nearest(name, known)
            raise UserInputError(
                f"there is no benchmark {name!r}",
                where="porimon bench",
                remedy=f"did you mean {right!r}?" if right else f"one of: {', '.join(known)}, all",
            )
    results = []
    for name in wanted:
        click.echo(f"measuring {name} …", err=True)
        result: BenchResult = importlib.import_module(f"porimon.bench.{name}").run(quick=quick)
        results.append(result)
        if plots is not None:
            _write_plots(result, plots)
        if not as_json:
            _show(result)
    if as_json:
        click.echo(json.dumps([asdict(result) for result in results], ensure_ascii=False))


def _write_plots(result: BenchResult, folder: Path) -> None:
    drawn = result.details.get("plots")
    if isinstance(drawn, dict):
        folder.mkdir(parents=True, exist_ok=True)
        for name, svg in drawn.items():
            (folder / f"{name}.svg").write_text(svg, encoding="utf-8")


def _show(result: BenchResult) -> None:
    from porimon.cli.console import result_console

    console = result_console()
    console.print(_table(result))
    for note in result.notes:
        console.print(note, markup=False)


def _table(result: BenchResult) -> Table:
    from rich.table import Table

    table = Table(title=result.name, title_justify="left")
    table.add_column("figure")
    for title in ("median", "low", "high"):
        table.add_column(title, justify="right")
    table.add_column("unit")
    table.add_column("goal")
    for each in result.figures:
        met = "" if each.met is None else " (met)" if each.met else " (missed)"
        table.add_row(
            each.name,
            *(f"{value:,.4g}" for value in (each.median, each.low, each.high)),
            each.unit,
            f"{each.goal}{met}" if each.goal else "",
        )
    return table
