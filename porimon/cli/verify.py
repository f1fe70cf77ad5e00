"""`porimon verify`: simulate recorded battles again and compare."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from porimon.verify import Verified


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.argument("battles", metavar="[BATTLE]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def command(folder: Path, battles: tuple[str, ...], as_json: bool) -> None:
    """Simulate the battles of the run in DIR again, from seed and choices, with the pinned
    simulator, and compare logs and winners. The exit code is 1 if any differs.

    \b
    Examples:
      porimon verify runs/demo
      porimon verify runs/demo 1.1 3.7
    """
    from porimon.verify import verify_run

    def told(verified: Verified) -> None:
        if verified.problem is not None:
            click.echo(f"battle {verified.battle_id}: {verified.problem}", err=True)

    results = asyncio.run(verify_run(folder, battles, told))
    same = sum(each.replayable and each.problem is None for each in results)
    differing = sum(each.problem is not None for each in results)
    without = sum(not each.replayable for each in results)
    if as_json:
        document = {
            "same": same,
            "different": differing,
            "without_choices": without,
            "battles": [asdict(each) for each in results],
        }
        click.echo(json.dumps(document))
    else:
        click.echo(
            f"{same} of {len(results)} battles came out as recorded"
            + (f", {differing} differ" if differing else "")
            + (f", {without} were played elsewhere and cannot be simulated" if without else "")
        )
    if differing:
        raise click.exceptions.Exit(1)
