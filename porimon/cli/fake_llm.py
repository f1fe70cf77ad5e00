"""`porimon fake-llm`: the offline reader as an OpenAI-style endpoint, with faults on request."""

from __future__ import annotations

import os

import click


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port; 0: a free one.")
@click.option(
    "--latency-ms",
    "latency",
    default="0",
    show_default=True,
    metavar="MS|LOW-HIGH",
    help="Milliseconds before each answer, or a range to draw from.",
)
@click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="KIND:RATE",
    help="Fail a share of the requests; may be repeated. --list-faults shows the kinds.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Chooses latencies and faults."
)
@click.option(
    "--require-key-env",
    metavar="NAME",
    help="Refuse requests without the key that this environment variable holds.",
)
@click.option("--list-faults", is_flag=True, help="Print the kinds of faults and stop.")
def command(
    port: int,
    latency: str,
    faults: tuple[str, ...],
    seed: int,
    require_key_env: str | None,
    list_faults: bool,
) -> None:
    """Serve the offline reader (no language model) on this machine, for tests of clients.

    It answers POST /v1/chat/completions and GET /v1/models on loopback until Ctrl-C. Which requests
    meet a fault follows from their content and the seed, so a run can be repeated.

    \b
    Example:
      porimon fake-llm --port 8080 --latency-ms 200-800 --fault 429@2:0.05 --fault cut-middle:0.01
    """
    from porimon.llm.endpoint.faults import KINDS, FaultPlan, parse_fault
    from porimon.llm.endpoint.serving import parse_latency, serve_until_stopped

    if list_faults:
        for kind, meaning in KINDS.items():
            click.echo(f"{kind:16} {meaning}")
        click.echo("400 … 599        that HTTP status; 429@2: with Retry-After: 2")
        return
    key = os.environ.get(require_key_env) if require_key_env else None
    if require_key_env and not key:
        raise click.UsageError(f"the environment variable {require_key_env} is not set")
    serve_until_stopped(
        FaultPlan(dict(parse_fault(text) for text in faults), seed=seed),
        parse_latency(latency),
        seed=seed,
        port=port,
        required_key=key,
        announce=click.echo,
    )
