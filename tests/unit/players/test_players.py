"""Players at the server's questions: refused orders, dice, records, plugins."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from porimon.config.player import LANGUAGE_MODEL_PLAYERS, PLAIN_PLAYERS, PlayerConfig
from porimon.errors import BattleAborted, UserInputError
from porimon.showdown.arena_model import DecisionMoment
from porimon.showdown.dex.store import dex
from porimon.showdown.players.base import (
    SERVER_REFUSED,
    Knowledge,
    PlayerContext,
    RefusedOrders,
    orders_of_request,
)
from porimon.showdown.players.plain import MaxPowerPlayer, RandomPlayer
from porimon.showdown.players.registry import create_player, player_factory
from porimon.tournament.game import BattleSpec
from tests.golden_prompts import player
from tests.unit.players.asking import ListedAnswers


def context(config: PlayerConfig, seat: str = "a", seed: int = 5, **options: Any) -> PlayerContext:
    players = {"a": config, "b": config}
    spec = BattleSpec("m-1", "m", 0, 0, seed, "a", players)  # type: ignore[arg-type]
    return PlayerContext(spec, seat, "p1", Knowledge(dex()), **options)  # type: ignore[arg-type]


def plain(base: str) -> PlayerConfig:
    return PlayerConfig(name=base, base=base)


def request(rqid: int = 1, **changes: Any) -> dict[str, Any]:
    """A request of a Ferrothorn with two benched Pokémon."""

    def member(name: str, active: bool) -> dict[str, Any]:
        return {
            "ident": f"p1: {name}",
            "details": f"{name}, L80",
            "condition": "240/240",
            "active": active,
            "stats": {"atk": 100, "def": 100, "spa": 100, "spd": 100, "spe": 100},
            "moves": ["powerwhip", "knockoff", "spikes", "leechseed"],
            "baseAbility": "ironbarbs",
            "ability": "ironbarbs",
            "item": "leftovers",
        }

    names = {"powerwhip": "Power Whip", "knockoff": "Knock Off", "spikes": "Spikes"}
    moves = [{"move": name, "id": key, "pp": 8, "maxpp": 8} for key, name in names.items()]
    return {
        "active": [{"moves": moves}],
        "side": {
            "id": "p1",
            "name": "p1",
            "pokemon": [
                member("Ferrothorn", True),
                member("Garchomp", False),
                member("Ditto", False),
            ],
        },
        "rqid": rqid,
        **changes,
    }


def moment(told: dict[str, Any], rejected: str | None = None) -> DecisionMoment:
    return DecisionMoment(SimpleNamespace(), "p1", 3, [], told, rejected)  # type: ignore[arg-type]


def test_orders_come_from_the_request() -> None:
    orders, forced = orders_of_request(request())
    assert [order.choice for order in orders] == [
        "move 1", "move 2", "move 3", "switch 2", "switch 3"
    ]  # fmt: skip
    assert not forced


def test_a_refused_order_is_left_out_while_the_question_stays() -> None:
    """After an [Invalid choice] the request is the same one: the order must not come again."""
    refused = RefusedOrders()
    orders, _ = orders_of_request(request())
    assert refused.left(moment(request()), orders) == orders
    refused.chosen(orders[0])
    assert refused.left(moment(request(), "[Invalid choice]"), orders) == orders[1:]
    refused.chosen(orders[1])
    assert refused.left(moment(request(), "[Invalid choice]"), orders) == orders[2:]
    # A new question starts afresh.
    assert refused.left(moment(request(rqid=2)), orders) == orders


def test_a_server_that_refuses_everything_aborts_the_battle() -> None:
    refused = RefusedOrders()
    orders, _ = orders_of_request(request())
    refused.chosen(orders[0])
    with pytest.raises(BattleAborted):
        refused.left(moment(request(), "[Invalid choice]"), orders[:1])


async def test_random_player_takes_every_order_and_repeats_itself() -> None:
    """The same battle and seat give the same orders; another seat gives others."""
    runs = []
    for seat, seed in (("a", 5), ("a", 5), ("b", 5), ("a", 6)):
        one = RandomPlayer(context(plain("random"), seat, seed))
        runs.append([await one.choose(moment(request(rqid=n))) for n in range(60)])
    assert runs[0] == runs[1]
    assert len({tuple(run) for run in runs}) == 3
    assert set(runs[0]) == {"move 1", "move 2", "move 3", "switch 2", "switch 3"}


async def test_max_power_plays_the_strongest_move_and_records_it() -> None:
    one = MaxPowerPlayer(context(plain("max-power")))
    assert await one.choose(moment(request())) == "move 1"
    assert await one.choose(moment(request(), "[Invalid choice] no")) == "move 2"
    forced = request(rqid=2, forceSwitch=[True])
    del forced["active"]
    assert await one.choose(moment(forced)) in ("switch 2", "switch 3")
    first, second, third = one.decisions
    assert (first.number, first.order, first.notes) == (1, "Power Whip", ())
    assert (second.number, second.order, second.notes) == (2, "Knock Off", (SERVER_REFUSED,))
    assert third.legal == ("Garchomp", "Ditto")
    assert (first.view, first.calls, first.fallback) == (None, (), None)


async def test_language_model_player_keeps_everything_for_the_record() -> None:
    asker = ListedAnswers(['{"move": "Surf"}', '{"move": "Spikes"}', '{"move": "Knock Off"}'])
    one = create_player(context(player("lt0"), asker=asker))
    start = [["", "player", "p1", "p1", "", ""], ["", "gametype", "singles"], ["", "gen", "8"]]
    told = replace(moment(request()), lines=start)
    assert await one.choose(told) == "move 3"
    record = one.decisions[0]
    assert record.order == "Spikes"
    assert [call.refused for call in record.calls] == ["illegal_order", None]
    assert record.view is not None
    assert record.facts is not None
    assert record.legal == ("Power Whip", "Knock Off", "Spikes", "Garchomp", "Ditto")
    # The server refuses Spikes: it is not offered again, and the model is told why.
    assert await one.choose(moment(request(), "[Invalid choice] Spikes is disabled")) == "move 2"
    assert one.decisions[1].legal == ("Power Whip", "Knock Off", "Garchomp", "Ditto")
    assert SERVER_REFUSED in one.decisions[1].notes
    assert "Spikes is disabled" in asker.requests[-1].messages[1].content


def test_language_model_player_needs_a_model() -> None:
    with pytest.raises(ValueError, match="needs a language model"):
        create_player(context(player("lt0")))


@pytest.mark.parametrize("base", [*PLAIN_PLAYERS, *LANGUAGE_MODEL_PLAYERS])
def test_every_base_name_is_a_player(base: str) -> None:
    assert callable(player_factory(plain(base)))


def test_templates_that_cannot_be_used_show_before_the_first_battle(tmp_path: Path) -> None:
    (tmp_path / "1_situation.jinja").write_text("{% for %}")
    with pytest.raises(UserInputError, match="template cannot be used"):
        player_factory(player("lt0", prompts=str(tmp_path)))


def test_an_unknown_player_names_the_nearest() -> None:
    with pytest.raises(UserInputError, match="max-power"):
        player_factory(plain("max-powr"))


PLUGIN = """
class First:
    def __init__(self, context):
        self.decisions = ()
    decisions = ()
    async def choose(self, moment):
        return "move 1"
    async def finished(self, ending):
        pass
    def finished_battle(self):
        return None
