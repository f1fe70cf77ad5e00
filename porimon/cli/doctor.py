"""`porimon doctor`: what this machine has and what is missing."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(as_json: bool) -> None:
    """Say what this machine has and what is missing, with the command that brings it.

    Exits with 3 when something is missing that every run needs.

    \b
    Example:
      porimon doctor
    """
    from porimon.doctor import all_needed_present, examine_machine

    checks = examine_machine()
    ready = all_needed_present(checks)
    if as_json:
        click.echo(json.dumps({"ready": ready, "checks": [asdict(check) for check in checks]}))
    else:
        for check in checks:
            mark = "ok     " if check.present else "MISSING" if check.needed else "absent "
            click.echo(f"{mark} {check.name}: {check.found}")
            if check.remedy:
                click.echo(f"        {'run' if check.needed else 'if you want it'}: {check.remedy}")
        click.echo("ready to play" if ready else "not ready: see MISSING above")
    sys.exit(0 if ready else 3)
