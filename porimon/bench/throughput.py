"""`porimon bench throughput`: battles per second of the heuristic player against itself.

Three ways in turn, several times over: our runner with everything recorded; stock poke-env's
``battle_against`` on a server with the same settings, nothing recorded; and the simulator alone,
fed with the choices of our battles.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porimon.bench.processor_time import OURS, difference, seconds_by_process
from porimon.bench.result import BenchResult, Figure, figure
from porimon.bench.timed_run import MIRROR, TimedRun, timed_run
from porimon.showdown.arena import BATTLE_FORMAT
from porimon.showdown.replay import Simulator
from porimon.showdown.server import ShowdownServer, websocket_url

BATTLES = 200
REPETITIONS = 3
QUICK_BATTLES = 30
CONCURRENCY = 20


def run(quick: bool = False) -> BenchResult:
    """Measure 200 battles three times (30 battles once if ``quick``)."""
    return asyncio.run(_measure(QUICK_BATTLES if quick else BATTLES, 1 if quick else REPETITIONS))


async def _measure(battles: int, repetitions: int) -> BenchResult:
    ours: list[TimedRun] = []
    stock: list[_Stock] = []
    simulator: list[float] = []
    for repetition in range(repetitions):
        with tempfile.TemporaryDirectory() as folder:
            timed = await timed_run(
                Path(folder),
                more=MIRROR,
                battles=battles,
                concurrency=CONCURRENCY,
                seed=repetition + 1,
            )
        ours.append(timed)
        stock.append(await _stock(battles))
        simulator.append(await _simulator_alone(timed))
    ratios = [timed.rate * one.seconds / battles for timed, one in zip(ours, stock, strict=True)]
    turn_ratios = [
        _turns(timed) / timed.seconds / (one.turns / one.seconds)
        for timed, one in zip(ours, stock, strict=True)
    ]
    shares = [
        timed.rate * seconds / battles for timed, seconds in zip(ours, simulator, strict=True)
    ]
    median = sorted(ratios)[len(ratios) // 2]
    figures = (
        figure("ours, all recorded", "battles/s", [timed.rate for timed in ours]),
        figure("stock poke-env", "battles/s", [battles / one.seconds for one in stock]),
        figure("ours / stock", "×", ratios, "at least 1.0", median >= 1.0),
        figure("ours / stock, by turns", "×", turn_ratios),
        figure("simulator alone", "battles/s", [battles / seconds for seconds in simulator]),
        figure("ours / simulator alone", "×", shares),
        figure(
            "our process's share of a processor",
            "×",
            [timed.processor_seconds / timed.seconds for timed in ours],
        ),
        *_by_process("ours", [(timed.processors, _turns(timed)) for timed in ours]),
        *_by_process("stock", [(one.processors, one.turns) for one in stock]),
    )
    return BenchResult(
        "throughput",
        figures,
        (
            f"{battles} battles, {CONCURRENCY} at once, the Dynamax Clause on, one simulator"
            " process; from the first battle's start to the last one's end",
            "stock poke-env draws its own teams, so its battles are others of the same kind",
            "the simulator alone plays our battles one after the other from their choices",
            "processor times include what the first battles make each process load or compile",
        ),
    )


def _by_process(way: str, runs: list[tuple[dict[str, float], int]]) -> list[Figure]:
    """Processor time per turn of each kind of process."""
    return [
        figure(
            f"{way}: {kind}, processor time per turn",
            "ms",
            [processors[kind] / turns * 1e3 for processors, turns in runs],
        )
        for kind in (OURS, "server", "simulator")
        if all(kind in processors for processors, _ in runs)
    ]


def _turns(timed: TimedRun) -> int:
    return sum(outcome.turns for _, _, outcome in timed.outcomes)


@dataclass(frozen=True, slots=True)
class _Stock:
    """How stock poke-env fared; ``processors`` as in ``TimedRun``."""

    seconds: float
    turns: int
    processors: dict[str, float]


async def _stock(battles: int) -> _Stock:
    from poke_env import AccountConfiguration, ServerConfiguration
    from poke_env.player import SimpleHeuristicsPlayer

    class Stock(SimpleHeuristicsPlayer):
        @property
        def format(self) -> str:
            # Stock poke-env waits for ever for a battle whose format has rules in its name.
            return BATTLE_FORMAT.split("@@@")[0]

    with tempfile.TemporaryDirectory() as folder:
        async with ShowdownServer(Path(folder)) as server:
            options: dict[str, Any] = {
                "battle_format": BATTLE_FORMAT,
                "server_configuration": ServerConfiguration(websocket_url(server), ""),
                "max_concurrent_battles": CONCURRENCY,
            }
            one = Stock(account_configuration=AccountConfiguration("bench one", None), **options)
            two = Stock(account_configuration=AccountConfiguration("bench two", None), **options)
            started, before = time.perf_counter(), seconds_by_process()
            # Without end only if the server dies, which no benchmark outlives.
            await asyncio.wait_for(one.battle_against(two, n_battles=battles), 60 + 5 * battles)
            seconds = time.perf_counter() - started
            processors = difference(before, seconds_by_process())
            turns = sum(battle.turn for battle in one.battles.values())
            for player in (one, two):
                await player.ps_client.stop_listening()  # type: ignore[no-untyped-call]
    return _Stock(seconds, turns, processors)


async def _simulator_alone(timed: TimedRun) -> float:
    async with Simulator() as simulator:
        await simulator.run(timed.outcomes[0][2].choices)
        started = time.perf_counter()
        for _, _, outcome in timed.outcomes:
            await simulator.run(outcome.choices)
        return time.perf_counter() - started
