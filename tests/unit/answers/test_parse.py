"""Answers as models really send them: each is read as the one order that it means, or refused."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porimon.errors import ModelAnswerError
from porimon.showdown.answers.lexicon import game_lexicon
from porimon.showdown.answers.parse import parse_order, parse_proposals
from porimon.showdown.view.model import LegalOrder


def move(identifier: str, label: str, place: int) -> LegalOrder:
    return LegalOrder("move", identifier, label, f"move {place}")


def switch(species: str, label: str, slot: int) -> LegalOrder:
    return LegalOrder("switch", species, label, f"switch {slot}", slot)


EARTHQUAKE = move("earthquake", "Earthquake", 1)
THUNDER_WAVE = move("thunderwave", "Thunder Wave", 2)
THUNDER = move("thunder", "Thunder", 3)
U_TURN = move("uturn", "U-turn", 4)
FLABEBE = switch("flabebe", "Flabébé", 2)
ROTOM = switch("rotomwash", "Rotom-Wash", 3)
TWIN_A = switch("ditto", "Ditto (slot 4)", 4)
TWIN_B = switch("ditto", "Ditto (slot 5)", 5)
LEGAL = (EARTHQUAKE, THUNDER_WAVE, THUNDER, U_TURN, FLABEBE, ROTOM, TWIN_A, TWIN_B)

UNDERSTOOD = [
    ('{"move": "Earthquake"}', EARTHQUAKE),
    ('{"move": "EARTHQUAKE"}', EARTHQUAKE),
    ('{"Move": "earth quake"}', EARTHQUAKE),
    ('```json\n{"move": "U-turn"}\n```', U_TURN),
    ('{"move": "u turn"}', U_TURN),
    ('{"move": "Uturn"}', U_TURN),
    ('I compare the options.\n{"move": "Thunder"}\nThat is best.', THUNDER),
    ('{"thought": "{not json} really", "move": "Thunder Wave"}', THUNDER_WAVE),
    ('{"thought": "use {\\"move\\": \\"Thunder\\"}?", "move": "Earthquake"}', EARTHQUAKE),
    ('{"switch": "Flabébé"}', FLABEBE),
    ('{"switch": "flabebe"}', FLABEBE),
    ('{"switch": "FLABE\u0301BE\u0301"}', FLABEBE),
    ('{"switch": "Rotom Wash"}', ROTOM),
    ('{"switch": "switch to Rotom-Wash"}', ROTOM),
    ('{"order": "switch to Rotom-Wash"}', ROTOM),
    ('{"order": "Ditto (slot 5)"}', TWIN_B),
    ('{"move": "Rotom-Wash"}', ROTOM),
    ('{"switch": "Earthquake"}', EARTHQUAKE),
    ('{"move": null, "switch": "Rotom-Wash"}', ROTOM),
    ('{"move": "Earthquake", "switch": null}', EARTHQUAKE),
    ('{"move": "Earthquake", "switch": "none"}', EARTHQUAKE),
    ('{"action": "switch", "order": "Rotom-Wash"}', ROTOM),
    ('{"move": {"name": "Thunder"}}', THUNDER),
    ('{"action": {"move": "Thunder"}}', THUNDER),
    ('{"option": 6}', ROTOM),
    ('{"option": "6"}', ROTOM),
    ('{"move": 1}', EARTHQUAKE),
    ('{"move": 1.0}', EARTHQUAKE),
    ('{"order": "6. Rotom-Wash"}', ROTOM),
    ('{"order": "option 1: Earthquake"}', EARTHQUAKE),
    ("6", ROTOM),
    ('"Earthquake"', EARTHQUAKE),
    ("{'move': 'Earthquake'}", EARTHQUAKE),
    ('{"move": "Earthquake",}', EARTHQUAKE),
    ('{"move": Earthquake}', EARTHQUAKE),
    ("{move: Thunder Wave}", THUNDER_WAVE),
    ("move: Earthquake", EARTHQUAKE),
    ("thought: Thunder might miss.\nmove: Earthquake", EARTHQUAKE),
    ("**Switch:** Rotom-Wash", ROTOM),
    ("Final answer: U-turn.", U_TURN),
    ("I use Earthquake", EARTHQUAKE),
    ("Switch to Rotom-Wash!", ROTOM),
    ("Thunder Wave", THUNDER_WAVE),
    ('{"move": "Thunder Wave on the opponent"}', THUNDER_WAVE),
    ('{"move": "Erthquake"}', EARTHQUAKE),
    ('{"move": "Earthqauke"}', EARTHQUAKE),
    ('{"move": "Thunderwawe"}', THUNDER_WAVE),
    ('{"switch": "Rotom-Wahs"}', ROTOM),
    ('{"move": "EQ"}', EARTHQUAKE),
    ('{"move": "T-Wave"}', THUNDER_WAVE),
    ('{"move": "Earthquake"} {"move": "earthquake"}', EARTHQUAKE),
    ('[{"move": "Earthquake"}]', EARTHQUAKE),
]

REFUSED = [
    ("", "empty"),
    ("   \n", "empty"),
    ("null", "not_json"),
    ("[]", "not_json"),
    ("{}", "no_order"),
    ('{"thought": "hm"}', "no_order"),
    ('{"move": ""}', "no_order"),
    ('{"move": null}', "no_order"),
    ('{"move": ["Earthquake"]}', "wrong_type"),
    ('{"move": true}', "wrong_type"),
    ('{"move": 1.5}', "wrong_type"),
    ('{"move": "Surf"}', "illegal_order"),
    ('{"move": "Earth Power"}', "illegal_order"),
    ('{"switch": "Pikachu"}', "illegal_order"),
    ('{"option": 9}', "illegal_order"),
    ('{"option": 0}', "illegal_order"),
    ('{"option": -1}', "illegal_order"),
    ('{"move": 6}', "ambiguous"),
    ('{"switch": 2}', "ambiguous"),
    ('{"switch": "Ditto"}', "ambiguous"),
    ('{"order": "2. Thunder"}', "ambiguous"),
    ('{"move": "Earthquake", "switch": "Rotom-Wash"}', "ambiguous"),
    ('{"move": "Earthquake"} or {"move": "Thunder"}', "ambiguous"),
    ('{"move": "Earthquake or Thunder"}', "ambiguous"),
    ("not Earthquake", "ambiguous"),
    ("Earthquake is good.\nThunder is better.", "ambiguous"),
    ('{"move": "Earthq', "not_json"),
    ("Das ist eine schwierige Frage. " * 20, "not_json"),
    ('{"move": "' + "x" * 1000 + '"}', "illegal_order"),
]


@pytest.mark.parametrize("text, order", UNDERSTOOD, ids=[text[:40] for text, _ in UNDERSTOOD])
def test_what_models_send_is_understood(text: str, order: LegalOrder) -> None:
    assert parse_order(text, LEGAL, game_lexicon()) == order


@pytest.mark.parametrize("text, reason", REFUSED, ids=[text[:40] or "-" for text, _ in REFUSED])
def test_what_means_nothing_or_two_things_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ModelAnswerError) as refused:
        parse_order(text, LEGAL, game_lexicon())
    assert refused.value.reason == reason
    assert refused.value.what


def test_a_misspelling_with_two_near_orders_is_refused() -> None:
    """Flip Turn and Flip Burn are one letter apart: "Flip Purn" may be either."""
    legal = (move("flipturn", "Flip Turn", 1), move("flipburn", "Flip Burn", 2))
    with pytest.raises(ModelAnswerError) as refused:
        parse_order('{"move": "Flip Purn"}', legal)
    assert refused.value.reason == "ambiguous"


def test_a_real_move_that_is_not_legal_is_no_misspelling() -> None:
    """Fire Lash is two letters from Fire Blast, but it is a move of its own."""
    legal = (move("fireblast", "Fire Blast", 1), U_TURN)
    with pytest.raises(ModelAnswerError) as refused:
        parse_order('{"move": "Fire Lash"}', legal, game_lexicon())
    assert refused.value.reason == "illegal_order"
    assert parse_order('{"move": "Fire Blsat"}', legal, game_lexicon()) == legal[0]


HARD = [
    '{"move":' * 10_000 + '"Earthquake"' + "}" * 10_000,
    "[" * 10_000 + "]" * 10_000,
    "{" * 100_000,
    "Earthquake " * 100_000,
    "{'move': 'Earthquake', " * 40_000,
    "move: " * 200_000,
    "\ud800\udfff{\ud800}",
    '{"move": "\\ud800"}',
    "\x00" * 1000,
    '{"move": 1e999}',
    '{"move": NaN}',
    '{"option": ' + "9" * 5000 + "}",
    "9" * 100_000,
]


@pytest.mark.parametrize("text", HARD, ids=range(len(HARD)))
def test_monstrous_answers_are_refused_quickly(text: str) -> None:
    """A refusal is a typed reason, and a megabyte of anything takes well under a second."""
    began = time.perf_counter()
    with pytest.raises(ModelAnswerError) as refused:
        parse_order(text, LEGAL, game_lexicon())
    assert refused.value.reason
    assert time.perf_counter() - began < 2.0


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["move", "switch", "option", "order", "thought", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
ANY_TEXT = st.text(st.characters(codec=None), max_size=300)


@given(JSON_VALUES.map(json.dumps) | ANY_TEXT)
def test_any_text_gives_a_legal_order_or_a_typed_reason(text: str) -> None:
    for parse in (lambda: (parse_order(text, LEGAL),), lambda: parse_proposals(text, LEGAL)):
        orders, reason = outcome(parse)
        assert (orders and set(orders) <= set(LEGAL)) or reason.isidentifier()


def outcome(parse: Callable[[], tuple[LegalOrder, ...]]) -> tuple[tuple[LegalOrder, ...], str]:
    """The orders that an answer gave, or the reason why there are none."""
    try:
        return parse(), ""
    except ModelAnswerError as error:
        return (), error.reason


@given(
    st.sampled_from(LEGAL), st.sampled_from(["{}", " {} ", "```json\n{}\n```", "Well: {} Done."])
)
def test_every_label_in_the_asked_format_is_its_order(order: LegalOrder, around: str) -> None:
    for document in ({order.kind: order.label}, {"order": order.label}):
        answer = around.replace("{}", json.dumps(document, ensure_ascii=False))
        assert parse_order(answer, LEGAL) == order


def test_up_to_three_different_proposals_are_taken_in_order() -> None:
    answer = json.dumps(
        {
            "options": [
                {"why": "strong", "order": "Earthquake"},
                {"why": "no such move", "order": "Surf"},
                {"why": "the same again", "order": "earthquake"},
                {"why": "safe", "order": "Rotom-Wash"},
                {"why": "", "order": "Thunder"},
                {"why": "", "order": "U-turn"},
            ]
        }
    )
    assert parse_proposals(answer, LEGAL) == (EARTHQUAKE, ROTOM, THUNDER)


def test_proposals_may_be_lines_of_text() -> None:
    text = "option: Earthquake | strong\noption: Rotom-Wash | resists"
    assert parse_proposals(text, LEGAL) == (EARTHQUAKE, ROTOM)


def test_proposals_of_which_none_is_legal_tell_the_first_reason() -> None:
    with pytest.raises(ModelAnswerError) as refused:
        parse_proposals('{"options": [{"order": "Surf"}, {"order": ""}]}', LEGAL, game_lexicon())
    assert refused.value.reason == "illegal_order"
