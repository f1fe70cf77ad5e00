"""The longest chain of calls, by hand: what waiting for a model must take at least."""

from __future__ import annotations

from porimon.bench.llm import chain
from porimon.llm.model import Completion
from porimon.tournament.game import BattleOutcome, CallRecord, DecisionRecord, Seat

CALL = CallRecord("decision", 1, (), Completion("{}", "m", "stop", 1, None, 1, None, 0.5))


def decided(seat: Seat, turn: int, calls: int, forced: bool = False) -> DecisionRecord:
    view = b'{"forced_switch":true}' if forced else b'{"forced_switch":false}'
    return DecisionRecord(seat, 1, turn, view, None, (), "x", "x", calls=(CALL,) * calls)


def outcome(*decisions: DecisionRecord) -> BattleOutcome:
    return BattleOutcome("a", 1, "normal", "", (), decisions)


def test_both_players_are_asked_at_once() -> None:
    assert chain(outcome(decided("a", 1, 1), decided("b", 1, 1))) == 1


def test_a_retry_makes_the_other_one_wait() -> None:
    assert chain(outcome(decided("a", 1, 2), decided("b", 1, 1), decided("a", 2, 1))) == 3


def test_a_forced_switch_is_a_question_of_its_own() -> None:
    assert chain(outcome(decided("a", 1, 1), decided("b", 1, 1, forced=True))) == 2


def test_who_asks_nobody_takes_no_time() -> None:
    plain = DecisionRecord("b", 1, 1, None, None, (), "x", "x")
    assert chain(outcome(plain)) == 0
