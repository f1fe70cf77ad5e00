"""`porimon inspect`: what a player saw, asked, got and did at a decision."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.argument("battle")
@click.argument("turn", type=click.IntRange(0), required=False)
@click.option("--seat", type=click.Choice(["a", "b"]), help="Only this player's decisions.")
@click.option("--json", "as_json", is_flag=True, help="Everything as one JSON document.")
def command(folder: Path, battle: str, turn: int | None, seat: str | None, as_json: bool) -> None:
    """Show the decisions of BATTLE in the run of DIR: all in short, or those of TURN in full.

    \b
    Examples:
      porimon inspect runs/demo 3.1
      porimon inspect runs/demo 3.1 7 --seat b
    """
    from porimon.cli.console import result_console
    from porimon.report.inspect_text import battle_lines, decision_lines
    from porimon.tournament.record.read import RunReader

    with RunReader(folder) as reader:
        found = reader.battle(battle)
        matchup = next(m for m in reader.matchups() if m.matchup_id == found.matchup_id)
        details = reader.details(battle)
    # The record keeps seat after seat; a reader follows the battle.
    decisions = sorted(
        (
            decision
            for decision in details["decisions"]
            if (turn is None or decision["turn"] == turn) and seat in (None, decision["seat"])
        ),
        key=lambda decision: (decision["turn"], decision["seat"], decision["number"]),
    )
    if as_json:
        click.echo(json.dumps({**details, "decisions": decisions}, ensure_ascii=False))
        return
    console = result_console()
    if turn is None:
        lines = list(battle_lines(found, matchup, decisions, details["reflections"]))
    else:
        lines = [line for each in decisions for line in decision_lines(each, matchup)]
        if not lines:
            last = max((decision["turn"] for decision in details["decisions"]), default=0)
            raise click.BadParameter(f"there is no decision in turn {turn} (1 to {last})")
    for style, text in lines:
        # Text of a model or an opponent is data: no markup is read in it.
        console.print(text, style=style or None, markup=False, soft_wrap=True)
