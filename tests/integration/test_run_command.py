"""The main job as a user runs it: one command, the real server, the offline reader over HTTP."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from porimon.tournament.record.read import RunReader

pytestmark = pytest.mark.server

TOURNAMENT = """
name = "tiny"
battles = 2
seed = 5
llm = "offline"
round_robin = ["h", "p", "lt0"]
"""


def porimon(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "porimon", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=150,
    )


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run-command")
    (folder / "tiny.toml").write_text(TOURNAMENT)
    done = porimon("run", "tiny.toml", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "first.json").write_text(done.stdout)
    return folder


def test_a_run_prints_its_analysis_and_records_everything(workplace: Path) -> None:
    analysis = json.loads((workplace / "first.json").read_text())
    assert analysis["reference"] == "h"
    assert {player["name"]: player["battles"] for player in analysis["players"]} == {
        "h": 4,
        "p": 4,
        "lt0": 4,
    }
    with RunReader(workplace / "runs" / "tiny") as reader:
        battles = list(reader.battles())
        assert len(battles) == 6
        for battle in battles:
            assert battle.end_reason in ("normal", "tie")
            log = reader.log(battle.battle_id)
            assert "|rule|Dynamax Clause" in log
            assert "-dynamax" not in log
            assert battle.notes == ()
            assert reader.choices(battle.battle_id)
        details = reader.details("2.1")
        asked = [decision for decision in details["decisions"] if decision["calls"]]
        assert asked
        for decision in asked:
            call = decision["calls"][0]
            sections = "\n".join(text for _, text in call["sections"])
            assert decision["view"] is not None
            assert decision["order"] in decision["legal"]
            assert all(label in sections for label in decision["legal"])
            assert call["completion"]["input_tokens"] > 0


def test_both_players_of_a_pair_play_both_teams(workplace: Path) -> None:
    with RunReader(workplace / "runs" / "tiny") as reader:
        first, second = (reader.log(battle) for battle in ("1.1", "1.2"))

    def leads(log: str) -> list[str]:
        lines = [line.split("|") for line in log.splitlines() if line.startswith("|switch|")]
        return [line[3] for line in lines[:2]]

    assert leads(first) == leads(second)


def test_a_finished_run_has_nothing_left_to_play(workplace: Path) -> None:
    again = porimon("run", "tiny.toml", "--json", cwd=workplace)
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout) == json.loads((workplace / "first.json").read_text())


def test_another_plan_is_refused_with_the_difference(workplace: Path) -> None:
    refused = porimon("run", "tiny.toml", "--seed", "6", cwd=workplace)
    assert refused.returncode == 2
    assert '"seed": 5' in refused.stderr
    assert "--out" in refused.stderr


def test_the_same_seed_gives_the_same_battles(workplace: Path) -> None:
    again = porimon("run", "tiny.toml", "--out", "again", "--json", cwd=workplace)
    assert again.returncode == 0, again.stderr
    with RunReader(workplace / "runs" / "tiny") as one, RunReader(workplace / "again") as other:
        for battle in one.battles():
            assert one.log(battle.battle_id) == other.log(battle.battle_id), battle.battle_id
            assert one.choices(battle.battle_id) == other.choices(battle.battle_id)


def test_verify_simulates_the_battles_again(workplace: Path) -> None:
    verified = porimon("verify", str(workplace / "runs" / "tiny"), cwd=workplace)
    assert verified.returncode == 0, verified.stderr + verified.stdout


def test_inspect_shows_what_a_player_saw_asked_got_and_did(workplace: Path) -> None:
    folder = str(workplace / "runs" / "tiny")
    short = porimon("inspect", folder, "2.1", cwd=workplace)
    assert short.returncode == 0, short.stderr
    assert "turn   1" in short.stdout
    whole = porimon("inspect", folder, "2.1", "1", cwd=workplace)
    for part in ("legal orders:", "[answer]", "played:", "tokens in"):
        assert part in whole.stdout
    missing = porimon("inspect", folder, "9.9", cwd=workplace)
    assert missing.returncode == 2
    assert "2.1" in missing.stderr or "1.1" in missing.stderr


def test_plan_uses_a_past_run(workplace: Path) -> None:
    planned = porimon(
        "plan", "tiny.toml", "--from", str(workplace / "runs" / "tiny"), "--json", cwd=workplace
    )
    assert planned.returncode == 0, planned.stderr
    document = json.loads(planned.stdout)
    assert document["battles"] == 6
    assert document["calls"] > 20
    assert document["cost"] == 0


def test_mistakes_end_with_exit_code_2(workplace: Path) -> None:
    (workplace / "wrong.toml").write_text('name = "x"\nround_robin = ["h", "lt00"]\n')
    wrong = porimon("run", "wrong.toml", cwd=workplace)
    assert wrong.returncode == 2
    assert "wrong.toml:2" in wrong.stderr
    assert "'lt0'" in wrong.stderr
    absent = porimon("run", "tiny.toml", "--llm", "lunar", "--out", "x", cwd=workplace)
    assert absent.returncode == 2
    assert "'luna'" in absent.stderr
