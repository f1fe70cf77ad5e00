"""`porimon memory`: a run's experiences: list, show, export, import, and how they were used."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from porimon.errors import UserInputError

if TYPE_CHECKING:
    from rich.table import Table

    from porimon.memory.of_run import RunMemory
    from porimon.memory.store import StoredExperience
    from porimon.memory.usage import MemoryUsage, Share

_SHOWN_ID = 12


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.argument(
    "action", type=click.Choice(["list", "show", "export", "import", "stats"]), default="list"
)
@click.argument("subject", metavar="[ID|FILE]", required=False)
@click.option("--matchup", metavar="NAME", help="Only the memories of this matchup.")
@click.option("--seat", type=click.Choice(["a", "b"]), help="Only this player of each matchup.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def command(
    folder: Path,
    action: str,
    subject: str | None,
    matchup: str | None,
    seat: str | None,
    as_json: bool,
) -> None:
    """Long-Term experiences of the run in DIR.

    \b
    list         every experience, one a line (the default)
    show ID      one in full; the beginning of its id is enough
    stats        how often each was retrieved, win rate with it and without
    export FILE  write them as JSON Lines (- for stdout), oldest battle first
    import FILE  add those of a file to one memory (--matchup and --seat) that
                 isn't played yet; they count as older than its first battle

    The win rates describe and don't prove: an experience is retrieved in battles of a certain kind.

    \b
    Examples:
      porimon memory runs/demo
      porimon memory runs/demo show 3fa1
      porimon memory runs/demo stats --seat a
      porimon memory runs/demo export lessons.jsonl
      porimon memory runs/next import lessons.jsonl --matchup "final: wa v h" --seat a
    """
    from porimon.memory.of_run import read_memories

    if (subject is None) == (action in ("show", "export", "import")):
        wanted = {"show": "an ID", "export": "a FILE", "import": "a FILE"}.get(action, "nothing")
        raise click.UsageError(f"`{action}` takes {wanted} behind it")
    if subject is not None and action == "import":
        _import(folder, matchup, seat, subject, as_json)
        return
    memories = read_memories(folder, matchup, seat)
    if subject is not None and action == "show":
        _show(memories, subject, as_json)
    elif subject is not None:
        _export(memories, subject)
    elif action == "stats":
        _stats(memories, as_json)
    else:
        _list(memories, as_json)


def _list(memories: Sequence[RunMemory], as_json: bool) -> None:
    from porimon.memory.of_run import every_entry

    if as_json:
        rows = [_short(memory, entry) for memory, entry in every_entry(memories)]
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    for memory in memories:
        _print(_listing(memory))


def _show(memories: Sequence[RunMemory], identity: str, as_json: bool) -> None:
    from porimon.memory.of_run import find_experience

    memory, entry = find_experience(memories, identity)
    document = {"id": entry.experience.id, **entry.experience.document()}
    if as_json:
        click.echo(json.dumps(document, ensure_ascii=False))
        return
    click.echo(memory.store.name)
    for name, value in document.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            click.echo(f"{name}:")
            for member in value:
                click.echo(f"  {json.dumps(member, ensure_ascii=False)}")
        else:
            click.echo(f"{name}: {_printable(str(value))}")


def _export(memories: Sequence[RunMemory], file: str) -> None:
    from porimon.memory.exchange import to_line
    from porimon.memory.of_run import every_entry

    lines = [to_line(memory.store, entry.experience) for memory, entry in every_entry(memories)]
    try:
        with click.open_file(file, "w", encoding="utf-8") as opened:
            opened.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise UserInputError(f"the file cannot be written: {error.strerror}", where=file) from error
    click.echo(f"{len(lines)} experiences exported", err=True)


def _import(folder: Path, matchup: str | None, seat: str | None, file: str, as_json: bool) -> None:
    from porimon.memory.exchange import from_lines
    from porimon.memory.of_run import import_into

    if matchup is None or seat is None:
        raise click.UsageError("say into which memory: --matchup NAME --seat a|b")
    try:
        with click.open_file(file, "r", encoding="utf-8") as opened:
            experiences = from_lines(opened, where=file)
    except (OSError, UnicodeDecodeError) as error:
        raise UserInputError(f"the file cannot be read: {error}", where=file) from error
    added = import_into(folder, matchup, seat, experiences)
    if as_json:
        click.echo(json.dumps({"read": len(experiences), "added": added}))
    else:
        click.echo(f"{added} of {len(experiences)} experiences were new and are added")


def _stats(memories: Sequence[RunMemory], as_json: bool) -> None:
    from porimon.memory.usage import memory_usage

    found = [(memory, memory_usage(memory.entries)) for memory in memories]
    if as_json:
        click.echo(json.dumps([_usage_document(*each) for each in found], ensure_ascii=False))
        return
    for memory, usage in found:
        _print(_usage_table(memory, usage))
        click.echo(
            f"battles given an experience: {_share_text(usage.given)}; "
            f"given none: {_share_text(usage.not_given)}\n"
        )


def _short(memory: RunMemory, entry: StoredExperience) -> dict[str, Any]:
    experience = entry.experience
    return {
        "id": experience.id,
        "matchup_id": memory.store.matchup_id,
        "seat": memory.store.seat,
        "battle_id": experience.battle_id,
        "imported": entry.place < 0,
        "result": experience.result,
        "turns": experience.turns,
        "marks": list(experience.marks),
        "summary": experience.summary,
    }


def _listing(memory: RunMemory) -> Table:
    table = _table(memory, "id", "battle", "result", "turns", "marks", "summary")
    for entry in memory.entries:
        experience = entry.experience
        table.add_row(
            experience.id[:_SHOWN_ID],
            experience.battle_id + (" (imported)" if entry.place < 0 else ""),
            experience.result,
            "?" if experience.turns is None else str(experience.turns),
            ", ".join(experience.marks),
            _plain(experience.summary or ""),
        )
    return table


def _usage_document(memory: RunMemory, usage: MemoryUsage) -> dict[str, Any]:
    return {
        "matchup_id": memory.store.matchup_id,
        "seat": memory.store.seat,
        "given": _share_document(usage.given),
        "not_given": _share_document(usage.not_given),
        "experiences": [
            {
                "id": each.stored.experience.id,
                "battle_id": each.stored.experience.battle_id,
                "decisions": each.decisions,
                "given": _share_document(each.given),
                "not_given": _share_document(each.not_given),
            }
            for each in usage.experiences
        ],
    }


def _share_document(share: Share) -> dict[str, Any]:
    return {"battles": share.battles, "win_rate": share.win_rate}


def _usage_table(memory: RunMemory, usage: MemoryUsage) -> Table:
    table = _table(memory, "id", "battle", "decisions", "with it", "later, without it")
    for each in usage.experiences:
        table.add_row(
            each.stored.experience.id[:_SHOWN_ID],
            each.stored.experience.battle_id,
            str(each.decisions),
            _share_text(each.given),
            _share_text(each.not_given),
        )
    return table


def _share_text(share: Share) -> str:
    if share.win_rate is None:
        return "no battles"
    return f"{share.win_rate:.1%} of {share.battles}"


def _table(memory: RunMemory, *columns: str) -> Table:
    from rich.table import Table

    table = Table(title=f"{_plain(memory.store.name)}: {len(memory.entries)}", title_justify="left")
    for name in columns:
        table.add_column(name)
    return table


def _plain(text: str) -> str:
    """Text of a model or a user as it is: no markup is read in it."""
    from rich.markup import escape

    return escape(_printable(text))


def _printable(text: str) -> str:
    """Without control characters, which a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _print(table: Table) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        # Piped text must not be cut to the width of a terminal that is not there.
        console = Console(highlight=False, width=200)
    console.print(table)
