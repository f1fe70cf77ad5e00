"""The written report: its figures are the record's, and nothing in it is anybody's markup."""

from __future__ import annotations

import html
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import zstandard
from click.testing import CliRunner
from markupsafe import escape

from porimon.cli.analyze import command as analyze
from porimon.cli.report import command as report
from porimon.errors import UserInputError
from porimon.report.build import write_report
from porimon.report.cards import compared_cards
from porimon.report.overview import overview
from porimon.showdown.battle_page.describer import ShowdownDescriber
from porimon.stats.cards import HarnessCard
from porimon.tournament.record.read import RunReader
from tests.unit.report.stored_game import PLANTED


@pytest.fixture
def run(stored_run: Path, tmp_path: Path) -> Path:
    """A copy of the stored run that a test may write to."""
    return Path(shutil.copytree(stored_run, tmp_path / "run"))


def values(script: Path) -> list[Any]:
    """The arguments of a data script."""
    text = script.read_text(encoding="ascii")
    arguments = text[text.index("(") + 1 : text.rindex(")")]
    found: list[Any] = json.loads(f"[{arguments}]")
    return found


def told(battle: dict[str, Any]) -> dict[str, Any]:
    """A battle's telling, unpacked."""
    import base64

    found: dict[str, Any] = json.loads(
        zstandard.ZstdDecompressor().decompress(base64.b64decode(battle["told"]))
    )
    return found


def test_figures_equal_those_of_analyze(run: Path) -> None:
    """The plots' data hold the very document that `porimon analyze --json` prints."""
    write_report(run, ShowdownDescriber())
    printed = CliRunner().invoke(analyze, [str(run), "--json"], catch_exceptions=False)
    (data,) = values(run / "report" / "data.js")
    assert data["analysis"] == json.loads(printed.stdout)
    page = (run / "report.html").read_text(encoding="utf-8")
    for player in data["analysis"]["players"]:
        score = f"{player['wins']}–{player['losses']}–{player['ties']}"
        row = next(row for row in page.split("<tr>") if f">{player['name']}</th>" in row)
        assert score in row


def test_no_text_becomes_markup(run: Path) -> None:
    """A planted script and a tournament's name with markup stay text in every file."""
    write_report(run, ShowdownDescriber())
    page = (run / "report.html").read_text(encoding="utf-8")
    assert '<b>"stored"</b>' not in page
    assert "<h1>" + str(escape('<b>"stored"</b>')) + "</h1>" in page
    for file in (*run.glob("report.html"), *(run / "report").rglob("*.html")):
        text = file.read_text(encoding="utf-8")
        assert "window.planted" not in text
        for script in re.findall(r"<script[^>]*>", text):
            assert "src=" in script, f"{file}: a script inside the page"
    for file in (run / "report" / "battles").rglob("*.js"):
        assert "<" not in file.read_text(encoding="ascii")


def test_pages_reach_for_nothing_outside_their_folder(run: Path) -> None:
    write_report(run, ShowdownDescriber())
    for file in (run / "report.html", *(run / "report").glob("*.html")):
        text = file.read_text(encoding="utf-8")
        assert "default-src 'none'" in html.unescape(text)
        for address in re.findall(r'(?:src|href)="([^"]*)"', text):
            assert not address.startswith(("http:", "https:", "//", "/")), address


def test_a_battle_is_told_and_passed_on(run: Path) -> None:
    """A battle's script holds its sentences with both players' names, its log and its decisions."""
    write_report(run, ShowdownDescriber())
    with RunReader(run) as reader:
        battles = {battle.battle_id: battle for battle in reader.battles()}
        log, details = reader.log("1.2"), reader.details("1.2")
    (battle,) = values(run / "report" / "battles" / "1" / "2.js")
    assert battle["name"] == "1.2"
    assert battle["seed"] == str(battles["1.2"].seed)
    assert (battle["previous"], battle["next"]) == ("1.1", "1.3")
    first, second = battle["order"]
    assert (first, second) == ("p", "h")  # the second battle of a pair swaps the sides
    turns = told(battle)["turns"]
    text = " ".join(segment for turn in turns for segment in turn["segments"])
    assert f"{first}'s " in text
    assert f"{second}'s " in text
    assert "opposing" not in text
    assert PLANTED not in log.replace(f"|-message|{PLANTED}", "")
    assert len(details["decisions"]) == 8


def test_boards_come_from_the_log_where_a_player_has_no_views(run: Path) -> None:
    write_report(run, ShowdownDescriber())
    with RunReader(run) as reader:
        numbers = {m.number: set(m.labels.values()) for m in reader.matchups()}
    for number, players in numbers.items():
        (battle,) = values(run / "report" / "battles" / str(number) / "1.js")
        boards = told(battle)["boards"]
        assert [board["turn"] for board in boards if not board["final"]] == (
            list(range(1, boards[-1]["turn"] + 1)) if "h" in players else []
        )
        # Nobody decides after the last turn, so no view shows what is left.
        assert [board["final"] for board in boards].count(True) == 1
        assert boards[-1]["final"]


