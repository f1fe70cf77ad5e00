"""`porimon run`: play a tournament file, or go on with a run that stopped."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from porimon.cli.completion import language_models, tournament_files


@click.command()
@click.argument("file", type=click.Path(path_type=Path), shell_complete=tournament_files)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="The run's folder.")
@click.option(
    "--llm",
    shell_complete=language_models,
    help="Language model of all players that name none (see llm.toml).",
)
@click.option("--battles", type=click.IntRange(1), help="Battles per matchup.")
@click.option("--seed", type=click.IntRange(0), help="The run's seed.")
@click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE", help="Change any setting of the file."
)
@click.option(
    "--llm-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Your own llm.toml (its models come before the shipped ones).",
)
@click.option("--server", metavar="URL", help="Use this Showdown server; start none.")
@click.option(
    "--simulators",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Simulator processes of the server that the run starts.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Processes that play battles, each with a server of its own.",
)
@click.option(
    "--ray",
    metavar="ADDRESS",
    help="Have a Ray cluster run the workers (`auto`: the one running here; `local`: start one).",
)
@click.option("--mixed", is_flag=True, help="Go on although a player's settings have changed.")
@click.option("--json", "as_json", is_flag=True, help="Print the analysis as JSON on stdout.")
def command(
    file: Path,
    out: Path | None,
    llm: str | None,
    battles: int | None,
    seed: int | None,
    changes: tuple[str, ...],
    llm_file: Path | None,
    server: str | None,
    simulators: int,
    workers: int,
    ray: str | None,
    mixed: bool,
    as_json: bool,
) -> None:
    """Play the tournament of FILE, or go on with the run in its folder.

    FILE is a TOML file, or the name of a shipped one (demo, small, porimon …).

    \b
    Examples:
      porimon run demo
      porimon run tournament.toml --llm luna --battles 100 --out runs/first
      porimon run small --set concurrency.battles=32
      porimon run small --workers 4
    """
    from porimon.cli.play import play_and_tell
    from porimon.launch import RunRequest

    given = [("llm", llm), ("battles", battles), ("seed", seed)]
    more = tuple(f"{key}={value}" for key, value in given if value is not None)
    request = RunRequest(
        file=shipped_or_own(file),
        out=out,
        changes=(*more, *changes),
        llm_file=llm_file,
        server=server,
        mixed=mixed,
        simulators=simulators,
        workers=workers,
        ray=ray,
    )
    asyncio.run(play_and_tell(request, as_json=as_json))


def shipped_or_own(file: Path) -> Path:
    """The user's file; or the shipped one of that name where the user has none.

    Raises ``UserInputError`` with the nearest shipped name where there is neither.
    """
    from porimon.config.toml import nearest
    from porimon.errors import UserInputError
    from porimon.paths import shipped_tournaments

    if file.is_file():
        return file
    shipped = {path.stem: path for path in sorted(shipped_tournaments().glob("*.toml"))}
    if file.parent == Path() and file.suffix in ("", ".toml") and file.stem in shipped:
        return shipped[file.stem]
    right = nearest(file.stem, shipped)
    raise UserInputError(
        "there is no such tournament file",
        where=str(file),
        remedy=f"did you mean {right!r}?"
        if right
        else f"give a TOML file, or a shipped one: {', '.join(shipped)}",
    )
