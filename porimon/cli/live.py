"""What a run shows while it plays: a live table on a terminal, plain lines anywhere else."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from porimon.llm.model import Completion
from porimon.tournament.game import BattleOutcome, BattleSpec
from porimon.tournament.plan import Matchup

SECONDS_BETWEEN_LINES = 5.0


@dataclass(slots=True)
class Tally:
    """What is known of one matchup so far."""

    matchup: Matchup
    finished: int = 0
    running: int = 0
    wins_a: int = 0
    wins_b: int = 0
    ties: int = 0
    decisions: int = 0
    fallbacks: int = 0
    put_back: int = 0
    stopped_after: int | None = None
    done: bool = False


@dataclass(slots=True)
class Totals:
    """What is known of the whole run so far, since this process began."""

    started: float = field(default_factory=time.monotonic)
    played: int = 0
    decisions: int = 0
    calls: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    tokens_known: bool = True

    def rate(self) -> float:
        """Decisions per second."""
        return self.decisions / max(1e-9, time.monotonic() - self.started)

    def seconds_left(self, missing: int) -> float | None:
        """Estimate from the battles that this process has played; ``None`` before the first."""
        if not self.played:
            return None
        return missing * (time.monotonic() - self.started) / self.played


def duration(seconds: float | None) -> str:
    """``1 h 05 min``, ``3 min 20 s``, ``12 s``; ``?`` where unknown."""
    if seconds is None:
        return "?"
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
    if whole >= 60:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole} s"


def tally_table(tallies: Iterable[Tally], *, running: bool) -> Table:
    """Matchups, one a line; ``running`` says whether it is known how many battles are in play."""
    table = Table(box=None, pad_edge=False)
    table.add_column("matchup", overflow="fold")
    for title in ("done", *(["running"] if running else []), "won–lost–tied", "fallbacks"):
        table.add_column(title, justify="right", no_wrap=True)
    for tally in tallies:
        share = tally.fallbacks / tally.decisions if tally.decisions else None
        table.add_row(
            Text(f"{tally.matchup.name_a} v {tally.matchup.name_b}"),
            f"{tally.finished}/{tally.matchup.battles}",
            *([str(tally.running)] if running else []),
            f"{tally.wins_a}–{tally.wins_b}–{tally.ties}",
            "–" if share is None else f"{share:.1%}",
        )
    return table


class LiveProgress:
    """A ``ProgressListener`` for people. Use it as a context manager around the run."""

    def __init__(self, console: Console, planned: int) -> None:
        self._console = console
        self._planned = planned
        self._tallies: dict[str, Tally] = {}
        self._totals = Totals()
        self._reasons: Counter[str] = Counter()
        self._live: Live | None = None
        self._last_line = 0.0
        self._told = 0

    def __enter__(self) -> LiveProgress:
        if self._console.is_terminal:
            self._live = Live(
                console=self._console, refresh_per_second=4, get_renderable=self._render
            )
            self._live.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._live is not None:
            self._live.stop()
        elif self._totals.played > self._told:
            self._print_line()

    def say(self, text: str) -> None:
        """One line that stays, above the live table."""
        self._console.print(Text(text))

    def matchup_started(self, matchup: Matchup, finished: int) -> None:
        """A matchup begins, with some battles finished earlier."""
        self._tallies[matchup.matchup_id] = Tally(matchup, finished=finished)

    def battle_started(self, matchup: Matchup, spec: BattleSpec) -> None:
        """A battle begins."""
        self._tallies[matchup.matchup_id].running += 1

    def battle_finished(self, matchup: Matchup, spec: BattleSpec, outcome: BattleOutcome) -> None:
        """A battle is over and recorded."""
        tally = self._tallies[matchup.matchup_id]
        tally.running -= 1
        tally.finished += 1
        tally.wins_a += outcome.winner == "a"
        tally.wins_b += outcome.winner == "b"
        tally.ties += outcome.winner is None
        tally.decisions += len(outcome.decisions)
        tally.fallbacks += sum(decision.fallback is not None for decision in outcome.decisions)
        self._totals.played += 1
        self._totals.decisions += len(outcome.decisions)
        if self._live is None and time.monotonic() - self._last_line > SECONDS_BETWEEN_LINES:
            self._print_line()

    def battle_put_back(self, matchup: Matchup, spec: BattleSpec, reason: str) -> None:
        """A battle broke off and will be played again."""
        tally = self._tallies[matchup.matchup_id]
        tally.running -= 1
        tally.put_back += 1
        self.say(f"battle {spec.battle_id} put back: {reason}")

    def matchup_finished(self, matchup: Matchup, stopped_after: int | None) -> None:
        """All battles of a matchup are played, or it was decided early."""
        tally = self._tallies[matchup.matchup_id]
        tally.done = True
        tally.stopped_after = stopped_after
        if stopped_after is not None:
            self.say(f"{matchup.matchup_id}: decided after {stopped_after} battles")

    def answered(self, completion: Completion) -> None:
        """A call was answered and paid for."""
        totals = self._totals
        totals.calls += 1
        if completion.input_tokens is None or completion.output_tokens is None:
            totals.tokens_known = False
        else:
            totals.tokens += completion.input_tokens + completion.output_tokens
        known = totals.cost is not None and completion.cost is not None
        totals.cost = (totals.cost or 0.0) + (completion.cost or 0.0) if known else None

    def selected(self, stage: str, winner: str, rates: dict[str, float]) -> None:
        """A stage has found its winner."""
        shown = ", ".join(f"{name} {rate:.1%}" for name, rate in rates.items())
        self.say(f"{stage}: {winner} has the best average win rate ({shown})")

    def _missing(self) -> int:
        finished = sum(
            tally.matchup.battles if tally.done else tally.finished
            for tally in self._tallies.values()
        )
        return max(0, self._planned - finished)

    def _summary(self) -> str:
        totals = self._totals
        missing = self._missing()
        parts = [
            f"{self._planned - missing} of {self._planned} battles",
            f"{totals.rate():.1f} decisions/s",
            f"{totals.calls:,} calls",
            f"{totals.tokens:,}{'' if totals.tokens_known else '+'} tokens",
            "cost unknown" if totals.cost is None else f"${totals.cost:.2f}",
        ]
        fallbacks = sum(tally.fallbacks for tally in self._tallies.values())
        parts.append(f"{fallbacks} fallbacks")
        if missing:
            parts.append(f"{duration(totals.seconds_left(missing))} left")
        return " · ".join(parts)

    def _print_line(self) -> None:
        self._last_line = time.monotonic()
        self._told = self._totals.played
        self._console.print(Text(self._summary()), soft_wrap=True)

    def _render(self) -> Group:
        shown = [tally for tally in self._tallies.values() if not tally.done]
        table = tally_table((shown or list(self._tallies.values()))[-20:], running=True)
        return Group(table, Text(self._summary(), style="bold"))
