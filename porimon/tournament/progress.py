"""What a run tells whoever watches it. The command line draws it; tests read it."""

from __future__ import annotations

from typing import Protocol

from porimon.llm.model import Completion
from porimon.tournament.game import BattleOutcome, BattleSpec
from porimon.tournament.plan import Matchup


class ProgressListener(Protocol):
    """Called on the event loop: must return at once and never raise."""

    def matchup_started(self, matchup: Matchup, finished: int) -> None: ...

    def battle_started(self, matchup: Matchup, spec: BattleSpec) -> None: ...

    def battle_finished(
        self, matchup: Matchup, spec: BattleSpec, outcome: BattleOutcome
    ) -> None: ...

    def battle_put_back(self, matchup: Matchup, spec: BattleSpec, reason: str) -> None: ...

    def matchup_finished(self, matchup: Matchup, stopped_after: int | None) -> None: ...

    def answered(self, completion: Completion) -> None: ...

    def selected(self, stage: str, winner: str, rates: dict[str, float]) -> None: ...


class Silent:
    """A listener that says nothing."""

    def matchup_started(self, matchup: Matchup, finished: int) -> None:
        """Nothing."""

    def battle_started(self, matchup: Matchup, spec: BattleSpec) -> None:
        """Nothing."""

    def battle_finished(self, matchup: Matchup, spec: BattleSpec, outcome: BattleOutcome) -> None:
        """Nothing."""

    def battle_put_back(self, matchup: Matchup, spec: BattleSpec, reason: str) -> None:
        """Nothing."""

    def matchup_finished(self, matchup: Matchup, stopped_after: int | None) -> None:
        """Nothing."""

    def answered(self, completion: Completion) -> None:
        """Nothing."""

    def selected(self, stage: str, winner: str, rates: dict[str, float]) -> None:
        """Nothing."""
