"""``CrewGame``: a ``Game`` whose battles are played by worker processes, the record written by one.

The tournament's runner stays what it is, in the coordinator: it plans, asks models, keeps the
journal and writes the record, so stopping, resuming and budgets work as with one process. A worker
that is lost costs the battles it was playing: they break off, are put back, and are played by the
others, with the answers that were paid for. A new worker takes its place.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import secrets
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from porimon.config.player import PlayerConfig
from porimon.errors import BattleAborted, MachineSetupError
from porimon.memory.retrieval import MemorySnapshot
from porimon.memory.similarity import Similarity
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
    ConnectionEnded,
    Failure,
    Wire,
    error_of,
    failure_of,
)
from porimon.tournament.game import Asker, BattleOutcome, BattleSpec, Game, Seat

SECONDS_TO_START = 180.0
"""How long a worker may take until its game is up (a first set-up of its machine included)."""
SECONDS_BEYOND_A_BATTLE = 60.0
"""How much later than a battle's own deadline it is given up here."""
MOST_STARTS_IN_A_ROW = 5
"""How often a worker that ends before it has played a battle is started again."""

_LOG = logging.getLogger(__name__)


class StartedWorker(Protocol):
    """A worker that was started somewhere."""

    async def ended(self) -> str:
        """Come back when it is gone; a word on how."""
        ...

    async def end(self) -> None:
        """End it now, if it is still there."""
        ...


class Starter(Protocol):
    """Starts workers: as processes of this machine, or on a cluster."""

    @property
    def host(self) -> str:
        """The address at which workers reach the coordinator."""
        ...

    async def start(self, job: Job) -> StartedWorker:
        """Start a worker that serves ``job``. Raises ``MachineSetupError``."""
        ...


@dataclass(slots=True)
class _Battle:
    """A battle that a worker is playing."""

    askers: Mapping[Seat, Asker]
    outcome: asyncio.Future[BattleOutcome]


@dataclass(slots=True, eq=False)
class _Post:
    """A worker's place: it outlives the processes that hold it one after the other."""

    number: int
    wire: Wire | None = None
    connected: asyncio.Event = field(default_factory=asyncio.Event)
    battles: dict[int, _Battle] = field(default_factory=dict)
    calls: set[asyncio.Task[None]] = field(default_factory=set)
    known: dict[tuple[str, Seat], int] = field(default_factory=dict)
    problem: Failure | None = None
    given_up: bool = False


