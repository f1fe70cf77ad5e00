"""Curves of win rate over α and T: players of one stage that differ in that setting alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from porimon.config.player import PlayerConfig
from porimon.stats.battles import BattleRow
from porimon.stats.wilson import wilson_interval
from porimon.tournament.record.read import RecordedMatchup

Setting = Literal["alpha", "window"]

SYMBOLS: dict[Setting, str] = {"alpha": "α", "window": "T"}


@dataclass(frozen=True, slots=True)
class Point:
    """One player of a curve: the setting's value, and its win rate inside the stage (a tie counts
    half) with Wilson's 95 % interval."""

    value: float
    player: str
    battles: int
    win_rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Win rate over one setting. ``title`` says which players of which stage."""

    setting: Setting
    stage: str
    title: str
    points: tuple[Point, ...]


def curves(
    players: Mapping[str, PlayerConfig],
    matchups: Sequence[RecordedMatchup],
    rows: Iterable[BattleRow],
) -> list[Curve]:
    """Every curve with at least two values, in the order of stages; α before T.

    ``players`` are the configurations by hash. Only battles of the stage count, against whomever
    the stage sets them: that is what the stage's selection reads, too (Porimon §III-C).
    """
    results = _results_by_stage(matchups, rows)
    stages = list(dict.fromkeys(matchup.stage for matchup in matchups))
    found: list[Curve] = []
    settings: tuple[Setting, ...] = ("alpha", "window")
    for setting in settings:
        for stage in stages:
            found += _curves_of_stage(setting, stage, players, matchups, results)
    return found


def _curves_of_stage(
    setting: Setting,
    stage: str,
    players: Mapping[str, PlayerConfig],
    matchups: Sequence[RecordedMatchup],
    results: Mapping[tuple[str, str], tuple[float, int]],
) -> list[Curve]:
    labels = {
        matchup.hashes[seat]: matchup.labels[seat]
        for matchup in matchups
        if matchup.stage == stage
        for seat in matchup.hashes
    }
    families: dict[str, list[Point]] = {}
    titles: dict[str, str] = {}
    for key, label in labels.items():
        value = _value(players[key], setting)
        points, battles = results.get((stage, label), (0.0, 0))
        if value is None or not battles:
            continue
        low, high = wilson_interval(points, battles)
        family = _without(players[key], setting)
        families.setdefault(family, []).append(
            Point(value, label, battles, points / battles, low, high)
        )
        titles[family] = players[key].base
    return [
        Curve(
            setting,
            stage,
            f"{titles[family]} (stage {stage})",
            tuple(sorted(points, key=lambda point: point.value)),
        )
        for family, points in families.items()
        if len({point.value for point in points}) > 1
    ]


def _results_by_stage(
    matchups: Sequence[RecordedMatchup], rows: Iterable[BattleRow]
) -> dict[tuple[str, str], tuple[float, int]]:
    """Points and battles of each player in each stage."""
    stage_of = {matchup.matchup_id: matchup.stage for matchup in matchups}
    results: dict[tuple[str, str], tuple[float, int]] = {}
    for row in rows:
        stage = stage_of[row.matchup_id]
        points_a = 0.5 if row.winner is None else float(row.winner == "a")
        for player, points in ((row.player_a, points_a), (row.player_b, 1 - points_a)):
            before, battles = results.get((stage, player), (0.0, 0))
            results[stage, player] = (before + points, battles + 1)
    return results


def _value(player: PlayerConfig, setting: Setting) -> float | None:
    """The setting's value; ``None`` where it plays no part."""
    if not player.asks_model:
        return None
    if setting == "window":
        return float(player.window)
    return None if player.memory is None else player.memory.alpha


def _without(player: PlayerConfig, setting: Setting) -> str:
    """All of a configuration but its name and the setting, to be compared."""
    left_out: dict[str, Any] = {"window": True} if setting == "window" else {"memory": {"alpha"}}
    return player.model_dump_json(exclude={"name": True, **left_out})
