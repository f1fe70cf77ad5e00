"""How far a run has come, read from its record while another process plays it."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass, replace
from pathlib import Path

from porimon.config.tournament import TournamentSettings
from porimon.stats.cards import models_of
from porimon.tournament.plan import Matchup, planned_matchups
from porimon.tournament.record.lock import holder
from porimon.tournament.record.read import RunReader

RECENT_SECONDS = 600.0
"""What the present speed is reckoned from: the battles that ended within so many seconds."""


@dataclass(frozen=True, slots=True)
class MatchupStanding:
    """One matchup of the plan: battles by result, and how often the fallback rule decided."""

    matchup: Matchup
    begun: bool
    finished: int
    wins_a: int
    wins_b: int
    ties: int
    decisions: int
    fallbacks: int
    stopped_after: int | None

    @property
    def done(self) -> bool:
        """Whether nothing of it is left to play."""
        return self.stopped_after is not None or self.finished >= self.matchup.battles


@dataclass(frozen=True, slots=True)
class RunStanding:
    """The whole run. ``None`` stands for what is not known: a cost, a process, a speed.

    ``process`` is the process that plays it now. ``tokens`` and ``cost`` include the answers of
    battles that are still being played. ``models`` are the labels of the models asked so far.
    """

    name: str
    process: int | None
    matchups: tuple[MatchupStanding, ...]
    selections: dict[str, str]
    calls: int
    tokens: int | None
    cost: float | None
    put_back: int
    last_finished: str | None
    battles_per_minute: float | None
    models: tuple[str, ...]

    @property
    def planned(self) -> int:
        """Battles of the plan; matchups that were decided early count what they played."""
        return sum(
            each.matchup.battles if each.stopped_after is None else each.finished
            for each in self.matchups
        )

    @property
    def finished(self) -> int:
        """Battles recorded."""
        return sum(each.finished for each in self.matchups)

    @property
    def done(self) -> bool:
        """Whether everything is played."""
        return all(each.done for each in self.matchups)

    @property
    def seconds_left(self) -> float | None:
        """Estimate from the present speed; ``None`` where nothing ended of late."""
        if not self.battles_per_minute:
            return None
        return 60.0 * max(0, self.planned - self.finished) / self.battles_per_minute


def run_standing(folder: Path, now: datetime.datetime | None = None) -> RunStanding:
    """Read the standing of the run in ``folder``; ``now`` (UTC) is for tests.

    Raises ``UserInputError`` where there is no run, ``RecordError`` where it cannot be read.
    """
    now = now or datetime.datetime.now(datetime.UTC)
    with RunReader(folder) as reader:
        calls, tokens, cost = _spent(reader)
        finished = sorted(battle.finished_at for battle in reader.battles())
        return RunStanding(
            name=reader.meta.get("name", folder.name),
            process=holder(folder),
            matchups=_matchups(reader),
            selections=reader.selections(),
            calls=calls,
            tokens=tokens,
            cost=cost,
            put_back=len(reader.put_back()),
            last_finished=finished[-1] if finished else None,
            battles_per_minute=_speed(finished, now),
            models=tuple(sorted(set(models_of(reader.cards()).values()))),
        )


def _matchups(reader: RunReader) -> tuple[MatchupStanding, ...]:
    begun = {matchup.matchup_id: matchup for matchup in reader.matchups()}
    results: dict[str, list[int]] = {}
    for battle in reader.battles():
        counts = results.setdefault(battle.matchup_id, [0, 0, 0])
        counts[{"a": 0, "b": 1, None: 2}[battle.winner]] += 1
    decided = {
        row[0]: (row[1], row[2])
        for row in reader.connection.execute(
            "SELECT matchup_id, count(*), count(fallback) FROM decisions"
            " JOIN battles ON battles.id = battle_id GROUP BY matchup_id"
        )
    }
    standings = []
    for matchup in planned_matchups(TournamentSettings.model_validate(reader.plan)):
        key = matchup.matchup_id
        wins_a, wins_b, ties = results.get(key, (0, 0, 0))
        decisions, fallbacks = decided.get(key, (0, 0))
        if key in begun:  # battles elsewhere: each call adds some, and the plan does not say
            matchup = replace(matchup, battles=begun[key].battles)
        standings.append(
            MatchupStanding(
                matchup=matchup,
                begun=key in begun,
                finished=wins_a + wins_b + ties,
                wins_a=wins_a,
                wins_b=wins_b,
                ties=ties,
                decisions=decisions,
                fallbacks=fallbacks,
                stopped_after=begun[key].stopped_after if key in begun else None,
            )
        )
    return tuple(standings)


def _spent(reader: RunReader) -> tuple[int, int | None, float | None]:
    """Calls, tokens and cost of finished battles and of those in play."""
    calls, tokens, cost, tokens_unknown, cost_unknown = reader.connection.execute(
        "SELECT count(*), coalesce(sum(input_tokens + output_tokens), 0), coalesce(sum(cost), 0.0),"
        " coalesce(sum(input_tokens IS NULL OR output_tokens IS NULL), 0),"
        " coalesce(sum(cost IS NULL), 0) FROM calls"
    ).fetchone()
    for (text,) in reader.connection.execute("SELECT completion FROM journal"):
        answer = json.loads(text)
        calls += 1
        if answer["input_tokens"] is None or answer["output_tokens"] is None:
            tokens_unknown += 1
        else:
            tokens += answer["input_tokens"] + answer["output_tokens"]
        cost_unknown += answer["cost"] is None
        cost += answer["cost"] or 0.0
    return int(calls), None if tokens_unknown else int(tokens), None if cost_unknown else cost


def _speed(finished: list[str], now: datetime.datetime) -> float | None:
    times = [datetime.datetime.fromisoformat(text) for text in finished]
    recent = [time for time in times if (now - time).total_seconds() < RECENT_SECONDS]
    if len(recent) < 2:
        return None
    return 60.0 * len(recent) / max(1.0, (now - recent[0]).total_seconds())
