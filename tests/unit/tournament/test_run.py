"""Running, stopping and resuming tournaments: nothing is lost, nothing is paid twice."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from porimon.config.tournament import TournamentSettings
from porimon.errors import BattleAborted, ModelAccessError, RunStopped, UserInputError
from porimon.stats.cards import pooled
from porimon.tournament.early import rule_of
from porimon.tournament.matchup_run import RunContext
from porimon.tournament.plan import derived_seed, planned_matchups
from porimon.tournament.progress import Silent
from porimon.tournament.record.read import RunReader
from porimon.tournament.record.run_record import RunRecord
from porimon.tournament.record.totals import player_totals
from porimon.tournament.run import TournamentRun
from porimon.tournament.stop import StopSignal
from tests.records import contents

from .coin_game import CoinGame, EchoModel, SlowModel


def tournament(**changes: Any) -> TournamentSettings:
    document: dict[str, Any] = {
        "name": "test",
        "seed": 7,
        "battles": 12,
        "round_robin": ["h", "p", "lt1-uniform"],
        "defaults": {"memory": {"minimum": 2}},
        **changes,
    }
    return TournamentSettings.model_validate(document)


async def play(
    folder: Path,
    settings: TournamentSettings,
    game: CoinGame | None = None,
    model: EchoModel | None = None,
    *,
    per_matchup: int = 3,
    failures_before_pause: int = 5,
    card: dict[str, Any] | None = None,
    mixed: bool = False,
) -> tuple[CoinGame, EchoModel]:
    game = game or CoinGame()
    model = model or EchoModel()
    record = await RunRecord.open(folder, settings.model_dump(mode="json"), {}, mixed=mixed)
    context = RunContext(
        game=game,
        record=record,
        models={"offline": model},
        stop=StopSignal(),
        listener=Silent(),
        places=asyncio.Semaphore(6),
        run_seed=settings.seed,
        paired=settings.paired,
        per_matchup=per_matchup,
        failures_before_pause=failures_before_pause,
        card=lambda player: card or {"window": player.window},
        early=rule_of(settings.early_stopping, 1) if settings.early_stopping else None,
    )
    try:
        await asyncio.wait_for(TournamentRun(settings, context).play(), 60)
    finally:
        await record.close()
    return game, model


async def test_every_planned_battle_is_played_once_and_recorded(tmp_path: Path) -> None:
    game, model = await play(tmp_path, tournament())
    assert len(game.played) == len(set(game.played)) == 36
    with RunReader(tmp_path) as reader:
        rows = reader.battle_rows()
        assert len(rows) == 36
        assert {row.player_a for row in rows} | {row.player_b for row in rows} == {
            "h",
            "p",
            "lt1-uniform",
        }
        details = reader.details("3.12")
        assert [decision["number"] for decision in details["decisions"]] == [0, 0, 1, 1, 2, 2]
        asked = details["decisions"][0]["calls"][0]["sections"]
        assert asked[0] == ["system", "guess"]
        totals = {each.label: each for each in player_totals(reader)}
        assert totals["h"].calls == 0
        assert totals["h"].cost == 0
        assert totals["p"].calls == 2 * 12 * 3
        assert totals["p"].input_tokens == 720
        assert totals["p"].cached_input_tokens is None, "unknown is not 0"
    assert len(model.questions) == 4 * 12 * 3


async def test_pairs_share_a_seed_and_swap_sides(tmp_path: Path) -> None:
    await play(tmp_path, tournament())
    with RunReader(tmp_path) as reader:
        battles = list(reader.battles("round robin: h v p"))
    for first, second in zip(battles[::2], battles[1::2], strict=True):
        assert (first.seed, first.pair) == (second.seed, second.pair)
        assert (first.first, second.first) == ("a", "b")
    assert len({battle.seed for battle in battles}) == 6


async def test_the_order_of_finishing_changes_nothing(tmp_path: Path) -> None:
    for name, delay in (("fast", 0.0), ("slow", 0.02), ("again", 0.01)):
        (tmp_path / name).mkdir()
        await play(tmp_path / name, tournament(), CoinGame(delay), EchoModel(delay=delay))
    expected = contents(tmp_path / "fast")
    assert any(row[4] for row in expected["decisions"]), "something must have been retrieved"
    assert contents(tmp_path / "slow") == expected
    assert contents(tmp_path / "again") == expected


@pytest.mark.parametrize("question", [1, 20, 77])
async def test_a_refused_key_stops_the_run_which_then_goes_on(
    tmp_path: Path, question: int
) -> None:
    (tmp_path / "whole").mkdir()
    await play(tmp_path / "whole", tournament())
    model = EchoModel(delay=0.001)
    model.errors[question] = ModelAccessError("the key is refused", where="LUNA_KEY")
    folder = tmp_path / "broken"
    folder.mkdir()
    with pytest.raises(ModelAccessError):
        await play(folder, tournament(), CoinGame(0.001), model)
    paid = len(model.questions) - 1
    _, second = await play(folder, tournament())
    assert contents(folder) == contents(tmp_path / "whole")
    # Nothing was asked twice: the first run's answers were all used.
    assert paid + len(second.questions) == 4 * 12 * 3


async def test_a_battle_that_breaks_off_is_played_again_from_its_seed(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    await play(tmp_path / "whole", tournament())
    game = CoinGame()
    game.errors["2.5"] = [BattleAborted("the server is gone")]
    (tmp_path / "broken").mkdir()
    await play(tmp_path / "broken", tournament(), game)
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")
    with RunReader(tmp_path / "broken") as reader:
        assert [(row[0], row[1]) for row in reader.put_back()] == [("2.5", "the server is gone")]


async def test_a_call_outlives_the_battle_that_breaks_off(tmp_path: Path) -> None:
    """What was under way when the battle broke off answers the battle that is played again."""
    settings = tournament(battles=2, round_robin=["h", "lt1-uniform"])
    (tmp_path / "whole").mkdir()
    await play(tmp_path / "whole", settings, per_matchup=1)
    game = CoinGame()
    game.cuts["1.1"] = [0.02]
    # Longer than the pause before the battle is played again: that meets the call under way.
    model = SlowModel(seconds=1.5)
    (tmp_path / "broken").mkdir()
    await play(tmp_path / "broken", settings, game, model, per_matchup=1)
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")
    with RunReader(tmp_path / "broken") as reader:
        assert [row[0] for row in reader.put_back()] == ["1.1"]
    assert len(model.questions) == 2 * 3


async def test_many_failures_in_a_row_pause_the_run(tmp_path: Path) -> None:
    game = CoinGame()
    for matchup in (1, 2, 3):
        for battle in range(1, 13):
            game.errors[f"{matchup}.{battle}"] = [BattleAborted("no server")] * 9
    with pytest.raises(RunStopped, match="3 times in a row battles broke off"):
        await play(tmp_path, tournament(), game, failures_before_pause=3)
    await play(tmp_path, tournament())
    assert len(contents(tmp_path)["battles"]) == 36


async def test_another_plan_is_refused_with_the_difference(tmp_path: Path) -> None:
    await play(tmp_path, tournament())
    with pytest.raises(UserInputError) as caught:
        await play(tmp_path, tournament(seed=8))
    assert '- "seed": 7' in str(caught.value).replace("-  ", "- ")
    assert "--out" in str(caught.value)


async def test_a_stage_selects_and_a_later_one_inherits(tmp_path: Path) -> None:
    settings = tournament(
        round_robin=["h", "p"],
        battles=6,
    ).model_dump(mode="json")
    settings["stages"] = [
        {
            "name": "window",
            "players": ["p-T1", "p-T7", "p-T9"],
            "selects": {"settings": ["window"], "passes_to": ["p", "lt0"], "alias": "best"},
        },
        {"name": "comparison", "players": ["h", "lt0", "best"]},
    ]
    await play(tmp_path, TournamentSettings.model_validate(settings))
    with RunReader(tmp_path) as reader:
        winner = reader.selections()["window"]
        window = int(winner.removeprefix("p-T"))
        by_name = {
            matchup.names["a"]: reader.players[matchup.hashes["a"]]
            for matchup in reader.matchups()
            if matchup.stage == "comparison"
        }
        assert by_name["lt0"].window == window
        labels = {row.player_a for row in reader.battle_rows()}
        labels |= {row.player_b for row in reader.battle_rows()}
    # The winner's battles of both stages count for one player, under its alias.
    assert winner not in labels
    assert "best" in labels


def test_seeds_belong_to_the_place_in_the_plan() -> None:
    assert derived_seed(1, "m", 0) == derived_seed(1, "m", 0)
    others = {derived_seed(*place) for place in [(1, "m", 1), (2, "m", 0), (1, "n", 0)]}
    assert derived_seed(1, "m", 0) not in others
    assert len(others) == 3
    assert all(0 <= seed < 2**63 for seed in others)
    assert next(m.matchup_id for m in planned_matchups(tournament())) == "round robin: h v p"


async def test_a_decided_matchup_stops_early_at_the_same_battle_every_time(tmp_path: Path) -> None:
    class Lopsided(CoinGame):
        async def play(self, spec: Any, askers: Any, memories: Any) -> Any:
            outcome = await super().play(spec, askers, memories)
            return replace(outcome, winner="a", end_reason="normal")

    settings = tournament(
        round_robin=["h", "random"],
        battles=200,
        early_stopping={"minimum_pairs": 5, "expected": 0.3},
    )
    stopped = []
    for name, delay in (("one", 0.0), ("two", 0.01)):
        (tmp_path / name).mkdir()
        await play(tmp_path / name, settings, Lopsided(delay))
        with RunReader(tmp_path / name) as reader:
            (matchup,) = reader.matchups()
            rows = reader.battle_rows()
        stopped.append(matchup.stopped_after)
        assert len(rows) == matchup.stopped_after
        assert all(row.stopped_early for row in rows)
    assert stopped[0] == stopped[1]
    assert stopped[0] is not None
    assert 10 <= stopped[0] < 60


async def test_a_changed_player_is_refused_unless_mixing_is_asked_for(tmp_path: Path) -> None:
    await play(tmp_path, tournament(battles=2), card={"model": "one"})
    with pytest.raises(UserInputError, match=r"model: 'one' \| 'two'"):
        await play(tmp_path, tournament(battles=2), card={"model": "two"})
    await play(tmp_path, tournament(battles=2), card={"model": "two"}, mixed=True)
    with RunReader(tmp_path) as reader, pytest.raises(UserInputError, match="differ"):
        pooled(reader.cards())


async def test_no_battle_reads_the_other_battle_of_its_pair(tmp_path: Path) -> None:
    settings = tournament(
        round_robin=["h", "lt1-uniform"], defaults={"memory": {"minimum": 1, "top": 50}}
    )
    await play(tmp_path, settings, per_matchup=1)
    with RunReader(tmp_path) as reader:
        pairs = {
            row[0]: row[1]
            for row in reader.connection.execute(
                "SELECT memories.id, battles.pair FROM "
                + f'"{reader.connection.execute("SELECT table_name FROM memories").fetchone()[0]}"'
                + " AS memories JOIN battles ON battles.id = memories.battle_id"
            )
        }
        read = 0
        for battle in reader.battles():
            for decision in reader.details(battle.battle_id)["decisions"]:
                for found in decision["retrieved"]:
                    read += 1
                    assert pairs[found["experience_id"]] < battle.pair
    assert read > 0
