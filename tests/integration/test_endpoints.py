"""Several endpoints of one model, each a process of its own, one of which fails and comes back."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import pytest

from porimon.bench.llm import endpoint
from porimon.llm.client import OpenAIModel
from tests.unit.llm.helpers import question, settings_for

pytestmark = pytest.mark.timeout(180)
LATENCY_SECONDS = 0.02


async def ask(model: OpenAIModel, calls: int) -> dict[str, int]:
    """Make so many calls at once; how many each endpoint has answered of them."""
    before = model.served
    answers = await asyncio.gather(*(model.complete(question(f"{n}")) for n in range(calls)))
    assert all(answer.text for answer in answers)
    return {url: count - before[url] for url, count in model.served.items()}


def evenly(counts: dict[str, int]) -> bool:
    """Whether each has its share, give or take what a busy machine holds up."""
    return min(counts.values()) >= 0.7 * sum(counts.values()) / len(counts)


async def test_calls_are_spread_evenly_and_a_failed_endpoint_is_avoided_until_it_is_back() -> None:
    with endpoint(LATENCY_SECONDS) as one, endpoint(LATENCY_SECONDS) as two:
        with endpoint(LATENCY_SECONDS) as third:
            settings = settings_for(one, two, third, concurrency=4, timeout_seconds=20.0)
            model = OpenAIModel(settings)
            even = await ask(model, 90)
            assert sum(even.values()) == 90
            assert evenly(even)
        same_port = ("--port", str(urlsplit(third).port))

        # Its process is gone, in the middle of nothing: nobody answers at its address.
        gone = await ask(model, 60)
        assert (sum(gone.values()), gone[third]) == (60, 0)
        assert evenly({url: gone[url] for url in (one, two)})
        assert model.fault_counts["passing"] <= 8, "its calls and a few trials: no more"

        # Somebody is there again, but fails every call.
        with endpoint(LATENCY_SECONDS, *same_port, "--fault", "503:1") as failing:
            assert failing == third
            before = model.fault_counts["passing"]
            avoided = await ask(model, 60)
            assert (sum(avoided.values()), avoided[third]) == (60, 0)
            assert model.fault_counts["passing"] - before <= 4

        with endpoint(LATENCY_SECONDS, *same_port):
            for _ in range(60):
                if (await ask(model, 9))[third] > 0:
                    break
                await asyncio.sleep(0.5)
            assert evenly(await ask(model, 90))
        await model.close()
