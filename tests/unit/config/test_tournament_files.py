"""Tournament files: what they mean, and what their mistakes are told."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.config.load import load_tournament
from porimon.config.player import LANGUAGE_MODEL_PLAYERS, join_name, split_name
from porimon.config.resolve import depends_on
from porimon.config.toml import line_of
from porimon.errors import UserInputError
from porimon.paths import shipped_tournaments
from porimon.tournament.identity import full_name, player_hash
from porimon.tournament.labels import player_labels
from porimon.tournament.plan import planned_battles, planned_matchups


@given(
    base=st.sampled_from(sorted(LANGUAGE_MODEL_PLAYERS)),
    window=st.none() | st.integers(0, 999),
    alpha=st.none() | st.integers(0, 100).map(lambda percent: percent / 100),
)
def test_names_parse_to_their_parts_and_print_back(
    base: str, window: int | None, alpha: float | None
) -> None:
    assert split_name(join_name(base, window, alpha)) == (base, window, alpha)


@pytest.mark.parametrize("name", ["p-T5-T6", "lt1-uniform-a0.3-a0.5", "lt1-uniform-a1.5"])
def test_odd_suffixes_are_refused(name: str) -> None:
    with pytest.raises(UserInputError):
        split_name(name)


def test_the_papers_tournament_has_its_thirty_matchups() -> None:
    tournament = load_tournament(shipped_tournaments() / "porimon.toml")
    matchups = planned_matchups(tournament.settings)
    parts = Counter(matchup.part for matchup in matchups)
    assert parts == {
        "1 alpha": 6,
        "2 window": 9,
        "3 comparison": 10,
        "3 ablation": 2,
        "additional": 3,
    }
    assert sum(matchup.battles for matchup in matchups) == 15_000
    assert tournament.settings.llm == "luna"
    assert {player.retries for player in tournament.players.values()} == {1}


@pytest.mark.parametrize(
    "file", sorted(shipped_tournaments().glob("*.toml")), ids=lambda path: path.stem
)
def test_every_shipped_file_is_valid(file: Path) -> None:
    assert load_tournament(file).players


def test_the_papers_players_are_what_the_paper_says() -> None:
    players = load_tournament(shipped_tournaments() / "porimon.toml").players
    assert players["alpha-uniform", "lt1-uniform-a0.5"].window == 5
    uniform = players["comparison", "wb"].memory
    weighted = players["comparison", "wa"].memory
    assert uniform is not None
    assert weighted is not None
    assert (uniform.retrieval, weighted.retrieval) == ("uniform", "weighted")
    assert (uniform.minimum, uniform.top, uniform.opponent_weight) == (10, 3, 0.7)
    assert uniform.log_characters == 12_000
    made = {name: (player.style, player.knowledge) for (_, name), player in players.items()}
    assert made["lt0"] == ("porimon", "extended")
    assert made["lt0v"] == ("porimon", "pokellmon")
    assert made["lt0w"] == ("pokellmon", "extended")
    assert made["p"] == ("pokellmon", "pokellmon")
    assert players["comparison", "h"].llm is None


def test_a_suffix_overrides_what_would_be_inherited(tmp_path: Path) -> None:
    file = tmp_path / "file.toml"
    file.write_text(
        """
