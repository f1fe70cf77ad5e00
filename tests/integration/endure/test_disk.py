"""Disks that are full or read-only, folders in use, records that are damaged, older or newer."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from porimon.errors import PorimonError, RecordError
from porimon.report.analysis import analyze_runs
from porimon.tournament.record import schema
from porimon.tournament.record.lock import RunLock
from porimon.tournament.record.read import RunReader
from tests.integration.endure.conftest import Undisturbed
from tests.integration.endure.runs import STOPPED, Beside, Workplace
from tests.records import contents
from tests.unit.tournament.test_run import play, tournament


@contextlib.contextmanager
def mounted(folder: Path, *arguments: str) -> Iterator[None]:
    """A file system mounted at ``folder``; the test is skipped where that is not allowed."""
    done = subprocess.run(["mount", *arguments, str(folder)], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(file: Path) -> None:
    """Write until the disk is full."""
    with contextlib.suppress(OSError), file.open("wb", buffering=0) as filler:
        while filler.write(bytes(4096)):
            pass


@pytest.mark.server
@pytest.mark.timeout(600)
def test_a_full_disk_and_a_second_run(
    tmp_path: Path, beside: Beside, undisturbed: Undisturbed
) -> None:
    """The disk fills up in the middle of a run; a second run had been refused before."""
    disk = tmp_path / "disk"
    disk.mkdir()
    with mounted(disk, "-t", "tmpfs", "-o", "size=64m", "tmpfs"):
        place = Workplace.make(disk, beside.port)
        before = beside.answered
        with place.start() as started:
            started.until_answered(beside, before + undisturbed.calls // 3)
            first = psutil.Process(started.process.pid)
            first.suspend()  # it must not come to its end while the second one starts
            second = place.finish()
            assert second.code == 2, second.err
            assert f"another process ({first.pid})" in second.err
            filler = disk / "filler"
            fill(filler)
            first.resume()
            ended = started.wait(100)
        filler.unlink()
        assert ended.code == STOPPED, ended.err
        assert "the record cannot be written" in ended.err
        assert "free some space" in ended.err
        assert "Traceback" not in ended.err
        assert len(contents(place.run)["battles"]) < 2
        lost = beside.answered - before - place.rows("journal") - place.rows("calls")
        assert lost <= 4, "at most the answers in flight"
        ended = place.finish(*ended.resume, "--json")
        assert ended.code == 0, ended.err
        assert contents(place.run) == undisturbed.contents
        assert beside.answered - before - undisturbed.calls == lost


def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    place = Workplace.make(tmp_path, port=9)
    place.run.mkdir(parents=True)
    runs = place.run.parent
    with mounted(runs, "--bind", str(runs)):
        subprocess.run(["mount", "-o", "remount,ro,bind", str(runs)], check=True)
        ended = place.finish()
    assert ended.code == 2, ended.err
    assert "runs/endure" in ended.err
    assert "cannot be written: Read-only file system" in ended.err
    assert "--out" in ended.err
    assert "Traceback" not in ended.err


def test_a_folder_in_use_is_refused_with_the_process_that_uses_it(tmp_path: Path) -> None:
    with RunLock(tmp_path):
        with pytest.raises(RecordError) as caught, RunLock(tmp_path):
            raise AssertionError("unreachable")
        assert f"({os.getpid()})" in str(caught.value)
        assert str(tmp_path) in str(caught.value)
    with RunLock(tmp_path):
        pass  # free again


@pytest.mark.parametrize(
    "start", [b"no record at all", b"SQLite format 3\0 and then nonsense" * 99]
)
def test_a_file_that_is_no_record_is_named(tmp_path: Path, start: bytes) -> None:
    place = Workplace.make(tmp_path, port=9)
    place.run.mkdir(parents=True)
    (place.run / "run.sqlite").write_bytes(start)
    for arguments in (place.arguments(), ("analyze", "runs/endure"), ("report", "runs/endure")):
        ended = place.finish(*arguments)
        assert ended.code == 2, (arguments, ended.err)
        assert "run.sqlite" in ended.err, arguments
        assert "Traceback" not in ended.err, arguments


@pytest.fixture
async def record(tmp_path: Path) -> Path:
    """The folder of a finished small run."""
    folder = tmp_path / "record"
    folder.mkdir()
    await play(folder, tournament(battles=4))
    return folder


def read_everything(folder: Path) -> None:
    with RunReader(folder) as reader:
        reader.battle_rows()
        reader.cards()
        reader.selections()
        for battle in reader.battles():
            reader.log(battle.battle_id)
            reader.choices(battle.battle_id)
            reader.details(battle.battle_id)
    analyze_runs([folder])


def damage(data: bytearray, dice: random.Random) -> None:
    """Cut the file off, or overwrite blocks of a disk's size."""
    if dice.random() < 0.3:
        del data[dice.randrange(1, len(data)) :]
        return
    for _ in range(dice.choice([1, 3, 20])):
        start = 512 * dice.randrange(len(data) // 512)
        data[start : start + 512] = dice.choice([bytes(512), dice.randbytes(512)])


async def test_a_damaged_record_is_an_error_that_names_it(record: Path, tmp_path: Path) -> None:
    """Reading gives the record's contents or a typed error."""
    read_everything(record)
    whole = (record / "run.sqlite").read_bytes()
    dice = random.Random(1)
    folder = tmp_path / "damaged"
    messages = []
    for _ in range(60):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        data = bytearray(whole)
        damage(data, dice)
        (folder / "run.sqlite").write_bytes(data)
        try:
            read_everything(folder)
        except PorimonError as error:
            messages.append(str(error))
    assert len(messages) > 30
    for message in messages:
        assert str(folder) in message or "battle" in message, message


def older(monkeypatch: pytest.MonkeyPatch, *steps: str) -> None:
    """Make the program one whose schema has these further steps."""
    monkeypatch.setattr(
        schema,
        "MIGRATIONS",
        (*schema.MIGRATIONS, *((step[:40], lambda c, s=step: c.execute(s)) for step in steps)),
    )


async def test_an_older_record_is_brought_up_to_date_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step runs once, is recorded by name, and loses nothing."""
    await play(tmp_path, tournament(battles=4))
    before = contents(tmp_path)
    older(monkeypatch, "ALTER TABLE put_back ADD COLUMN cause TEXT")
    for _ in range(2):
        await play(tmp_path, tournament(battles=4))
    assert contents(tmp_path) == before
    with contextlib.closing(sqlite3.connect(tmp_path / "run.sqlite")) as connection:
        steps = [row[0] for row in connection.execute("SELECT name FROM migrations ORDER BY name")]
        columns = [row[1] for row in connection.execute("PRAGMA table_info(put_back)")]
    assert steps == ["0001-create", "ALTER TABLE put_back ADD COLUMN cause TE"]
    assert columns[-1] == "cause"


async def test_a_step_that_fails_leaves_the_record_as_it_was(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (record / "run.sqlite").read_bytes()
    with monkeypatch.context() as patched:
        older(patched, "ALTER TABLE put_back ADD COLUMN cause TEXT", "DROP TABLE nothing")
        with pytest.raises(sqlite3.OperationalError):
            await play(record, tournament(battles=4))
    assert (record / "run.sqlite").read_bytes() == before
    await play(record, tournament(battles=4))


async def test_a_newer_record_is_refused(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        older(patched, "ALTER TABLE put_back ADD COLUMN cause TEXT")
        await play(record, tournament(battles=4))
    with pytest.raises(RecordError, match="newer version") as caught:
        await play(record, tournament(battles=4))
    assert "run.sqlite" in str(caught.value)


async def test_a_copy_of_a_run_in_progress_can_be_read_and_goes_on(
    record: Path, tmp_path: Path
) -> None:
    """A backup taken while nobody writes is a run of its own."""
    copy = tmp_path / "copy"
    shutil.copytree(record, copy)
    read_everything(copy)
    await play(copy, tournament(battles=4))
    assert contents(copy) == contents(record)
