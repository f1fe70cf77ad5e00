"""One decision: valid answers, retries, fallback, and the ways of asking (Porimon §II-D)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

import pytest

from porimon.config.player import PlayerConfig
from porimon.errors import BudgetExhausted, ModelAccessError, ModelUnavailable
from porimon.llm.model import Completion, CompletionRequest
from porimon.showdown.decision import ONLY_ORDER, Decision, DecisionServices, decide
from porimon.showdown.dex.store import dex
from porimon.showdown.facts.model import NO_DAMAGE_RANGES
from porimon.showdown.fallback import fallback_order
from porimon.showdown.prompts.context import Refusal
from porimon.showdown.prompts.render import load_templates
from porimon.showdown.view.model import BattleView, LegalOrder
from porimon.tournament.game import Asker
from tests.golden_prompts import player
from tests.situations import SITUATIONS, team
from tests.situations import view as view_of
from tests.unit.players.asking import ListedAnswers

LEAD, _ = SITUATIONS["lead"]()
FORCED, _ = SITUATIONS["forced_switch"]()


async def decided(
    asker: Asker,
    view: BattleView = LEAD,
    config: PlayerConfig | None = None,
    seed: int = 0,
    **options: object,
) -> Decision:
    """A decision with no calculator and no candidates."""
    chosen = config or player("lt0")
    services = DecisionServices(asker, dex(), load_templates(chosen.style))
    return await decide(view, "", services, chosen, random.Random(seed), **options)  # type: ignore[arg-type]


async def test_a_valid_answer_is_played_as_it_is() -> None:
    asker = ListedAnswers(['{"move": "Spikes"}'])
    decision = await decided(asker)
    assert (decision.order.label, decision.order.choice) == ("Spikes", "move 3")
    assert decision.fallback is None
    assert [call.refused for call in decision.calls] == [None]
    assert decision.calls[0].sections[0][0] == "system_rules"
    assert decision.notes == (NO_DAMAGE_RANGES,)
    assert decision.facts is not None


async def test_a_refused_answer_is_asked_for_again_with_what_was_wrong() -> None:
    asker = ListedAnswers(['{"move": "Surf"}', '{"switch": "Garchomp"}'])
    decision = await decided(asker)
    assert decision.order.label == "Garchomp"
    assert [(call.attempt, call.refused) for call in decision.calls] == [
        (1, "illegal_order"),
        (2, None),
    ]
    first, second = (request.messages[1].content for request in asker.requests)
    assert second.startswith(first)
    assert "'Surf' is not one of the options" in second
    assert '<<<{"move": "Surf"}>>>' in second


@pytest.mark.parametrize("retries", [0, 1, 3])
async def test_after_tr_retries_the_fallback_decides(retries: int) -> None:
    asker = ListedAnswers(["no idea what to do here"] * 10)
    config = player("lt0", retries=retries)
    decision = await decided(asker, config=config)
    assert len(asker.requests) == len(decision.calls) == retries + 1
    assert decision.fallback == decision.calls[-1].refused == "illegal_order"
    # Power Whip has 120, Knock Off 65, the others none.
    assert decision.order.label == "Power Whip"


async def test_a_forced_switch_falls_back_on_a_random_legal_one() -> None:
    seen = set()
    for seed in range(40):
        asker = ListedAnswers(["", "null"])
        decision = await decided(asker, FORCED, seed=seed)
        assert decision.fallback == "not_json"
        seen.add(decision.order.label)
    assert seen == {order.label for order in FORCED.legal_orders}


async def test_one_legal_order_asks_nobody() -> None:
    only = view_of(team(), [], orders=LEAD.legal_orders[:1])
    asker = ListedAnswers([])
    decision = await decided(asker, only)
    assert decision.order == LEAD.legal_orders[0]
    assert (decision.notes, decision.calls, asker.requests) == ((ONLY_ORDER,), (), [])


@pytest.mark.parametrize(
    "error", [ModelAccessError("bad key"), BudgetExhausted("spent"), ModelUnavailable("down")]
)
async def test_what_is_no_answer_is_never_a_fallback(error: Exception) -> None:
    """A bad key, a used-up budget and a model out of reach come out as what they are."""
    with pytest.raises(type(error)):
        await decided(ListedAnswers([error]))


async def test_an_order_that_the_server_refused_is_told() -> None:
    asker = ListedAnswers(['{"move": "Spikes"}'])
    refusal = Refusal("server_refused", "the server refused the order: Can't switch: trapped")
    await decided(asker, refused_by_server=refusal)
    assert "Can't switch: trapped" in asker.requests[0].messages[1].content


@pytest.mark.parametrize(
    "answers, order",
    [
        (["Spikes", "Power Whip", "Power Whip"], "Power Whip"),
        (["Power Whip", "Spikes", "Power Whip"], "Power Whip"),
        (["Spikes", "Spikes", "Power Whip"], "Spikes"),
        (["Knock Off", "Spikes", "Power Whip"], "Knock Off"),  # a tie: the first one named
        (["Surf", "Surf", "Spikes"], "Spikes"),  # what is not legal has no vote
    ],
)
async def test_self_consistency_plays_the_majority(answers: list[str], order: str) -> None:
    asker = ListedAnswers([f'{{"move": "{answer}"}}' for answer in answers])
    decision = await decided(asker, config=player("lt0", mode="sc"))
    assert decision.order.label == order
    assert len(decision.calls) == 3
    assert len({request.messages for request in asker.requests}) == 1


async def test_self_consistency_without_a_vote_retries() -> None:
    asker = ListedAnswers(["", "null", '{"move": "Surf"}', *['{"move": "Spikes"}'] * 3])
    decision = await decided(asker, config=player("lt0", mode="sc"))
    assert decision.order.label == "Spikes"
    assert [call.attempt for call in decision.calls] == [1, 1, 1, 2, 2, 2]
    assert "the answer is empty" in asker.requests[3].messages[1].content


async def test_a_failing_sample_cancels_the_others() -> None:
    ended: list[str] = []

    class Failing:
        calls = 0

        async def ask(self, request: CompletionRequest) -> Completion:
            self.calls += 1
            if self.calls == 2:
                raise ModelUnavailable("down")
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                ended.append("cancelled")
                raise
            raise AssertionError("never reached")

    with pytest.raises(ModelUnavailable):
        await decided(Failing(), config=player("lt0", mode="sc"))
    assert ended == ["cancelled", "cancelled"]


def proposed(*orders: str) -> str:
    options = ", ".join(f'{{"why": "because", "order": "{order}"}}' for order in orders)
    return f'{{"options": [{options}]}}'


async def test_a_tree_of_thoughts_chooses_among_its_proposals() -> None:
    asker = ListedAnswers([proposed("Spikes", "Garchomp"), '{"switch": "Garchomp"}'])
    decision = await decided(asker, config=player("lt0", mode="tot"))
    assert decision.order.label == "Garchomp"
    assert len(decision.calls) == 2
    assert "You proposed: Spikes; Garchomp." in asker.requests[1].messages[1].content


async def test_a_single_proposal_is_played_without_a_second_call() -> None:
    asker = ListedAnswers([proposed("Spikes", "Surf")])
    decision = await decided(asker, config=player("lt0", mode="tot"))
    assert (decision.order.label, len(decision.calls)) == ("Spikes", 1)


async def test_a_choice_that_was_not_proposed_is_refused() -> None:
    asker = ListedAnswers(
        [
            proposed("Spikes", "Garchomp"),
            '{"move": "Power Whip"}',
            proposed("Spikes", "Garchomp"),
            '{"move": "Spikes"}',
        ]
    )
    decision = await decided(asker, config=player("lt0", mode="tot"))
    assert decision.order.label == "Spikes"
    assert [call.refused for call in decision.calls] == [None, "not_proposed", None, None]


async def test_a_json_schema_lists_exactly_the_legal_orders() -> None:
    asker = ListedAnswers(['{"order": "Spikes"}'])
    decision = await decided(asker, config=player("lt0", answer_format="json_schema"))
    asked = asker.requests[0].answer_format
    assert asked.kind == "json_schema"
    assert asked.schema is not None
    labels = [order.label for order in LEAD.legal_orders]
    assert asked.schema["properties"]["order"]["enum"] == labels
    assert decision.order.label == "Spikes"


@pytest.mark.parametrize("mode", ["io", "cot", "sc", "tot"])
async def test_plain_text_is_asked_for_and_read_in_every_mode(mode: str) -> None:
    first = "option: Spikes | early" if mode == "tot" else "thought: hm\nmove: Spikes"
    asker = ListedAnswers([first] * 3)
    config = player("lt0", mode=mode, answer_format="text")
    assert (await decided(asker, config=config)).order.label == "Spikes"
    assert asker.requests[0].answer_format.kind == "text"


def orders(*moves: str) -> Sequence[LegalOrder]:
    return tuple(
        LegalOrder("move", move, dex().move(move).name, f"move {place}")
        for place, move in enumerate(moves, start=1)
    )


@pytest.mark.parametrize(
    "moves, expected",
    [
        (("toxic", "earthquake", "closecombat"), "closecombat"),
        (("earthquake", "stoneedge"), "earthquake"),  # both 100: the first
        (("seismictoss", "aquajet"), "aquajet"),  # no listed power against 40
        (("heavyslam", "toxic"), "heavyslam"),  # nothing has one: the first
    ],
)
def test_fallback_plays_the_highest_listed_power(moves: tuple[str, ...], expected: str) -> None:
    view = view_of(team(), [], orders=tuple(orders(*moves)) + LEAD.legal_orders[4:])
    assert fallback_order(view, dex(), random.Random(1)).target == expected
