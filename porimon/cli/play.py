"""Plays a run with progress on stderr and its results on stdout; shared by `run` and `demo`."""

from __future__ import annotations

from pathlib import Path

from porimon.cli.console import message_console
from porimon.launch import RunRequest, launch, plan_document, run_folder, used_models


async def play_and_tell(request: RunRequest, *, as_json: bool) -> Path:
    """Play what is missing, then print the analysis. Returns the run's folder."""
    from porimon.cli.live import LiveProgress
    from porimon.tournament.complete import everything_played
    from porimon.tournament.plan import planned_matchups

    tournament = request.loaded()
    folder = run_folder(request, tournament)
    planned = sum(matchup.battles for matchup in planned_matchups(tournament.settings))
    asked = sorted(model.label for model in used_models(tournament, request.llm_file).values())
    models = f", asking {'; '.join(asked)}" if asked else ""
    console = message_console()
    console.print(
        f"{tournament.settings.name}: {planned} battles{models}, recorded in {folder}",
        markup=False,
        soft_wrap=True,
    )
    if everything_played(folder, tournament.settings, plan_document(tournament)):
        console.print("every battle is played already", markup=False)
    else:
        with LiveProgress(console, planned) as progress:
            await launch(request, progress, progress.say)
    print_analysis(folder, as_json=as_json)
    return folder


def print_analysis(folder: Path, *, as_json: bool) -> None:
    """The run's tables on stdout, or the analysis as JSON."""
    import json

    import click

    from porimon.cli.analyze import print_runs
    from porimon.report.analysis import analyze_runs

    runs = analyze_runs([folder])
    if as_json:
        click.echo(json.dumps(runs.analysis.document(), ensure_ascii=False, allow_nan=False))
    else:
        print_runs(runs)
