"""`porimon bench workers`: the same battles with more processes, in turn, several times over."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections import defaultdict
from pathlib import Path

from porimon.bench.record import LT0_MIRROR
from porimon.bench.result import BenchResult, Figure, figure
from porimon.bench.timed_run import MIRROR, timed_run

WAYS: dict[str, tuple[int, int]] = {
    "1 process, 1 simulator": (1, 1),
    "1 process, 2 simulators": (1, 2),
    "2 workers, each with its own server": (2, 1),
}
"""Name: (workers, simulator processes of each server)."""


def run(quick: bool = False) -> BenchResult:
    """Measure ``h`` and ``lt0`` against themselves, each way three times (once if ``quick``)."""
    return asyncio.run(_measure(quick))


async def _measure(quick: bool) -> BenchResult:
    figures: list[Figure] = []
    for name, more, battles in (
        ("h mirror", MIRROR, 20 if quick else 100),
        ("lt0 mirror", LT0_MIRROR, 6 if quick else 24),
    ):
        rates: dict[str, list[float]] = defaultdict(list)
        for repetition in range(1 if quick else 3):
            for way, (workers, simulators) in WAYS.items():
                with tempfile.TemporaryDirectory() as folder:
                    timed = await timed_run(
                        Path(folder),
                        more=more,
                        battles=battles,
                        concurrency=16,
                        seed=repetition,
                        workers=workers,
                        simulators=simulators,
                    )
                rates[way].append(timed.rate)
        first = rates[next(iter(WAYS))]
        for way, values in rates.items():
            figures.append(figure(f"{name}: {way}", "battles/s", values))
            if values is not first:
                ratios = [value / base for value, base in zip(values, first, strict=True)]
                figures.append(figure(f"{name}: {way}, against 1 process", "×", ratios))
    return BenchResult(
        "workers", tuple(figures), (f"{os.cpu_count()} processors; the offline reader answers",)
    )
