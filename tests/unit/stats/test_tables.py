"""Tables: every format holds the analysis, and special characters do no harm."""

from __future__ import annotations

import csv
import io
import itertools
import json

import pytest
from rich.console import Console

from porimon.stats.analysis import Options, analyze_battles, analyze_counts
from porimon.stats.battles import BattleRow, MatchupCounts, from_counts
from porimon.stats.details import details_of_battles, details_of_comparisons
from porimon.stats.table_formats import (
    TextFormat,
    as_csv,
    as_latex,
    as_markdown,
    as_rich,
    printed,
)
from porimon.stats.tables import models_asked, p_text, tables, written

COUNTS = [
    MatchupCounts("h", "p_1|x", 180, 318, 2),
    MatchupCounts("lt0", "h", 330, 170),
    MatchupCounts("lt0", "p_1|x", 270, 230),
    MatchupCounts("best", "h", 40, 0),
]
ANALYSIS = analyze_counts(COUNTS, Options(contrasts=("p_1|x < lt0",)))
BY_NAME = {table.name: table for table in tables(ANALYSIS)}


def test_empty_tables_are_left_out() -> None:
    assert list(BY_NAME) == ["players", "pairwise", "contrasts", "matchups"]
    assert "contrasts" not in {table.name for table in tables(analyze_counts(COUNTS))}


def test_csv_holds_every_digit() -> None:
    """Reading the CSV back gives the very numbers of the document; unknown is empty."""
    read = list(csv.DictReader(io.StringIO(as_csv(BY_NAME["players"]))))
    document = {player["name"]: player for player in ANALYSIS.document()["players"]}
    assert set(read[0]) == {*document["h"], "model"}
    for line in read:
        for key, value in document[line["name"]].items():
            assert line[key] == ("" if value is None else str(value)), key


def test_players_are_listed_strongest_first_and_absent_estimates_last() -> None:
    names = [row[0] for row in BY_NAME["players"].rows]
    assert names == ["lt0", "p_1|x", "h", "best"]
    assert written(BY_NAME["players"])[-1][3] == "–"


def test_markdown_has_one_cell_per_column_whatever_a_name_holds() -> None:
    lines = as_markdown(BY_NAME["matchups"]).splitlines()
    cells = {line.replace("\\|", "").count("|") for line in lines if line.startswith("|")}
    assert cells == {len(BY_NAME["matchups"].columns) + 1}
    assert "p_1\\|x" in "\n".join(lines)


def test_latex_escapes_and_balances() -> None:
    text = as_latex(BY_NAME["matchups"])
    assert r"p\_1|x" in text
    assert text.count("{") == text.count("}")
    assert r"\%" in text
    rows = text.split(r"\midrule")[1].split(r"\bottomrule")[0]
    assert rows.count(r"\\") == len(BY_NAME["matchups"].rows)
    assert rows.count("&") == len(BY_NAME["matchups"].rows) * 5


def test_latex_leaves_no_symbol_that_needs_a_font() -> None:
    details = details_of_comparisons(from_counts(COUNTS), ANALYSIS)
    for table in tables(ANALYSIS, details):
        assert as_latex(table).isascii(), table.name


def test_intervals_stand_beside_their_estimates() -> None:
    """Wilson's limits of 180 wins and 2 ties in 500 are 32.1 % and 40.5 % (by hand: centre
    (0.362 + z²/1000)/(1 + z²/500) = 0.36305, half width 0.04196)."""
    row = next(row for row in written(BY_NAME["matchups"]) if row[:2] == ["h", "p_1|x"])
    assert row[2:4] == ["180–318–2", "36.2 % (32.1–40.5)"]


