"""What a run writes: answers as they come, battles as they finish, selections as they are made."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from porimon.config.player import PlayerConfig
from porimon.llm.model import Completion
from porimon.memory.experience import Experience, from_document
from porimon.memory.store import MemoryStore, StoredExperience
from porimon.tournament.game import BattleOutcome, BattleSpec, CallRecord, Seat
from porimon.tournament.identity import player_hash
from porimon.tournament.plan import Matchup
from porimon.tournament.record.card_check import enter_card
from porimon.tournament.record.connect import connect_to_write, record_path
from porimon.tournament.record.details import compress, pack_details
from porimon.tournament.record.plan_check import check_plan
from porimon.tournament.record.schema import prepare
from porimon.tournament.record.writer import RecordWriter

JournalKey = tuple[Seat, str, int]
"""Seat, hash of the request, and which of several equal requests in the battle it is."""


@dataclass(frozen=True, slots=True)
class BattleResult:
    """What the runner needs of a finished battle."""

    position: int
    winner: Seat | None


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


class RunRecord:
    """The writing side of a run's record. Make it with ``open``; close it at the end."""

    def __init__(self, writer: RecordWriter, *, mixed: bool) -> None:
        self._writer = writer
        self._mixed = mixed

    @classmethod
    async def open(
        cls,
        folder: Path,
        plan: Mapping[str, Any],
        about: Mapping[str, str],
        *,
        mixed: bool = False,
    ) -> RunRecord:
        """Open or make the record of a run in ``folder`` (which must exist and be locked).

        ``plan`` fixes what is played: a record that holds another plan is refused
        (``UserInputError`` that shows the difference). ``about`` are facts on this process.
        ``mixed`` lets players go on whose harness card has changed since.
        """
        path = record_path(folder)
        connection = connect_to_write(path)
        try:
            prepare(connection, path)
            check_plan(connection, plan, folder)
            for key, value in about.items():
                connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
        finally:
            connection.close()
        return cls(RecordWriter(path, connect_to_write), mixed=mixed)

    async def close(self) -> None:
        """Write what is still queued and close."""
        await self._writer.close()

    async def enter_matchup(
        self,
        matchup: Matchup,
        players: Mapping[Seat, PlayerConfig],
        cards: Mapping[Seat, Mapping[str, Any]],
    ) -> dict[int, BattleResult]:
        """Note who plays a matchup; the battles of it that are already finished, by position."""

        def change(connection: sqlite3.Connection) -> dict[int, BattleResult]:
            hashes = {seat: player_hash(player) for seat, player in players.items()}
            for seat, player in players.items():
                connection.execute(
                    "INSERT OR IGNORE INTO players VALUES (?, ?)",
                    (hashes[seat], player.model_dump_json()),
                )
                enter_card(connection, hashes[seat], player.name, cards[seat], mixed=self._mixed)
            connection.execute(
                "INSERT INTO matchups (id, number, stage, part, name_a, name_b, hash_a, hash_b,"
                " battles) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET battles = excluded.battles",
                (
                    matchup.matchup_id,
                    matchup.number,
                    matchup.stage,
                    matchup.part,
                    matchup.name_a,
                    matchup.name_b,
                    hashes["a"],
                    hashes["b"],
                    matchup.battles,
                ),
            )
            for seat, player in players.items():
                if player.memory is not None:
                    MemoryStore.create(connection, matchup.matchup_id, seat)
            rows = connection.execute(
                "SELECT position, winner FROM battles WHERE matchup_id = ?", (matchup.matchup_id,)
            )
            return {position: BattleResult(position, winner) for position, winner in rows}

        return await self._writer.submit(change)

    async def experiences(self, matchup_id: str, seat: Seat) -> tuple[StoredExperience, ...]:
        """Everything that a seat's memory of a matchup holds, oldest first."""

        def change(connection: sqlite3.Connection) -> tuple[StoredExperience, ...]:
            store = MemoryStore.create(connection, matchup_id, seat)
            return tuple(store.load(connection))

        return await self._writer.submit(change)

    async def journal(self, battle_id: str) -> dict[JournalKey, Completion]:
        """The answers already paid for in an unfinished battle."""

        def change(connection: sqlite3.Connection) -> dict[JournalKey, Completion]:
            rows = connection.execute(
                "SELECT seat, request_hash, occurrence, completion FROM journal"
                " WHERE battle_id = ?",
                (battle_id,),
            )
            return {(seat, key, n): Completion(**json.loads(text)) for seat, key, n, text in rows}

        return await self._writer.submit(change)

    async def add_answer(
        self, battle_id: str, key: JournalKey, purpose: str, completion: Completion
    ) -> None:
        """Keep an answer at once, before anything is done with it."""
        seat, request_hash, occurrence = key
        document = json.dumps(asdict(completion))
        await self._writer.submit(
            lambda connection: connection.execute(
                "INSERT OR REPLACE INTO journal VALUES (?, ?, ?, ?, ?, ?)",
                (battle_id, seat, request_hash, occurrence, purpose, document),
            )
        )

    async def put_back(self, battle_id: str, reason: str) -> None:
        """Note that a battle broke off and will be played again."""
        await self._writer.submit(
            lambda connection: connection.execute(
                "INSERT INTO put_back VALUES (?, ?, ?)", (battle_id, reason, _now())
            )
        )

    async def finish_battle(
        self,
        spec: BattleSpec,
        outcome: BattleOutcome,
        memory_hashes: Mapping[Seat, str],
        unused: Mapping[JournalKey, Completion],
    ) -> dict[Seat, Experience]:
        """Store a finished battle, its decisions, calls and experiences in one transaction.

        ``unused`` are journalled answers that the finished battle did not need again: they were
        paid for and stay in the sums. Returns the experiences as they were stored.
        """

        def change(connection: sqlite3.Connection) -> dict[Seat, Experience]:
            _insert_battle(connection, spec, outcome, memory_hashes)
            _insert_decisions(connection, spec.battle_id, outcome)
            for (seat, _, _), completion in unused.items():
                _insert_call(
                    connection, spec.battle_id, seat, None, CallRecord("unused", 0, (), completion)
                )
            connection.execute("DELETE FROM journal WHERE battle_id = ?", (spec.battle_id,))
            stored: dict[Seat, Experience] = {}
            for seat, reflection in outcome.reflections.items():
                experience = from_document(reflection.experience, where=f"battle {spec.battle_id}")
                store = MemoryStore.create(connection, spec.matchup_id, seat)
                store.append(connection, experience)
                stored[seat] = experience
                for call in reflection.calls:
                    _insert_call(connection, spec.battle_id, seat, None, call)
            return stored

        return await self._writer.submit(change)

    async def stop_matchup(self, matchup_id: str, battles: int) -> None:
        """Note that a matchup stopped early, decided by its first ``battles`` battles."""
        await self._writer.submit(
            lambda connection: connection.execute(
                "UPDATE matchups SET stopped_after = ? WHERE id = ?", (battles, matchup_id)
            )
        )

    async def select(self, stage: str, name: str, winner: PlayerConfig) -> None:
        """Note what a stage selected."""
        await self._writer.submit(
            lambda connection: connection.execute(
                "INSERT OR REPLACE INTO stages VALUES (?, ?, ?, ?)",
                (stage, player_hash(winner), name, _now()),
            )
        )

    async def spent(self) -> tuple[int, float | None, float]:
        """Tokens, cost (``None``: unknown) and seconds of earlier processes of this run."""

        def change(connection: sqlite3.Connection) -> tuple[int, float | None, float]:
            tokens, cost, unknown = connection.execute(
                "SELECT coalesce(sum(coalesce(input_tokens, 0) + coalesce(output_tokens, 0)), 0),"
                " coalesce(sum(cost), 0.0), sum(cost IS NULL) FROM calls"
            ).fetchone()
            seconds = connection.execute(
                "SELECT value FROM meta WHERE key = 'seconds_run'"
            ).fetchone()
            for (text,) in connection.execute("SELECT completion FROM journal"):
                completion = Completion(**json.loads(text))
                tokens += (completion.input_tokens or 0) + (completion.output_tokens or 0)
                cost += completion.cost or 0.0
                unknown = (unknown or 0) + (completion.cost is None)
            return (
                int(tokens),
                (None if unknown else float(cost)),
                float(seconds[0] if seconds else 0),
            )

        return await self._writer.submit(change)

    async def add_seconds(self, seconds: float) -> None:
        """Add this process's wall time to the run's."""

        def change(connection: sqlite3.Connection) -> None:
            row = connection.execute("SELECT value FROM meta WHERE key = 'seconds_run'").fetchone()
            total = float(row[0] if row else 0) + seconds
            connection.execute(
                "INSERT OR REPLACE INTO meta VALUES ('seconds_run', ?)", (f"{total:.3f}",)
            )

        await self._writer.submit(change)


