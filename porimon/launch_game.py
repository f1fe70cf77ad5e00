"""Opens the game of a run: in this process, or spread over workers here or on a Ray cluster."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from porimon.config.tournament import TournamentSettings
from porimon.showdown.game import ShowdownGame
from porimon.showdown.node import prepare_node_parts
from porimon.tournament.game import Game


@dataclass(frozen=True, slots=True)
class Spread:
    """How a run's battles are spread. One worker and no Ray: they are played in this process.

    ``ray`` is a cluster's address, ``local`` for one that is started here, ``None`` for none.
    """

    workers: int = 1
    ray: str | None = None
    server: str | None = None
    simulators: int = 1


@contextlib.asynccontextmanager
async def open_game(
    settings: TournamentSettings,
    folder: Path,
    spread: Spread,
    say: Callable[[str], None] | None = None,
) -> AsyncIterator[Game]:
    """The game that a run of ``settings`` plays, entered. ``folder`` is the run's."""
    if spread.workers == 1 and spread.ray is None:
        async with _game(settings, spread, folder, say) as game:
            yield game
        return
    from porimon.tournament.crew.crew import CrewGame, Starter
    from porimon.tournament.crew.local import LocalWorkers

    async with contextlib.AsyncExitStack() as stack:
        starter: Starter
        if spread.ray is None:
            # Once for all: workers that start together would set up the same parts.
            await asyncio.to_thread(prepare_node_parts, say)
            starter = LocalWorkers(folder / "workers")
        else:
            from porimon.tournament.crew.on_ray import open_ray

            address = None if spread.ray == "local" else spread.ray
            starter = await stack.enter_async_context(open_ray(address, workers=spread.workers))

        def make_game(number: int) -> Callable[[], Game]:
            if spread.ray is None:
                return partial(_game, settings, spread, folder / "workers" / str(number))
            return partial(_game_elsewhere, settings, spread)

        yield await stack.enter_async_context(
            CrewGame(
                _game(settings, spread, folder),
                make_game,
                starter,
                workers=spread.workers,
                battle_seconds=settings.battle_seconds,
                whole_matchups=spread.ray is not None,
            )
        )


def _game(
    settings: TournamentSettings,
    spread: Spread,
    folder: Path,
    say: Callable[[str], None] | None = None,
) -> ShowdownGame:
    return ShowdownGame(
        folder=folder,
        battle_format=settings.format,
        battle_seconds=settings.battle_seconds,
        concurrency=settings.concurrency.battles,
        server=spread.server,
        simulators=spread.simulators,
        progress=say,
    )


def _game_elsewhere(settings: TournamentSettings, spread: Spread) -> ShowdownGame:
    """A worker's game on another machine, where there is no run's folder."""
    return _game(settings, spread, Path(tempfile.mkdtemp(prefix="porimon-worker-")))
