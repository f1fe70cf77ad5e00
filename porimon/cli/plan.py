"""`porimon plan`: what a tournament would play, cost, and be able to show."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from porimon.cli.completion import tournament_files

if TYPE_CHECKING:
    from rich.table import Table

    from porimon.config.load import TournamentFile
    from porimon.tournament.expect import Expectation, Usage
    from porimon.tournament.plan import Matchup

MEASURED_PAIR_CORRELATION = -0.33
"""Of two battles with the same teams, sides swapped, between equal players (docs/statistics.md)."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path), shell_complete=tournament_files)
@click.option("--set", "changes", multiple=True, metavar="KEY=VALUE", help="Change a setting.")
@click.option(
    "--llm-file", type=click.Path(dir_okay=False, path_type=Path), help="Your own llm.toml."
)
@click.option(
    "--from",
    "past",
    type=click.Path(file_okay=False, path_type=Path),
    help="Take tokens and latency from this past run.",
)
@click.option("--no-probe", is_flag=True, help="Measure nothing: leave tokens and cost unknown.")
@click.option(
    "--latency", type=click.FloatRange(0, min_open=True), help="Seconds that one call takes."
)
@click.option(
    "--detect",
    type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
    help="How many battles show a win rate of 0.5 + this at 80 % power?",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def command(
    file: Path,
    changes: tuple[str, ...],
    llm_file: Path | None,
    past: Path | None,
    no_probe: bool,
    latency: float | None,
    detect: float | None,
    as_json: bool,
) -> None:
    """Show the matchups of FILE, what they would take, and what they could show.

    Tokens come from a past run (--from), or from a short probe with the offline reader, which
    needs no network and costs nothing.

    \b
    Examples:
      porimon plan porimon
      porimon plan tournament.toml --from runs/first --detect 0.03
    """
    from porimon.cli.run import shipped_or_own
    from porimon.config.load import load_tournament
    from porimon.launch import used_models
    from porimon.tournament.expect import expect
    from porimon.tournament.plan import planned_matchups

    tournament = load_tournament(shipped_or_own(file), changes)
    models = used_models(tournament, llm_file)
    matchups = planned_matchups(tournament.settings)
    usage, source = _usage(tournament, past, no_probe=no_probe)
    expected = expect(
        matchups,
        tournament.players,
        usage,
        {name: model.prices for name, model in models.items()},
        concurrency=min(
            tournament.settings.concurrency.battles,
            tournament.settings.concurrency.per_matchup * len(matchups),
        ),
        latency_seconds=latency,
    )
    document = _document(tournament, matchups, expected, source, detect)
    if as_json:
        click.echo(json.dumps(document, ensure_ascii=False))
    else:
        _show(document)


def _usage(
    tournament: TournamentFile, past: Path | None, *, no_probe: bool
) -> tuple[dict[str, Usage], str]:
    from porimon.tournament.expect import usage_by_base
    from porimon.tournament.record.read import RunReader

    if past is not None:
        with RunReader(past) as reader:
            return usage_by_base(reader), f"the run in {past}"
    if no_probe or not any(player.llm for player in tournament.players.values()):
        return {}, "nothing (no probe)"
    from porimon.probe import probe

    click.echo("probing with the offline reader (half a minute; free) …", err=True)
    return asyncio.run(probe(tournament)), "a probe with the offline reader"


def _document(
    tournament: TournamentFile,
    matchups: tuple[Matchup, ...],
    expected: Expectation,
    source: str,
    detect: float | None,
) -> dict[str, Any]:
    from porimon.stats.power import battles_needed, detectable_win_rate

    correlation = MEASURED_PAIR_CORRELATION if tournament.settings.paired else 0.0
    sizes = sorted({matchup.battles for matchup in matchups})
    return {
        "name": tournament.settings.name,
        "matchups": [
            {
                "number": matchup.number,
                "part": matchup.part,
                "stage": matchup.stage,
                "a": matchup.name_a,
                "b": matchup.name_b,
                "battles": matchup.battles,
            }
            for matchup in matchups
        ],
        "battles": expected.battles,
        "calls": expected.calls,
        "input_tokens": expected.input_tokens,
        "output_tokens": expected.output_tokens,
        "cost": expected.cost,
        "seconds": expected.seconds,
        "source": source,
        "pair_correlation": correlation,
        "detectable": [
            {
                "battles": size,
                "one_test": detectable_win_rate(size, correlation=correlation),
                "all_matchups": detectable_win_rate(
                    size, tests=len(matchups), correlation=correlation
                ),
            }
            for size in sizes
        ],
        "needed": None
        if detect is None
        else {
            "difference": detect,
            "one_test": battles_needed(detect, correlation=correlation),
            "all_matchups": battles_needed(detect, tests=len(matchups), correlation=correlation),
        },
    }


def _show(document: dict[str, Any]) -> None:
    from porimon.cli.console import result_console
    from porimon.cli.live import duration

    console = result_console()
    console.print(_matchup_table(document))
    console.print()

    def amount(value: float | None) -> str:
        return "unknown" if value is None else f"{value:,.0f}"

    cost = document["cost"]
    seconds = document["seconds"]
    for line in (
        f"matchups        {len(document['matchups'])}",
        f"battles         {document['battles']:,}",
        f"calls           {amount(document['calls'])}",
        f"input tokens    {amount(document['input_tokens'])}",
        f"output tokens   {amount(document['output_tokens'])}",
        f"cost            {'unknown' if cost is None else f'${cost:,.2f}'}",
        "waiting         "
        + (
            "unknown (give --latency, or --from a run with this model)"
            if seconds is None
            else f"{duration(seconds)} for the model"
        ),
        f"figures from    {document['source']}",
    ):
        console.print(line, markup=False)
    for each in document["detectable"]:
        console.print(
            f"{each['battles']} battles a matchup show at 80 % power a win rate of "
            f"{_rate(each['one_test'])} (one test), {_rate(each['all_matchups'])} "
            f"(all {len(document['matchups'])} matchups, Holm)",
            markup=False,
            soft_wrap=True,
        )
    if needed := document["needed"]:
        console.print(
            f"a difference of {100 * needed['difference']:g} points needs "
            f"{needed['one_test']:,} battles (one test), {needed['all_matchups']:,} "
            "(all matchups, Holm)",
            markup=False,
            soft_wrap=True,
        )


def _matchup_table(document: dict[str, Any]) -> Table:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=document["name"], title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right", no_wrap=True)
    for title in ("stage", "player a", "player b"):
        table.add_column(title, no_wrap=True)
    table.add_column("battles", justify="right", no_wrap=True)
    parts = list(dict.fromkeys(each["part"] for each in document["matchups"]))
    for part in parts:
        if len(parts) > 1:
            table.add_row("", escape(part), style="bold")
        for each in document["matchups"]:
            if each["part"] == part:
                names = ("number", "stage", "a", "b", "battles")
                table.add_row(*(escape(str(each[name])) for name in names))
    return table


def _rate(difference: float | None) -> str:
    return "none at all" if difference is None else f"{0.5 + difference:.1%}"