name = "x"
battles = 2
[defaults]
window = 7
[players.mine]
base = "lt1-weighted"
memory = { alpha = 0.25, minimum = 3 }
[[stages]]
name = "s"
players = ["p", "p-T3", "lt1-uniform-a0.9", "mine", "mine-T2-a1"]
"""
    )
    players = {name: player for (_, name), player in load_tournament(file).players.items()}
    assert players["p"].window == 7
    assert players["p-T3"].window == 3
    assert players["lt1-uniform-a0.9"].memory is not None
    assert players["lt1-uniform-a0.9"].memory.alpha == 0.9
    mine = players["mine-T2-a1"]
    assert mine.memory is not None
    assert (mine.window, mine.memory.alpha, mine.memory.minimum) == (2, 1.0, 3)
    assert mine.memory.retrieval == "weighted"
    assert full_name(mine) == "lt1-weighted-T2-a1"
    assert player_hash(players["p"]) == player_hash(players["p"].model_copy(update={"name": "q"}))
    assert player_hash(players["p"]) != player_hash(players["p-T3"])


MISTAKES = {
    "unknown setting": ('name = "x"\nbatles = 3\nround_robin = ["h", "p"]\n', ":2", "battles"),
    "unknown setting in a table": (
        'name = "x"\nround_robin = ["h", "p"]\n[concurrency]\nbattels = 3\n',
        ":4",
        "battles",
    ),
    "unknown player": ('name = "x"\n\nround_robin = ["h", "random", "lt00"]\n', ":3", "lt0"),
    "wrong number": ('name = "x"\nbattles = 0\nround_robin = ["h", "p"]\n', ":2", "greater"),
    "wrong word": (
        'name = "x"\n[[stages]]\nname = "s"\nschedule = "rond_robin"\nplayers = ["h", "p"]\n',
        ":4",
        "round_robin",
    ),
    "wrong suffix": ('name = "x"\nround_robin = ["h-T5", "p"]\n', ":2", "suffix T"),
    "nested too deep": ("name = " + "[" * 5000 + "]" * 5000, "", "nested"),
    "no TOML": ('name = "x\n', "", "line 1"),
    "one player": ('name = "x"\nround_robin = ["p"]\n', "", "at least two"),
    "second stage": (
        'name = "x"\n[[stages]]\nname = "s"\nplayers = ["h", "p"]\n'
        '[[stages]]\nname = "t"\nplayers = ["h", "pp"]\n',
        ":7",
        "p",
    ),
    "contrast": (
        'name = "x"\nround_robin = ["h", "p"]\n[contrasts]\nup = ["h", "lt0"]\n',
        ":4",
        "lt0",
    ),
}


@pytest.mark.parametrize("case", sorted(MISTAKES))
def test_a_mistake_gets_its_line_and_the_right_word(case: str, tmp_path: Path) -> None:
    text, line, word = MISTAKES[case]
    file = tmp_path / "file.toml"
    file.write_text(text)
    with pytest.raises(UserInputError) as caught:
        load_tournament(file)
    assert f"file.toml{line}" in (caught.value.where or ""), str(caught.value)
    assert word in str(caught.value)


def test_changes_of_the_command_line(tmp_path: Path) -> None:
    small = shipped_tournaments() / "small.toml"
    settings = load_tournament(small, ["battles=4", "llm=luna", "concurrency.battles=3"]).settings
    assert (settings.battles, settings.llm, settings.concurrency.battles) == (4, "luna", 3)
    with pytest.raises(UserInputError, match="no change"):
        load_tournament(small, ["battles"])
    with pytest.raises(UserInputError, match="tokenz") as caught:
        load_tournament(small, ["battles=4", "budget.tokenz=5"])
    assert caught.value.where == "--set budget.tokenz=5"
    assert caught.value.remedy == "did you mean 'tokens'?"


def test_a_mistake_in_the_file_that_is_extended_names_that_file(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('name = "x"\nbattles = -1\nround_robin = ["h", "p"]\n')
    (tmp_path / "top.toml").write_text('extends = "base.toml"\nseed = 2\n')
    with pytest.raises(UserInputError) as caught:
        load_tournament(tmp_path / "top.toml")
    assert "base.toml:2" in (caught.value.where or "")
    (tmp_path / "base.toml").write_text('extends = "top.toml"\n')
    with pytest.raises(UserInputError, match="circle"):
        load_tournament(tmp_path / "top.toml")


def test_stages_wait_for_what_they_inherit_and_nothing_else() -> None:
    settings = load_tournament(shipped_tournaments() / "porimon.toml").settings
    needs = {
        stage.name: set(depends_on(stage, settings.stages[:position], settings))
        for position, stage in enumerate(settings.stages)
    }
    assert needs["alpha-weighted"] == set()
    assert needs["window-uniform"] == {"alpha-uniform"}
    assert needs["window-pokellmon"] == set()
    assert needs["comparison"] == {"window-uniform", "window-weighted", "window-pokellmon"}


def test_labels_join_one_player_under_several_names() -> None:
    players = load_tournament(shipped_tournaments() / "porimon.toml").players
    used = [(name, player_hash(player), player) for (_, name), player in players.items()]
    labels = player_labels(used, {"wa", "wb"})
    assert len(set(labels.values())) == len(labels) == len({key for _, key, _ in used})
    assert labels[player_hash(players["comparison", "wb"])] == "wb"
    assert labels[player_hash(players["comparison", "h"])] == "h"


def test_the_plan_pairs_seeds_and_alternates_sides() -> None:
    tournament = load_tournament(shipped_tournaments() / "demo.toml")
    matchup = planned_matchups(tournament.settings)[0]
    players = {"a": tournament.players["round robin", "h"]} | {
        "b": tournament.players["round robin", "p"]
    }
    paired = list(planned_battles(matchup, players, run_seed=1, paired=True))  # type: ignore[arg-type]
    assert [spec.first for spec in paired] == ["a", "b"] * 5
    assert [spec.pair for spec in paired] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert len({spec.seed for spec in paired}) == 5
    single = list(planned_battles(matchup, players, run_seed=1, paired=False))  # type: ignore[arg-type]
    assert len({spec.seed for spec in single}) == 10


def test_lines_of_keys_in_nested_tables() -> None:
    text = 'a = 1\n[[s]]\nx = 2\n[s.t]\ny = 3\n[[s]]\nx = 4\ns.u = 1\n["q r".z]\nk = 5\n'
    assert line_of(text, ("s", 0, "x")) == 3
    assert line_of(text, ("s", 0, "t", "y")) == 5
    assert line_of(text, ("s", 1, "x")) == 7
    assert line_of(text, ("q r", "z", "k")) == 10
    assert line_of(text, ("nowhere",)) is None
