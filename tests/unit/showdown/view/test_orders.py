"""Legal orders: what the request allows, with the words that the server takes."""

from __future__ import annotations

from typing import Any

import pytest

from porimon.errors import BattleAborted
from porimon.showdown.view.orders import legal_orders
from porimon.showdown.view.request import read_offer, read_request
from tests.unit.showdown.view.requests import BENCH, SUICUNE, move_entry, request, team_entry


def choices(document: dict[str, Any]) -> list[str]:
    orders = legal_orders(read_request(document))
    assert legal_orders(read_offer(document)) == orders, "the short way gives the same"
    return [order.choice for order in orders]


def test_moves_come_first_then_living_bench() -> None:
    """Rotom (slot 2) has fainted: only Snorlax (slot 3) may come in."""
    assert choices(request(SUICUNE, *BENCH)) == ["move 1", "move 2", "switch 3"]


def test_disabled_moves_keep_the_numbers_of_the_others() -> None:
    moves = [move_entry("Surf", disabled=True), move_entry("Toxic")]
    assert choices(request(SUICUNE, *BENCH, moves=moves)) == ["move 2", "switch 3"]


def test_trapped_forbids_switches_and_maybe_trapped_does_not() -> None:
    assert choices(request(SUICUNE, *BENCH, trapped=True)) == ["move 1", "move 2"]
    assert "switch 3" in choices(request(SUICUNE, *BENCH, maybeTrapped=True))


def test_a_forced_switch_allows_switches_only_even_with_a_living_active_pokemon() -> None:
    """U-turn, Baton Pass and Eject Button ask for a switch without any faint."""
    document = {"forceSwitch": [True], "side": request(SUICUNE, *BENCH)["side"]}
    assert choices(document) == ["switch 3"]
    assert read_request(document).forced_switch


def test_struggle_and_recharge_are_the_only_move() -> None:
    for name in ("Struggle", "Recharge"):
        only = [{"move": name, "id": name.lower()}]
        orders = legal_orders(read_request(request(SUICUNE, *BENCH, moves=only, trapped=True)))
        assert [(order.target, order.choice) for order in orders] == [(name.lower(), "move 1")]


def test_labels_of_two_alike_on_the_bench_differ() -> None:
    document = request(SUICUNE, team_entry("Unown, L90"), team_entry("Unown, L90"))
    labels = [o.label for o in legal_orders(read_request(document)) if o.kind == "switch"]
    assert labels == ["Unown (slot 2)", "Unown (slot 3)"]


def test_nothing_is_legal_while_waiting() -> None:
    assert choices({"wait": True, "side": request(SUICUNE)["side"]}) == []


@pytest.mark.parametrize(
    "document",
    [{}, {"side": {}}, {"side": {"pokemon": [{}]}}, {"teamPreview": True}, {"side": None}],
)
def test_an_unreadable_request_stops_the_battle(document: dict[str, Any]) -> None:
    with pytest.raises(BattleAborted):
        read_request(document)
    with pytest.raises(BattleAborted):
        read_offer(document)


def test_power_and_type_are_cut_from_move_ids() -> None:
    entry = team_entry("Suicune, L79", moves=["hiddenpowerfire60", "return102", "surf"])
    assert read_request(request(entry)).team[0].moves == ("hiddenpower", "return", "surf")
