"""`porimon demo`: the main job end to end, offline, in about a minute."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("runs/demo"),
    show_default=True,
    help="The run's folder.",
)
@click.option("--battles", type=click.IntRange(1), help="Battles per matchup [default: 10].")
def command(out: Path, battles: int | None) -> None:
    """Play a small tournament on a local server, without a network, and write its report.

    The heuristic player, PokéLLMon's prompt and Porimon's prompt meet. In place of a language
    model an offline reader answers, which sees nothing but the prompts.

    \b
    Example:
      porimon demo
    """
    from porimon.cli.play import play_and_tell
    from porimon.cli.report import write_and_tell
    from porimon.launch import RunRequest
    from porimon.paths import shipped_tournaments

    changes = () if battles is None else (f"battles={battles}",)
    request = RunRequest(shipped_tournaments() / "demo.toml", out=out, changes=changes)
    folder = asyncio.run(play_and_tell(request, as_json=False))
    write_and_tell(folder)