class Half:
    async def choose(self, moment):
        return "move 1"
"""


async def test_a_users_player_comes_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLUGIN)
    config = PlayerConfig(name="mine", base="mine", plugin=f"{file}:First")
    assert await create_player(context(config)).choose(moment(request())) == "move 1"


@pytest.mark.parametrize(
    "plugin, told",
    [
        ("none.py:First", "does not exist"),
        ("mine.py:Second", "AttributeError"),
        ("mine.py:Half", "lacks finished"),
        ("broken.py:First", "ZeroDivisionError"),
        ("no-such-entry-point", "entry point"),
    ],
)
def test_a_plugin_that_cannot_be_used_says_why(tmp_path: Path, plugin: str, told: str) -> None:
    (tmp_path / "mine.py").write_text(PLUGIN)
    (tmp_path / "broken.py").write_text("1 / 0")
    place = f"{tmp_path}/{plugin}" if ".py" in plugin else plugin
    with pytest.raises(UserInputError) as raised:
        player_factory(PlayerConfig(name="mine", base="mine", plugin=place))
    assert told in str(raised.value)


def test_poke_env_knows_the_names_of_hazards() -> None:
    """Once a heuristic of this name misspelt Stealth Rock and never used it."""
    from poke_env.player import SimpleHeuristicsPlayer

    hazards = set(SimpleHeuristicsPlayer.ENTRY_HAZARDS)
    assert hazards == {"spikes", "stealthrock", "stickyweb", "toxicspikes"}
    assert all(dex().find_move(name) for name in hazards)
    assert all(dex().find_move(name) for name in SimpleHeuristicsPlayer.ANTI_HAZARDS_MOVES)


def test_dice_of_players_leave_the_shared_generator_alone() -> None:
    before = random.getstate()
    RandomPlayer(context(plain("random")))
    assert random.getstate() == before
