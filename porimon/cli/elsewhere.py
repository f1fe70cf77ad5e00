"""What `challenge`, `accept` and `ladder` have in common: options, and playing."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from porimon.cli.completion import language_models

if TYPE_CHECKING:
    from porimon.showdown.elsewhere.meeting import Meeting

Command = TypeVar("Command", bound=Callable[..., Any])

DYNAMAX_FREE = "gen8randombattle@@@Dynamax Clause"
LADDER_FORMAT = "gen8randombattle"

_OPTIONS = (
    click.option("--player", default="lt0", show_default=True, help="Who plays, e.g. p-T10."),
    click.option("--plugin", metavar="FILE.py:CLASS", help="The player is a class of your own."),
    click.option(
        "--llm",
        default="offline",
        show_default=True,
        shell_complete=language_models,
        help="Its language model.",
    ),
    click.option(
        "--llm-file", type=click.Path(dir_okay=False, path_type=Path), help="Your own llm.toml."
    ),
    click.option(
        "--server",
        default="http://127.0.0.1:8000",
        show_default=True,
        metavar="URL",
        help="The Showdown server; `official` for play.pokemonshowdown.com's.",
    ),
    click.option("--login-server", metavar="URL", help="Where the server's accounts are kept."),
    click.option("--battles", type=click.IntRange(1), default=1, show_default=True),
    click.option("--timer", is_flag=True, help="Ask for the server's timer in each battle."),
    click.option(
        "--throttle",
        type=click.IntRange(0),
        default=600,
        show_default=True,
        metavar="MS",
        help="Milliseconds between two messages; servers drop those of the impatient.",
    ),
    click.option(
        "--wait",
        type=click.FloatRange(0, min_open=True),
        default=600.0,
        show_default=True,
        metavar="SECONDS",
        help="How long to wait for an opponent.",
    ),
    click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        help="Folder of the record [default: runs/elsewhere-PLAYER].",
    ),
    click.option("--json", "as_json", is_flag=True, help="The results as one JSON document."),
)


def elsewhere_options(command: Command) -> Command:
    """Add the options that all three commands have."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def play_elsewhere(
    meeting: Meeting,
    battle_format: str,
    *,
    player: str,
    plugin: str | None,
    llm: str,
    llm_file: Path | None,
    server: str,
    login_server: str | None,
    battles: int,
    timer: bool,
    throttle: int,
    wait: float,
    out: Path | None,
    as_json: bool,
) -> None:
    """Play, tell how it goes on stderr, and the results on stdout."""
    from porimon.cli.console import message_console
    from porimon.cli.live import LiveProgress
    from porimon.launch_elsewhere import ElsewhereRequest, launch_elsewhere
    from porimon.plugins import anchored
    from porimon.report.inspect_text import safe

    request = ElsewhereRequest(
        meeting=meeting,
        battle_format=battle_format,
        server=server,
        command=("porimon", *sys.argv[1:]),
        player=player,
        plugin=None if plugin is None else anchored(plugin, Path.cwd()),
        llm=llm,
        llm_file=llm_file,
        login_server=login_server,
        battles=battles,
        timer=timer,
        wait_seconds=wait,
        throttle_seconds=throttle / 1000,
        out=out,
    )
    with LiveProgress(message_console(), battles) as progress:
        folder = asyncio.run(launch_elsewhere(request, progress, progress.say))
    results = results_elsewhere(folder, battles)
    if as_json:
        click.echo(json.dumps({"folder": str(folder), "battles": results}, ensure_ascii=False))
        return
    for result in results:
        click.echo(
            # A name is the server's word: a terminal must not obey what stands in it.
            f"{result['battle']}: {result['result']} against {safe(result['opponent'])} "
            f"in {result['turns']} turns ({result['end_reason']})"
        )
    click.echo(f"porimon inspect {shlex.quote(str(folder))} {results[-1]['battle']}", err=True)


def results_elsewhere(folder: Path, latest: int) -> list[dict[str, Any]]:
    """The latest battles of a folder: against whom, and how they ended for our player."""
    from porimon.tournament.record.read import RunReader

    with RunReader(folder) as reader:
        battles = sorted(reader.battles(), key=lambda battle: battle.position)[-latest:]
    return [
        {
            "battle": battle.battle_id,
            "opponent": next(
                note.removeprefix("opponent ")
                for note in battle.notes
                if note.startswith("opponent ")
            ),
            "result": {"a": "won", "b": "lost", None: "tied"}[battle.winner],
            "turns": battle.turns,
            "end_reason": battle.end_reason,
        }
        for battle in battles
    ]