def test_retrieved_experiences_can_be_read(run: Path) -> None:
    """Every experience of a matchup stands once in a script, under the id that decisions name."""
    write_report(run, ShowdownDescriber())
    with RunReader(run) as reader:
        remembering = [m for m in reader.matchups() if "lt1" in "".join(m.labels.values())]
        details = reader.details(f"{remembering[0].number}.2")
    folder = run / "report" / "battles"
    with_text = {number for number, known in map(values, folder.glob("*/experiences.js")) if known}
    assert with_text == {matchup.number for matchup in remembering}
    number, known = values(folder / str(remembering[0].number) / "experiences.js")
    assert [each["page"] for each in known.values()] == [f"{number}.{n}" for n in range(1, 7)]
    seat_of_memory = next(made for made in details["decisions"] if len(made["retrieved"]) == 2)
    found = known[seat_of_memory["retrieved"][1]["experience_id"]]
    assert (found["page"], found["result"]) == (f"{number}.1", "win")
    assert found["lessons"] == ["Lead with Snorlax."]


def test_only_changed_battles_are_written_again(run: Path) -> None:
    assert write_report(run).renewed == 36
    assert write_report(run).renewed == 0
    (run / "report" / "battles" / "2" / "3.js").unlink()
    again = write_report(run)
    assert (again.renewed, again.battles) == (1, 36)
    (run / "report" / "battles" / "manifest.json").write_text("{", encoding="utf-8")
    assert write_report(run).renewed == 36


def test_fewer_battle_pages_if_asked_for(run: Path) -> None:
    """Pages of other battles are removed, so the folder shrinks; the list keeps all battles."""
    whole = write_report(run)
    done = CliRunner().invoke(
        report, [str(run), "--battles", "2", "--json"], catch_exceptions=False
    )
    written = json.loads(done.stdout)
    assert written["battles"] == 12
    assert 1_000_000 < written["bytes"] < whole.size  # the plotting library lies in the folder
    assert len(list((run / "report" / "battles").glob("*/[0-9]*.js"))) == 12
    _, rows = values(run / "report" / "battles" / "1.js")
    assert [row["page"] for row in rows] == [True, True, False, False, False, False]


def test_use_is_summed_per_player(run: Path) -> None:
    """Worked by hand: 4 decisions a battle and seat, of two calls each (0.25 and 0.125 dollars)."""
    with RunReader(run) as reader:
        content = overview(reader)
    usage = {each["player"]: each for each in content.data["usage"]}
    assert usage["h"]["cost"] is None
    assert usage["h"]["tokens_per_battle"] is None
    played = usage["p"]
    assert (played["battles"], played["decisions"], played["calls"]) == (18, 72, 144)
    assert played["cost"] == pytest.approx(72 * 0.375)
    assert played["cost_per_battle"] == pytest.approx(1.5)
    assert played["tokens_per_battle"] == pytest.approx(4 * (900 + 12 + 910 + 9))
    assert played["cached_input_tokens"] is None  # one of two calls does not say
    assert played["refused"] == 72
    assert played["fallback_reasons"] == {"illegal_order": 18}
    assert played["latency_median"] == pytest.approx(1.0)
    assert played["latency_p95"] == pytest.approx(1.5)
    assert sum(each["forfeits"] for each in usage.values()) == 1


def test_a_curve_joins_players_that_differ_in_alpha_alone(run: Path) -> None:
    """Win rates inside the stage: points of each player over its battles, ties half."""
    with RunReader(run) as reader:
        content = overview(reader)
        rows = reader.battle_rows()
    (curve,) = content.curves
    assert (curve.setting, [point.value for point in curve.points]) == ("alpha", [0.3, 0.7])
    for point in curve.points:
        won = sum(
            (row.player_a, row.player_b)["ab".index(row.winner)] == point.player
            for row in rows
            if row.winner is not None
        )
        assert point.battles == 18
        assert point.win_rate == pytest.approx(won / 18)
        assert point.low < point.win_rate < point.high


def test_cards_show_what_differs_and_what_is_shared() -> None:
    found = compared_cards(
        [
            HarnessCard("p", {"model": "m", "window": 5, "alpha": None}),
            HarnessCard("h", {"window": 5, "model": None}),
        ]
    )
    assert found.shared == (("window", 5), ("alpha", None))
    assert found.table is not None
    assert found.table.keys == ("player", "model")
    assert found.table.rows == (("h", None), ("p", "m"))


def test_a_report_without_a_run_or_without_battles(tmp_path: Path) -> None:
    with pytest.raises(UserInputError, match="no run"):
        write_report(tmp_path)


def test_a_folder_that_cannot_be_written_is_named(run: Path) -> None:
    (run / "report").write_text("a file in the way", encoding="utf-8")
    with pytest.raises(UserInputError, match="cannot be written") as caught:
        write_report(run)
    assert str(run) in str(caught.value.where)