class CrewGame:
    """A game that is spread over ``workers`` processes. Use as an asynchronous context manager.

    Parameters
    ----------
    here:
        The game as the coordinator knows it: for cards and similarity, never entered.
    make_game:
        Makes a worker's own game from the worker's number; must be picklable.
    battle_seconds:
        A battle's own deadline; the coordinator gives it up a minute later.
    whole_matchups:
        Whether a matchup stays with one worker as long as that lives. Otherwise each battle goes
        to the worker that has least to do.
    """

    def __init__(
        self,
        here: Game,
        make_game: Callable[[int], Callable[[], Game]],
        starter: Starter,
        *,
        workers: int,
        battle_seconds: float,
        whole_matchups: bool = False,
    ) -> None:
        self._here = here
        self._make_game = make_game
        self._starter = starter
        self._battle_seconds = battle_seconds
        self._whole_matchups = whole_matchups
        self._posts = [_Post(number) for number in range(workers)]
        self._homes: dict[str, _Post] = {}
        self._numbers = itertools.count()
        self._secret = secrets.token_bytes(32)
        self._server: asyncio.Server | None = None
        self._keepers: list[asyncio.Task[None]] = []
        self._changed = asyncio.Condition()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._welcome, self._starter.host, 0)
        self._keepers = [asyncio.create_task(self._keep(post)) for post in self._posts]
        try:
            # Bounded by each post's own deadline.
            await self._wait_for(lambda: all(post.wire or post.given_up for post in self._posts))
            self._check_posts()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        if self._server is not None:
            self._server.close()
        for post in self._posts:
            if post.wire is not None:
                post.wire.close()

    @property
    def similarity(self) -> Similarity:
        """The game's own."""
        return self._here.similarity

    def card(self, player: PlayerConfig) -> Mapping[str, Any]:
        """The game's own: where a battle is played is no part of what shapes it."""
        return self._here.card(player)

    async def play(
        self,
        spec: BattleSpec,
        askers: Mapping[Seat, Asker],
        memories: Mapping[Seat, MemorySnapshot],
    ) -> BattleOutcome:
        """Have a worker play one battle. Raises what ``Game.play`` raises."""
        post = await self._post_for(spec.matchup_id)
        number = next(self._numbers)
        battle = _Battle(askers, asyncio.get_running_loop().create_future())
        post.battles[number] = battle
        try:
            wire = post.wire
            if wire is None:
                raise BattleAborted("its worker was lost before the battle began")
            news = {
                seat: self._news(post, spec.matchup_id, seat, snapshot)
                for seat, snapshot in memories.items()
            }
            await wire.send(Play(number, spec, tuple(askers), news))
            async with asyncio.timeout(self._battle_seconds + SECONDS_BEYOND_A_BATTLE):
                return await battle.outcome
        except TimeoutError as error:
            raise BattleAborted("its worker has said nothing for too long") from error
        except ConnectionEnded as error:
            raise BattleAborted("its worker was lost") from error
        finally:
            del post.battles[number]
            if not battle.outcome.done() or battle.outcome.cancelled():
                await self._cancel(post, number)

    async def _cancel(self, post: _Post, number: int) -> None:
        if post.wire is not None:
            with contextlib.suppress(ConnectionEnded):
                await post.wire.send(Cancel(number))

    def _news(
        self, post: _Post, matchup_id: str, seat: Seat, snapshot: MemorySnapshot
    ) -> MemoryNews:
        known = post.known.get((matchup_id, seat), 0)
        count = len(snapshot)
        post.known[matchup_id, seat] = max(known, count)
        return MemoryNews(snapshot.config, known, snapshot.experiences[known:], count)

    async def _post_for(self, matchup_id: str) -> _Post:
        def ready() -> bool:
            return any(post.wire for post in self._posts) or self._all_given_up()

        try:
            async with asyncio.timeout(SECONDS_TO_START):
                await self._wait_for(ready)
        except TimeoutError as error:
            raise BattleAborted("no worker is ready") from error
        if self._all_given_up():
            self._check_posts()
        home = self._homes.get(matchup_id)
        if self._whole_matchups and home is not None and home.wire is not None:
            return home
        able = [post for post in self._posts if post.wire is not None]
        homes = list(self._homes.values())

        def load(post: _Post) -> tuple[int, int, int]:
            matchups = homes.count(post) if self._whole_matchups else 0
            return matchups, len(post.battles), post.number

        chosen = self._homes[matchup_id] = min(able, key=load)
        return chosen

    async def _wait_for(self, condition: Callable[[], bool]) -> None:
        async with self._changed:
            await self._changed.wait_for(condition)

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _all_given_up(self) -> bool:
        return all(post.given_up for post in self._posts)

    def _check_posts(self) -> None:
        """Raise why there is no worker, if none is left."""
        if self._all_given_up():
            problem = next((post.problem for post in self._posts if post.problem), None)
            if problem is not None:
                raise error_of(problem)
            raise MachineSetupError("no worker could be started", remedy="porimon doctor")

    async def _keep(self, post: _Post) -> None:
        """Hold a worker at a post: start it, and another one whenever it ends."""
        starts = 0
        while starts < MOST_STARTS_IN_A_ROW:
            starts += 1
            played = await self._one_worker(post)
            if played:
                starts = 0
            elif post.problem is not None:
                break  # it has said why it cannot work: the next one could not either
        post.given_up = True
        await self._tell()

    async def _one_worker(self, post: _Post) -> bool:
        """Start one worker and stay until it is gone; whether it has been at work."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        job = Job(post.number, self._starter.host, port, self._secret, self._make_game(post.number))
        post.connected.clear()
        try:
            worker = await self._starter.start(job)
        except MachineSetupError as error:
            post.problem = failure_of(error)
            return False
        ended = asyncio.create_task(worker.ended())
        connected = asyncio.create_task(post.connected.wait())
        try:
            await asyncio.wait(
                {ended, connected}, timeout=SECONDS_TO_START, return_when=asyncio.FIRST_COMPLETED
            )
            if not connected.done():
                how = await ended if ended.done() else "not ready in time"
                _LOG.warning("worker %d did not come up: %s", post.number, how)
                return False
            # Until it ends by itself; a connection that is lost ends it, too.
            how = await ended
            _LOG.warning("worker %d is gone: %s", post.number, how)
            return post.problem is None
        finally:
            for task in (ended, connected):
                task.cancel()
            await asyncio.gather(ended, connected, return_exceptions=True)
            # The closed connection lets it end by itself and clear away what it has started.
            await self._lose(post)
            await worker.end()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = Wire(reader, writer)
        _keep_alive(writer)
        post: _Post | None = None
        try:
            await wire.prove(self._secret)
            async with asyncio.timeout(SECONDS_TO_START):
                hello = await wire.receive()
            if not isinstance(hello, Hello):
                raise ConnectionEnded("no greeting")
            post = self._posts[hello.number]
            post.problem = hello.failure
            if hello.failure is None:
                post.wire, post.known = wire, {}
            post.connected.set()
            await self._tell()
            if hello.failure is None:
                await self._listen(post, wire)
        except (ConnectionEnded, TimeoutError) as error:
            _LOG.debug("a worker's connection ended: %s", error)
        except asyncio.CancelledError:
            # The server is closing: asyncio would report a cancelled handler as an error.
            return
        finally:
            wire.close()
            if post is not None and post.wire is wire:
                await self._lose(post)

    async def _listen(self, post: _Post, wire: Wire) -> None:
        while True:
            # A worker says nothing while its players think; its battles have deadlines.
            message = await wire.receive()
            if isinstance(message, Ask):
                task = asyncio.create_task(self._ask(post, wire, message))
                post.calls.add(task)
                task.add_done_callback(post.calls.discard)
            elif isinstance(message, Finished) and message.number in post.battles:
                outcome = post.battles[message.number].outcome
                if outcome.done():
                    continue
                if isinstance(message.outcome, Failure):
                    outcome.set_exception(error_of(message.outcome))
                else:
                    outcome.set_result(message.outcome)
            elif isinstance(message, Hello):
                post.problem = message.failure

    async def _ask(self, post: _Post, wire: Wire, message: Ask) -> None:
        battle = post.battles.get(message.number)
        if battle is None:
            return  # given up meanwhile
        answer: Any
        try:
            answer = await battle.askers[message.seat].ask(message.request)
        except Exception as error:  # noqa: BLE001 - raised again in the worker's battle
            answer = failure_of(error)
        with contextlib.suppress(ConnectionEnded):
            await wire.send(Answered(message.call, answer))

    async def _lose(self, post: _Post) -> None:
        """A post's worker is gone: its battles break off, to be played by another one.

        Calls that are being paid for go on: their answers go to the journal.
        """
        if post.wire is not None:
            post.wire.close()
            post.wire = None
        for battle in post.battles.values():
            if not battle.outcome.done():
                battle.outcome.set_exception(BattleAborted("its worker was lost"))
        await self._tell()


def _keep_alive(writer: asyncio.StreamWriter) -> None:
    """Let the system notice a machine that is gone without a word."""
    connection = writer.get_extra_info("socket")
    if connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
