"""A worker: plays the battles that the coordinator sends, with a game of its own.

It asks no language model and writes no record: questions go to the coordinator, which answers them
from its journal or asks the model. So a worker that dies takes nothing with it that was paid for.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping

from porimon.collector import loaded_objects_stay
from porimon.llm.model import Completion, CompletionRequest
from porimon.memory.retrieval import Memory, MemorySnapshot
from porimon.tournament.crew.messages import (
    Answered,
    Ask,
    Cancel,
    Finished,
    Hello,
    Job,
    MemoryNews,
    Play,
)
from porimon.tournament.crew.wire import (
    SECONDS_TO_GREET,
    ConnectionEnded,
    Failure,
    Wire,
    error_of,
    failure_of,
)
from porimon.tournament.game import Asker, Game, Seat


async def work(job: Job) -> None:
    """Serve the coordinator until it closes the connection."""
    async with asyncio.timeout(SECONDS_TO_GREET):
        reader, writer = await asyncio.open_connection(job.host, job.port)
    wire = Wire(reader, writer)
    try:
        await wire.prove(job.secret)
        try:
            async with job.make_game() as game:
                await wire.send(Hello(job.number))
                with loaded_objects_stay():
                    await _Worker(wire, game).serve()
        except ConnectionEnded:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the coordinator must be told
            await wire.send(Hello(job.number, failure_of(error)))
    except ConnectionEnded:
        return
    finally:
        wire.close()


class _Worker:
    def __init__(self, wire: Wire, game: Game) -> None:
        self._wire = wire
        self._game = game
        self._battles: dict[int, asyncio.Task[None]] = {}
        self._open: dict[int, asyncio.Future[Completion]] = {}
        self._calls = itertools.count()
        self._memories: dict[tuple[str, Seat], Memory] = {}

    async def serve(self) -> None:
        try:
            while True:
                # The coordinator may have nothing to play for long; its end ends this too.
                message = await self._wire.receive()
                if isinstance(message, Play):
                    self._start(message)
                elif isinstance(message, Answered):
                    self._answer(message)
                elif isinstance(message, Cancel) and message.number in self._battles:
                    self._battles[message.number].cancel()
        finally:
            for battle in self._battles.values():
                battle.cancel()
            await asyncio.gather(*self._battles.values(), return_exceptions=True)

    def _start(self, play: Play) -> None:
        memories = {
            seat: self._snapshot(play.spec.matchup_id, seat, news)
            for seat, news in play.memories.items()
        }
        task = asyncio.create_task(self._play(play, memories))
        self._battles[play.number] = task
        task.add_done_callback(lambda _: self._battles.pop(play.number, None))

    def _snapshot(self, matchup_id: str, seat: Seat, news: MemoryNews) -> MemorySnapshot:
        memory = self._memories.get((matchup_id, seat))
        if memory is None:
            memory = self._memories[matchup_id, seat] = Memory(self._game.similarity, news.config)
        # Places are positions: the coordinator sends experiences in the memory's own order.
        for position, experience in enumerate(news.news, start=news.known):
            memory.add(experience, position)
        return memory.snapshot(news.count - 1)

    async def _play(self, play: Play, memories: Mapping[Seat, MemorySnapshot]) -> None:
        askers: dict[Seat, Asker] = {
            seat: _RemoteAsker(self, play.number, seat) for seat in play.asking
        }
        try:
            outcome = await self._game.play(play.spec, askers, memories)
        except Exception as error:  # noqa: BLE001 - handed to the coordinator, which decides
            await self._wire.send(Finished(play.number, failure_of(error)))
        else:
            await self._wire.send(Finished(play.number, outcome))

    async def ask(self, battle: int, seat: Seat, request: CompletionRequest) -> Completion:
        call = next(self._calls)
        future: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._open[call] = future
        try:
            await self._wire.send(Ask(battle, call, seat, request))
            # The coordinator's asker bounds the time, and a lost connection ends the worker.
            return await future
        finally:
            del self._open[call]

    def _answer(self, message: Answered) -> None:
        future = self._open.get(message.call)
        if future is None or future.done():
            return
        if isinstance(message.answer, Failure):
            future.set_exception(error_of(message.answer))
        else:
            future.set_result(message.answer)


class _RemoteAsker:
    """The ``Asker`` of one seat: the coordinator's, at the other end of the wire."""

    def __init__(self, worker: _Worker, battle: int, seat: Seat) -> None:
        self._worker = worker
        self._battle = battle
        self._seat: Seat = seat

    async def ask(self, request: CompletionRequest) -> Completion:
        """The coordinator's answer. Raises what its asker raises."""
        return await self._worker.ask(self._battle, self._seat, request)
