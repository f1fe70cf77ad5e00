"""Reading a run's record: for the analysis, the report, the inspector, and to simulate again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import zstandard
from pydantic import ValidationError

from porimon.config.player import PlayerConfig
from porimon.errors import RecordError, UserInputError
from porimon.stats.battles import BattleRow
from porimon.stats.cards import HarnessCard
from porimon.tournament.game import Seat
from porimon.tournament.labels import player_labels
from porimon.tournament.record.connect import connect_to_read, damaged, record_path
from porimon.tournament.record.details import decompress, unpack_details


@dataclass(frozen=True, slots=True)
class RecordedMatchup:
    """A matchup as it is recorded; ``labels`` are what the analysis calls the players."""

    matchup_id: str
    number: int
    stage: str
    part: str
    names: dict[Seat, str]
    labels: dict[Seat, str]
    hashes: dict[Seat, str]
    battles: int
    stopped_after: int | None


@dataclass(frozen=True, slots=True)
class RecordedBattle:
    """A finished battle without its texts."""

    battle_id: str
    matchup_id: str
    position: int
    pair: int
    seed: int
    first: Seat
    winner: Seat | None
    turns: int
    end_reason: str
    seconds: float
    notes: tuple[str, ...]
    memory: dict[Seat, str | None]
    finished_at: str


@dataclass(frozen=True, slots=True)
class PlayerTotals:
    """What a player's battles took. Sums are ``None`` where a part of them is unknown."""

    label: str
    decisions: int
    fallbacks: int
    fallback_reasons: dict[str, int]
    refused: int
    calls: int
    input_tokens: int | None
    cached_input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    latency_seconds: tuple[float, ...]
    """Latency of each decision call, in seconds, unordered."""


_DAMAGE = (
    sqlite3.DatabaseError,
    UnicodeDecodeError,
    json.JSONDecodeError,
    ValidationError,
    zstandard.ZstdError,
)
"""What comes of a record that is damaged, wherever it is read."""