def _insert_battle(
    connection: sqlite3.Connection,
    spec: BattleSpec,
    outcome: BattleOutcome,
    memory_hashes: Mapping[Seat, str],
) -> None:
    connection.execute(
        "INSERT INTO battles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            spec.battle_id,
            spec.matchup_id,
            spec.index,
            spec.pair,
            spec.seed,
            outcome.first or spec.first,
            outcome.winner,
            outcome.turns,
            outcome.end_reason,
            outcome.seconds,
            json.dumps(list(outcome.notes)),
            memory_hashes.get("a"),
            memory_hashes.get("b"),
            _now(),
        ),
    )
    connection.execute(
        "INSERT INTO battle_texts VALUES (?, ?, ?, ?)",
        (
            spec.battle_id,
            compress(outcome.log),
            compress("\n".join(outcome.choices)),
            pack_details(outcome),
        ),
    )


def _insert_decisions(
    connection: sqlite3.Connection, battle_id: str, outcome: BattleOutcome
) -> None:
    for decision in outcome.decisions:
        connection.execute(
            "INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                battle_id,
                decision.seat,
                decision.number,
                decision.turn,
                decision.order,
                decision.fallback,
                json.dumps(list(decision.notes)) if decision.notes else None,
                len(decision.calls),
                sum(call.refused is not None for call in decision.calls),
                json.dumps([[found.experience_id, found.score] for found in decision.retrieved])
                if decision.retrieved
                else None,
                decision.seconds,
            ),
        )
        for call in decision.calls:
            _insert_call(connection, battle_id, decision.seat, decision.number, call)


def _insert_call(
    connection: sqlite3.Connection, battle_id: str, seat: str, number: int | None, call: CallRecord
) -> None:
    answer = call.completion
    connection.execute(
        "INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            battle_id,
            seat,
            number,
            call.attempt,
            call.purpose,
            answer.model,
            answer.input_tokens,
            answer.cached_input_tokens,
            answer.output_tokens,
            answer.cost,
            answer.latency_seconds,
            answer.attempts,
            answer.finish_reason,
            call.refused,
        ),
    )
