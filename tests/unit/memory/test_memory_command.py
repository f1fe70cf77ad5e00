"""`porimon memory` on a record as a run makes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from porimon.cli.memory import command
from porimon.config.tournament import TournamentSettings
from porimon.errors import PorimonError, RecordError, UserInputError
from porimon.memory.experience import Experience
from porimon.memory.store import MemoryStore
from porimon.tournament.plan import planned_matchups
from porimon.tournament.record.connect import connect_to_write, record_path
from porimon.tournament.record.plan_check import check_plan
from porimon.tournament.record.schema import prepare
from tests.unit.memory.line_game import experience, team

SETTINGS = TournamentSettings.model_validate(
    {"name": "test", "round_robin": ["lt1-uniform", "lt1-weighted", "h"]}
)
PLAYED, UNPLAYED, _ = (matchup.matchup_id for matchup in planned_matchups(SETTINGS))


def experiences() -> list[Experience]:
    """Three battles: lost, then won and lost with the first one's experience."""
    first = experience(0, team(0.1), team(0.2), "loss", summary="[bold]No.\x1b[31m 1")
    return [
        first,
        experience(1, team(0.3), team(0.4), "win", retrieved={first.id: 3}, summary="No. 2"),
        experience(2, team(0.5), team(0.6), "loss", retrieved={first.id: 1}),
    ]


def record(folder: Path) -> Path:
    """A run's folder with a memory for both seats of its first matchup."""
    folder.mkdir()
    path = record_path(folder)
    connection = connect_to_write(path)
    prepare(connection, path)
    check_plan(connection, SETTINGS.model_dump(mode="json", exclude={"concurrency"}), folder)
    for each in experiences():
        MemoryStore.create(connection, PLAYED, "a").append(connection, each)
    MemoryStore.create(connection, PLAYED, "b").append(
        connection, experience(0, team(0.7), team(0.8))
    )
    connection.close()
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return record(tmp_path / "run")


def run(*arguments: str) -> Result:
    """Run the command; errors raised on purpose pass through, as in `porimon`."""
    result = CliRunner().invoke(command, list(arguments))
    if isinstance(result.exception, PorimonError):
        raise result.exception
    return result


def test_list_is_what_comes_without_a_command(folder: Path) -> None:
    listed = run(str(folder))
    assert listed.exit_code == 0
    assert listed.stdout == run(str(folder), "list").stdout
    for each in experiences():
        assert each.id[:12] in listed.stdout
    assert "[bold]No. [31m 1" in listed.stdout
    assert "\x1b" not in listed.stdout


def test_list_as_json_and_only_one_seat(folder: Path) -> None:
    rows = json.loads(run(str(folder), "--json").stdout)
    assert [(row["seat"], row["battle_id"]) for row in rows] == [
        ("a", "battle-0"), ("a", "battle-1"), ("a", "battle-2"), ("b", "battle-0"),
    ]  # fmt: skip
    only = json.loads(run(str(folder), "--seat", "b", "list", "--json").stdout)
    assert only == rows[3:]


def test_show_takes_the_beginning_of_an_id(folder: Path) -> None:
    wanted = experiences()[1]
    shown = json.loads(run(str(folder), "show", wanted.id[:10].upper(), "--json").stdout)
    assert shown.pop("id") == wanted.id
    assert Experience.model_validate(shown) == wanted
    text = run(str(folder), "show", wanted.id[:10]).stdout
    assert "summary: No. 2" in text
    assert '  {"at": 0.3}' in text


@pytest.mark.parametrize("beginning", ["", "no such id"])
def test_show_refuses_what_does_not_name_one(folder: Path, beginning: str) -> None:
    with pytest.raises(UserInputError, match="experiences have an id"):
        run(str(folder), "show", beginning)


def test_stats(folder: Path) -> None:
    found = json.loads(run(str(folder), "--seat", "a", "stats", "--json").stdout)
    assert found[0]["given"] == {"battles": 2, "win_rate": 0.5}
    assert found[0]["not_given"] == {"battles": 1, "win_rate": 0.0}
    assert found[0]["experiences"][0]["decisions"] == 4
    assert found[0]["experiences"][2]["given"] == {"battles": 0, "win_rate": None}
    text = run(str(folder), "--seat", "a", "stats").stdout
    assert "50.0% of 2" in text
    assert "no battles" in text


def test_what_is_exported_can_be_imported_elsewhere(folder: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lessons.jsonl"
    exported = run(str(folder), "--seat", "a", "export", str(lines))
    assert "3 experiences" in exported.stderr
    other = record(tmp_path / "other")
    into = (str(other), "--matchup", UNPLAYED, "--seat", "b")
    assert json.loads(run(*into, "import", str(lines), "--json").stdout) == {"read": 3, "added": 3}
    assert "0 of 3" in run(*into, "import", str(lines)).stdout
    rows = json.loads(run(*into, "list", "--json").stdout)
    assert [row["id"] for row in rows] == [each.id for each in experiences()]
    assert all(row["imported"] for row in rows)
    again = tmp_path / "again.jsonl"
    run(*into, "export", str(again))
    ids = [json.loads(line)["id"] for line in again.read_text(encoding="utf-8").splitlines()]
    assert ids == [each.id for each in experiences()]


def test_a_matchup_that_was_played_takes_no_import(folder: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lessons.jsonl"
    run(str(folder), "--seat", "b", "export", str(lines))
    with pytest.raises(RecordError, match="of its own"):
        run(str(folder), "--matchup", PLAYED, "--seat", "a", "import", str(lines))
    assert len(json.loads(run(str(folder), "--seat", "a", "--json").stdout)) == 3


def test_an_import_needs_a_matchup_of_the_plan(folder: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lessons.jsonl"
    lines.write_text("")
    with pytest.raises(UserInputError, match="no matchup") as caught:
        run(str(folder), "--matchup", UNPLAYED + "x", "--seat", "a", "import", str(lines))
    assert repr(UNPLAYED) in str(caught.value)
    assert run(str(folder), "import", str(lines)).exit_code == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda line: line.replace("No. 2", "No. 3"), "changed"),
        (lambda line: line[:-2], "not JSON"),
        (lambda line: "[1]", "no experience"),
        (lambda line: line.replace('"win"', '"victory"'), "result"),
    ],
)
def test_a_line_that_cannot_be_imported_is_named_and_nothing_is_added(
    folder: Path, tmp_path: Path, change: object, said: str
) -> None:
    assert callable(change)
    lines = tmp_path / "lessons.jsonl"
    run(str(folder), "--seat", "a", "export", str(lines))
    first, second, third = lines.read_text(encoding="utf-8").splitlines()
    lines.write_text("\n".join([first, change(second), third]), encoding="utf-8")
    with pytest.raises(RecordError, match=said) as caught:
        run(str(folder), "--matchup", UNPLAYED, "--seat", "a", "import", str(lines))
    assert caught.value.where is not None
    assert "line 2" in caught.value.where
    with pytest.raises(UserInputError, match="no such memory"):
        run(str(folder), "--matchup", UNPLAYED, "list")


def test_a_folder_without_a_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserInputError, match="no run"):
        run(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_named_and_no_traceback(folder: Path) -> None:
    path = record_path(folder)
    data = bytearray(path.read_bytes())
    place = data.find(experiences()[1].id.encode())
    assert place > 0
    page = place // 4096 * 4096
    data[page : page + 4096] = b"\xff" * 4096
    path.write_bytes(data)
    with pytest.raises(RecordError) as caught:
        run(str(folder))
    assert "restore" in str(caught.value)