class RunReader:
    """A run's record, read-only; works while the run goes on. Use it as a context manager.

    Inside ``with``, whatever damage is met comes out as ``RecordError``, which names the file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._connection = connect_to_read(folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._connection.close()
        if isinstance(error, _DAMAGE):
            raise damaged(record_path(self.folder), error) from error

    @property
    def connection(self) -> sqlite3.Connection:
        """The read-only connection, for the readers of other tables (memories)."""
        return self._connection

    @cached_property
    def meta(self) -> dict[str, str]:
        """Facts on the run by key; ``plan`` is the plan as JSON."""
        return {row[0]: row[1] for row in self._rows("SELECT key, value FROM meta")}

    @cached_property
    def plan(self) -> dict[str, Any]:
        """What is played: the tournament file's settings that fix it."""
        plan: dict[str, Any] = json.loads(self.meta["plan"])
        return plan

    @cached_property
    def players(self) -> dict[str, PlayerConfig]:
        """Every player's complete configuration by its hash."""
        return {
            row["hash"]: PlayerConfig.model_validate_json(row["config"])
            for row in self._rows("SELECT hash, config FROM players")
        }

    @cached_property
    def labels(self) -> dict[str, str]:
        """What the analysis calls each player, by hash."""
        used = [
            (row[f"name_{seat}"], row[f"hash_{seat}"], self.players[row[f"hash_{seat}"]])
            for row in self._rows("SELECT * FROM matchups ORDER BY number")
            for seat in ("a", "b")
        ]
        aliases = {
            stage["selects"]["alias"]
            for stage in self.plan.get("stages", [])
            if stage.get("selects") and stage["selects"].get("alias")
        }
        return player_labels(used, aliases)

    def cards(self) -> list[HarnessCard]:
        """Every player's harness card."""
        return [
            HarnessCard(self.labels[row["hash"]], json.loads(row["card"]), str(self.folder))
            for row in self._rows("SELECT hash, card FROM cards ORDER BY hash, first_seen")
            if row["hash"] in self.labels
        ]

    def matchups(self) -> list[RecordedMatchup]:
        """The matchups in the plan's order (those that have begun)."""
        return [
            RecordedMatchup(
                matchup_id=row["id"],
                number=row["number"],
                stage=row["stage"],
                part=row["part"],
                names={"a": row["name_a"], "b": row["name_b"]},
                labels={"a": self.labels[row["hash_a"]], "b": self.labels[row["hash_b"]]},
                hashes={"a": row["hash_a"], "b": row["hash_b"]},
                battles=row["battles"],
                stopped_after=row["stopped_after"],
            )
            for row in self._rows("SELECT * FROM matchups ORDER BY number")
        ]

    def selections(self) -> dict[str, str]:
        """The winner's name of each stage that has selected one."""
        rows = self._rows("SELECT name, winner_name FROM stages WHERE winner_name IS NOT NULL")
        return {row[0]: row[1] for row in rows}

    def battles(self, matchup_id: str | None = None) -> Iterator[RecordedBattle]:
        """Finished battles in the plan's order, of one matchup or of all."""
        where = "WHERE matchup_id = ?" if matchup_id is not None else ""
        rows = self._rows(
            "SELECT battles.* FROM battles JOIN matchups ON matchups.id = matchup_id "
            f"{where} ORDER BY number, position",
            () if matchup_id is None else (matchup_id,),
        )
        for row in rows:
            yield _battle(row)

    def battle(self, battle_id: str) -> RecordedBattle:
        """One finished battle. Raises ``UserInputError`` where there is none of that id."""
        rows = self._rows("SELECT * FROM battles WHERE id = ?", (battle_id,))
        if not rows:
            some = [row[0] for row in self._rows("SELECT id FROM battles LIMIT 3")]
            raise UserInputError(
                f"there is no finished battle {battle_id!r}",
                where=str(self.folder),
                remedy=f"battles are named like {', '.join(some)}" if some else None,
            )
        return _battle(rows[0])

    def log(self, battle_id: str) -> str:
        """A battle's full protocol log."""
        return self._text(battle_id, "log").decode("utf-8", "surrogatepass")

    def choices(self, battle_id: str) -> tuple[str, ...]:
        """The lines that replay a battle."""
        text = self._text(battle_id, "choices").decode("utf-8", "surrogatepass")
        return tuple(text.split("\n")) if text else ()

    def compressed(self, battle_id: str, part: Literal["log", "details"]) -> bytes:
        """A part of a battle as it is stored (Zstandard), for who passes it on unread."""
        return self._blob(battle_id, part)

    def details(self, battle_id: str) -> dict[str, Any]:
        """Every decision of a battle in full (see ``details.unpack_details``)."""
        data = self._blob(battle_id, "details")
        try:
            return unpack_details(data)
        except (zstandard.ZstdError, ValueError, KeyError, IndexError) as error:
            raise self._damaged(battle_id, "details") from error

    def battle_rows(self) -> list[BattleRow]:
        """Every battle that counts, as the statistics read them."""
        matchups = {matchup.matchup_id: matchup for matchup in self.matchups()}
        counts: dict[tuple[str, str], tuple[int, int]] = {
            (row[0], row[1]): (row[2], row[3])
            for row in self._rows(
                "SELECT battle_id, seat, count(*), count(fallback) FROM decisions"
                " GROUP BY battle_id, seat"
            )
        }
        paired = bool(self.plan.get("paired", True))
        rows = []
        for battle in self.battles():
            matchup = matchups[battle.matchup_id]
            if matchup.stopped_after is not None and battle.position >= matchup.stopped_after:
                continue  # was in flight when the matchup was decided
            decisions_a, fallbacks_a = counts.get((battle.battle_id, "a"), (0, 0))
            decisions_b, fallbacks_b = counts.get((battle.battle_id, "b"), (0, 0))
            rows.append(
                BattleRow(
                    matchup_id=matchup.matchup_id,
                    stage=matchup.part,
                    player_a=matchup.labels["a"],
                    player_b=matchup.labels["b"],
                    winner=battle.winner,
                    pair=battle.pair if paired else None,
                    index=battle.position,
                    fallbacks_a=fallbacks_a,
                    fallbacks_b=fallbacks_b,
                    decisions_a=decisions_a,
                    decisions_b=decisions_b,
                    forfeit=battle.end_reason == "forfeit",
                    stopped_early=matchup.stopped_after is not None,
                )
            )
        return rows

    def put_back(self) -> list[tuple[str, str, str]]:
        """Battles that broke off and were played again: (battle, reason, when)."""
        return [tuple(row) for row in self._rows("SELECT battle_id, reason, at FROM put_back")]

    def _rows(self, query: str, parameters: tuple[Any, ...] = ()) -> list[sqlite3.Row]:
        try:
            return self._connection.execute(query, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise RecordError(
                f"the record cannot be read: {error}",
                where=str(self.folder),
                remedy="is it damaged, or of another version? restore it from a copy",
            ) from error

    def _blob(self, battle_id: str, column: str) -> bytes:
        rows = self._rows(f"SELECT {column} FROM battle_texts WHERE battle_id = ?", (battle_id,))
        if not rows:
            self.battle(battle_id)
            raise self._damaged(battle_id, column)
        data: bytes = rows[0][0]
        return data

    def _text(self, battle_id: str, column: str) -> bytes:
        try:
            return decompress(self._blob(battle_id, column))
        except zstandard.ZstdError as error:
            raise self._damaged(battle_id, column) from error

    def _damaged(self, battle_id: str, column: str) -> RecordError:
        return RecordError(
            f"the record's {column} of battle {battle_id} are damaged",
            where=str(self.folder),
            remedy="restore the record from a copy",
        )


def _battle(row: sqlite3.Row) -> RecordedBattle:
    return RecordedBattle(
        battle_id=row["id"],
        matchup_id=row["matchup_id"],
        position=row["position"],
        pair=row["pair"],
        seed=row["seed"],
        first=row["first"],
        winner=row["winner"],
        turns=row["turns"],
        end_reason=row["end_reason"],
        seconds=row["seconds"],
        notes=tuple(json.loads(row["notes"])),
        memory={"a": row["memory_a"], "b": row["memory_b"]},
        finished_at=row["finished_at"],
    )
