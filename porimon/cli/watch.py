"""`porimon watch`: follow a run from another terminal; it only reads the record."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, Group

    from porimon.tournament.record.standing import RunStanding

_SHARE_OF_TIME = 0.1
"""At most so much of the time goes into reading, however large the record is."""


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--every",
    type=click.FloatRange(0.2, 3600),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="Pause between two looks at the record.",
)
@click.option("--once", is_flag=True, help="Look once and stop.")
@click.option("--json", "as_json", is_flag=True, help="Look once; one JSON document on stdout.")
def command(folder: Path, every: float, once: bool, as_json: bool) -> None:
    """Follow the run in DIR until it has ended or no process plays it any more.

    On a terminal a table is kept up to date; elsewhere a line is printed whenever battles have
    ended. Ctrl-C ends the watching, never the run.

    \b
    Examples:
      porimon watch runs/demo
      porimon watch runs/demo --json
    """
    from porimon.tournament.record.standing import run_standing

    if as_json:
        click.echo(json.dumps(standing_document(run_standing(folder)), ensure_ascii=False))
        return
    from porimon.cli.console import result_console

    console = result_console()
    if once:
        console.print(standing_view(run_standing(folder), height=None))
        return
    # Ctrl-C is how one stops watching: nothing was broken off.
    with contextlib.suppress(KeyboardInterrupt):
        *_, last = _shown(console, _looks(folder, every))
        click.echo(_ending(last), err=True)


def _looks(folder: Path, every: float) -> Iterator[RunStanding]:
    """The standing again and again; the last one is of a run that nobody plays."""
    from porimon.tournament.record.standing import run_standing

    while True:
        began = time.monotonic()
        standing = run_standing(folder)
        yield standing
        if standing.done or standing.process is None:
            return
        time.sleep(max(every, (time.monotonic() - began) / _SHARE_OF_TIME))


def _shown(console: Console, looks: Iterator[RunStanding]) -> Iterator[RunStanding]:
    """Show each standing, then pass it on."""
    if not console.is_terminal:
        shown = ""
        for standing in looks:
            line = summary(standing)
            if line != shown:
                click.echo(shown := line)
            yield standing
        return
    from rich.live import Live

    with Live(console=console, auto_refresh=False) as live:
        for standing in looks:
            live.update(standing_view(standing, console.height), refresh=True)
            yield standing


def summary(standing: RunStanding) -> str:
    """The whole run in one line."""
    from porimon.cli.live import duration

    decisions = sum(each.decisions for each in standing.matchups)
    fallbacks = sum(each.fallbacks for each in standing.matchups)
    tokens = "tokens unknown" if standing.tokens is None else f"{standing.tokens:,} tokens"
    parts = [
        f"{standing.finished} of {standing.planned} battles",
        *([f"{standing.calls:,} calls", tokens] if standing.calls else []),
        "cost unknown" if standing.cost is None else f"${standing.cost:.2f}",
        f"{fallbacks} fallbacks in {decisions:,} decisions",
    ]
    if standing.put_back:
        parts.append(f"{standing.put_back} put back")
    if standing.process is not None and not standing.done:
        speed = standing.battles_per_minute
        if speed is not None:
            parts.append(f"{speed:.1f} battles/min")
        parts.append(f"{duration(standing.seconds_left)} left")
    return " · ".join(parts)


def standing_view(standing: RunStanding, height: int | None) -> Group:
    """What a terminal shows; with a ``height`` as many matchups as fit, those in play first."""
    from rich.console import Group
    from rich.text import Text

    from porimon.cli.live import Tally, tally_table

    players = "" if standing.process is None else f", played by process {standing.process}"
    models = f", asking {'; '.join(standing.models)}" if standing.models else ""
    in_play = [each for each in standing.matchups if each.begun and not each.done]
    others = [each for each in standing.matchups if not (each.begun and not each.done)]
    chosen = [*in_play, *sorted(others, key=lambda each: not each.done)]
    places = len(chosen) if height is None else max(1, height - 8 - len(standing.selections))
    tallies = [
        Tally(
            matchup=each.matchup,
            finished=each.finished,
            wins_a=each.wins_a,
            wins_b=each.wins_b,
            ties=each.ties,
            decisions=each.decisions,
            fallbacks=each.fallbacks,
            done=each.done,
            stopped_after=each.stopped_after,
        )
        for each in sorted(chosen[:places], key=lambda each: each.matchup.number)
    ]
    hidden = len(chosen) - len(tallies)
    return Group(
        Text(f"{standing.name}{players}{models}", style="bold"),
        tally_table(tallies, running=False),
        *([Text(f"and {hidden} more matchups", style="dim")] if hidden else []),
        *(Text(f"{stage}: {winner} was selected") for stage, winner in standing.selections.items()),
        Text(summary(standing), style="bold"),
    )


def standing_document(standing: RunStanding) -> dict[str, Any]:
    """The standing as JSON; what is unknown is null."""
    return {
        "name": standing.name,
        "process": standing.process,
        "done": standing.done,
        "planned": standing.planned,
        "finished": standing.finished,
        "calls": standing.calls,
        "tokens": standing.tokens,
        "cost": standing.cost,
        "put_back": standing.put_back,
        "last_finished": standing.last_finished,
        "battles_per_minute": standing.battles_per_minute,
        "seconds_left": standing.seconds_left,
        "models": list(standing.models),
        "selections": standing.selections,
        "matchups": [
            {
                "matchup": each.matchup.matchup_id,
                "a": each.matchup.name_a,
                "b": each.matchup.name_b,
                "planned": each.matchup.battles,
                "finished": each.finished,
                "wins_a": each.wins_a,
                "wins_b": each.wins_b,
                "ties": each.ties,
                "decisions": each.decisions,
                "fallbacks": each.fallbacks,
                "stopped_after": each.stopped_after,
            }
            for each in standing.matchups
        ],
    }


def _ending(standing: RunStanding) -> str:
    if standing.done:
        return "everything is played: porimon report writes the report"
    return (
        f"no process plays this run now; {standing.planned - standing.finished} battles are left: "
        "go on with the `porimon run` command that began it"
    )
