"""`porimon doctor`: what this machine has and what is missing."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from porimon.cli.completion import language_models


@click.command()
@click.option(
    "--llm",
    metavar="NAME",
    shell_complete=language_models,
    help="Also ask this language model's endpoint (free).",
)
@click.option(
    "--llm-file", type=click.Path(dir_okay=False, path_type=Path), help="Your own llm.toml."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(llm: str | None, llm_file: Path | None, as_json: bool) -> None:
    """Say what this machine has and what is missing, with the command that brings it.

    With --llm, also whether that model's endpoint answers, takes the key and knows the model.
    Exits with 3 when something is missing that a run needs.

    \b
    Examples:
      porimon doctor
      porimon doctor --llm luna
    """
    from porimon.doctor import all_needed_present, examine_machine, examine_model
    from porimon.llm.settings import choose_model, load_models

    model = None if llm is None else choose_model(load_models(llm_file), llm)
    checks = examine_machine()
    if model is not None:
        checks += examine_model(model)
    ready = all_needed_present(checks)
    if as_json:
        click.echo(json.dumps({"ready": ready, "checks": [asdict(check) for check in checks]}))
    else:
        for check in checks:
            mark = "ok     " if check.present else "MISSING" if check.needed else "absent "
            click.echo(f"{mark} {check.name}: {check.found}")
            if check.remedy:
                click.echo(
                    f"        {'what to do' if check.needed else 'if you want it'}: {check.remedy}"
                )
        click.echo("ready to play" if ready else "not ready: see MISSING above")
    sys.exit(0 if ready else 3)