def test_an_estimate_without_an_error_says_so() -> None:
    won_all = [
        BattleRow("m", "s", "h", "p", "a" if i % 2 else "b", i // 2, i, 0, 0, 9, 9)
        for i in range(80)
    ]
    players = tables(analyze_battles(won_all))[0]
    assert written(players)[1][3] == "+0.000 ± ?"


LONG_NAMES = ["h", "p-T10", "lt1-uniform-T10-a0.7", "lt1-weighted-T10-a0.3"]


@pytest.mark.parametrize("width", [80, 100])
def test_a_narrow_terminal_shows_every_figure(width: int) -> None:
    """At 80 columns nothing is cut, whatever the names: they go over several lines instead."""
    rows = [
        BattleRow(f"{a}{b}", stage, a, b, "a" if i % 3 else "b", i // 2, i, int(i == 4), 0, 9, 9)
        for stage in ("one", "two")
        for a, b in itertools.combinations(LONG_NAMES, 2)
        for i in range(500)
    ]
    analysis = analyze_battles(
        rows, Options(contrasts=("h < p-T10 < lt1-uniform-T10-a0.7",), models=MODELS)
    )
    for table in tables(analysis, details_of_battles(rows, analysis)):
        console = Console(record=True, width=width, file=io.StringIO())
        console.print(as_rich(table))
        shown = console.export_text()
        assert "…" not in shown
        assert max(len(line) for line in shown.splitlines()) <= width
        for row in written(table):
            for cell, column in zip(row, table.columns, strict=True):
                assert not column.numeric or cell in shown, (table.name, cell)
        for column in table.columns:
            for word in (column.narrow or column.heading).split("\n"):
                assert word in shown, (table.name, word)


OFFLINE = "offline reader (no language model)"
MODELS = {"p-T10": OFFLINE, "lt0": OFFLINE, "lt1-uniform-T10-a0.7": "gpt-5.6-luna"}


@pytest.mark.parametrize("layout", ["csv", "markdown", "latex"])
def test_every_table_says_who_answered(layout: TextFormat) -> None:
    rows = [
        BattleRow("m", stage, "h", "lt0", "a" if i % 3 else "b", i // 2, i, int(i == 4), 0, 9, 9)
        for stage in ("one", "two")
        for i in range(80)
    ]
    options = Options(contrasts=("h < lt0",), models=MODELS)
    analysis = analyze_battles(rows, options)
    found = tables(analysis, details_of_battles(rows, analysis, options))
    assert len(found) == 7
    for table in found:
        assert OFFLINE in printed([table], layout), table.name
        console = Console(record=True, width=200, file=io.StringIO())
        console.print(as_rich(table))
        assert OFFLINE in console.export_text(), table.name
    assert any(OFFLINE in warning for warning in analysis.document()["warnings"])


def test_several_models_are_told_apart_by_their_players() -> None:
    analysis = analyze_counts(
        [MatchupCounts("p-T10", "lt1-uniform-T10-a0.7", 3, 4), MatchupCounts("h", "lt0", 3, 4)],
        Options(models=MODELS),
    )
    assert models_asked(analysis) == (
        f"Models: {OFFLINE} for lt0, p-T10; gpt-5.6-luna for lt1-uniform-T10-a0.7"
    )
    assert models_asked(ANALYSIS) == ""


def test_the_terminal_shows_names_as_they_are() -> None:
    """A name in brackets is no markup."""
    analysis = analyze_counts([MatchupCounts("h", "[bold]x", 3, 4)])
    console = Console(record=True, width=200, file=io.StringIO())
    console.print(as_rich(tables(analysis)[0]))
    assert "[bold]x" in console.export_text()


def test_several_tables_are_printed_apart() -> None:
    both = printed([BY_NAME["players"], BY_NAME["contrasts"]], "csv")
    assert both.count("\n\n") == 1


def test_details_add_fit_pairs_and_sensitivity() -> None:
    rows = [
        BattleRow("m", "s", "h", "p", "a" if i % 3 else "b", i // 2, i, int(i == 4), 0, 9, 9)
        for i in range(80)
    ]
    analysis = analyze_battles(rows)
    found = {table.name: table for table in tables(analysis, details_of_battles(rows, analysis))}
    assert list(found) == ["players", "pairwise", "matchups", "fit", "pairs", "sensitivity"]
    assert "clustered by pair" in found["players"].caption
    assert "correlation within pairs" in found["pairs"].caption
    assert json.dumps(found["sensitivity"].rows)


def test_small_p_values_keep_two_figures() -> None:
    assert [p_text(p) for p in (0.0312, 0.0005, 3e-12, 1.0)] == [
        "0.031",
        "5.0e-04",
        "3.0e-12",
        "1.000",
    ]
