"""`porimon bench llm`: a tournament against an endpoint of fixed latency, held against the ideal.

The ideal is the longest chain of calls: in each battle both players' calls of a turn at once, turn
after turn, with nothing in between. All battles are played at once, so the longest battle is the
least that the whole can take. Two endpoints serve the model, each in a process of its own.

The ideal knows no computing. All battles ask at the same moments, so with few processors what the
server, the simulator, the calculator, the endpoints and we compute takes longer than an answer: the
processor time of all of them, spread evenly over this machine's processors, is a second bound.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from porimon.bench.result import BenchResult, figure
from porimon.bench.timed_run import TimedRun, timed_run
from porimon.tournament.game import BattleOutcome

LATENCY_SECONDS = 0.5
AT_ONCE = 64
GOAL = 1.05
ENDPOINTS = 2

P_AGAINST_H = 'round_robin = ["p", "h"]\n'

MODEL = """
[fixed]
base_urls = {urls}
model = "fake"
concurrency = {concurrency}
"""


def run(quick: bool = False) -> BenchResult:
    """Play 64 battles at once, three times (8 battles once if ``quick``)."""
    at_once = 8 if quick else AT_ONCE
    runs = [asyncio.run(_run(at_once, seed)) for seed in range(1 if quick else 3)]
    ratios = [timed.seconds / ideal(timed) for timed in runs]
    median = sorted(ratios)[len(ratios) // 2]
    calls = sum(_calls(timed) for timed in runs)
    return BenchResult(
        "llm",
        (
            figure("wall time / ideal", "×", ratios, f"at most {GOAL:g}", median <= GOAL),
            figure("wall time", "s", [timed.seconds for timed in runs]),
            figure("ideal", "s", [ideal(timed) for timed in runs]),
            figure(
                "processor time of all processes / processors",
                "s",
                [computing(timed) for timed in runs],
            ),
            figure(
                "wall time / the larger of both",
                "×",
                [timed.seconds / max(ideal(timed), computing(timed)) for timed in runs],
            ),
            *(
                figure(
                    f"{kind}, processor time per call",
                    "ms",
                    [timed.processors[kind] / _calls(timed) * 1e3 for timed in runs],
                )
                for kind in runs[0].processors
            ),
            figure(
                "our process's share of a processor",
                "×",
                [timed.processor_seconds / timed.seconds for timed in runs],
            ),
        ),
        (
            f"{at_once} battles of p against h at once, every answer after"
            f" {LATENCY_SECONDS * 1e3:g} ms, {ENDPOINTS} endpoints, {calls:,} calls",
        ),
    )


def ideal(timed: TimedRun) -> float:
    """Seconds of the longest battle's chain of calls."""
    return LATENCY_SECONDS * max(chain(outcome) for _, _, outcome in timed.outcomes)


def computing(timed: TimedRun) -> float:
    """Seconds that all processes' computing takes at least on this machine's processors."""
    return sum(timed.processors.values()) / (os.cpu_count() or 1)


def _calls(timed: TimedRun) -> int:
    return sum(
        len(decision.calls) for _, _, outcome in timed.outcomes for decision in outcome.decisions
    )


def chain(outcome: BattleOutcome) -> int:
    """How many calls of a battle must wait for each other.

    Both players answer a turn's question at once; a forced switch is a question of its own.
    """
    steps: dict[tuple[int, bool], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for decision in outcome.decisions:
        forced = bool(decision.view and json.loads(decision.view)["forced_switch"])
        steps[decision.turn, forced][decision.seat] += len(decision.calls)
    return sum(max(calls.values()) for calls in steps.values())


async def _run(at_once: int, seed: int) -> TimedRun:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = [stack.enter_context(endpoint(LATENCY_SECONDS)) for _ in range(ENDPOINTS)]
        llm_file = folder / "llm.toml"
        llm_file.write_text(MODEL.format(urls=json.dumps(urls), concurrency=at_once))
        return await timed_run(
            folder,
            more=P_AGAINST_H,
            battles=at_once,
            concurrency=at_once,
            seed=seed,
            llm="fixed",
            llm_file=llm_file,
        )


@contextlib.contextmanager
def endpoint(latency_seconds: float, *options: str) -> Iterator[str]:
    """A ``porimon fake-llm`` of its own with that latency and more options; its address."""
    milliseconds = f"{latency_seconds * 1e3:g}"
    with subprocess.Popen(
        [sys.executable, "-m", "porimon", "fake-llm", "--latency-ms", milliseconds, *options],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
