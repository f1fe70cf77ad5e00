"""What a run does when its endpoint fails: real HTTP, the whole tournament machinery, no server.

The coin game stands in for Pokémon here: what is tested lies between the game and the endpoint.
"""

from __future__ import annotations

import asyncio
import socket
import sqlite3
import time
from collections.abc import Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from porimon.errors import ModelAccessError, RunStopped
from porimon.llm.client import OpenAIModel
from porimon.llm.endpoint.faults import EndpointFault, FaultPlan
from porimon.llm.endpoint.policy import ScriptedPolicy
from porimon.llm.endpoint.server import FakeEndpoint
from porimon.llm.secrets import Secret
from porimon.llm.settings import ModelSettings
from tests.records import contents
from tests.unit.tournament.coin_game import CoinGame
from tests.unit.tournament.test_run import play, tournament

CALLS = 4 * 4 * 3
"""Of the whole tournament: two players with a model in two matchups of four battles each."""

SETTINGS = tournament(battles=4)


@asynccontextmanager
async def asking(base_url: str, **changes: Any):  # type: ignore[no-untyped-def]
    model = OpenAIModel(
        ModelSettings.model_validate(
            {
                "name": "offline",
                "model": "heads",
                "base_urls": (base_url,),
                "key_env": "COIN_KEY",
                "timeout_seconds": 10,
                "max_attempts": 2,
                "backoff_seconds": 0.02,
                "concurrency": 8,
                **changes,
            }
        ),
        key=Secret("a key"),
    )
    try:
        yield model
    finally:
        await model.close()


def endpoint(script: Sequence[EndpointFault | None] = (), **options: Any) -> FakeEndpoint:
    return FakeEndpoint(ScriptedPolicy("heads"), FaultPlan(script=script), **options)


async def play_on(folder: Path, base_url: str, *, pause: int = 5, **changes: Any) -> OpenAIModel:
    folder.mkdir(exist_ok=True)  # noqa: ASYNC240
    async with asking(base_url, **changes) as model:
        await play(folder, SETTINGS, CoinGame(), model, failures_before_pause=pause)  # type: ignore[arg-type]
        return model


@pytest.fixture
async def whole(tmp_path: Path) -> dict[str, Any]:
    """The record of the same tournament without a fault."""
    async with endpoint() as good:
        await play_on(tmp_path / "whole", good.base_url)
        assert good.counts["answered"] == CALLS
    return contents(tmp_path / "whole")


def put_back(folder: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(folder / "run.sqlite")) as connection:
        return connection.execute("SELECT battle_id, reason FROM put_back").fetchall()


@pytest.mark.parametrize(
    ("kind", "named"),
    [("401", "COIN_KEY"), ("403", "COIN_KEY"), ("404", "model"), ("quota", "COIN_KEY")],
)
async def test_a_refusal_for_good_stops_the_run_at_once(
    tmp_path: Path, whole: dict[str, Any], kind: str, named: str
) -> None:
    folder = tmp_path / "broken"
    good_answers = 20
    script = [None] * good_answers + [EndpointFault(kind)] * 1000
    async with endpoint(script, latency_ms=1) as broken:
        with pytest.raises(ModelAccessError) as caught:
            await play_on(folder, broken.base_url)
        assert caught.value.exit_code == 4
        assert named in str(caught.value)
        assert broken.counts[kind] <= 8, "calls in flight, none started afterwards"
    assert put_back(folder) == []
    before = len(contents(folder)["battles"])
    assert before < 12
    async with endpoint() as good:
        await play_on(folder, good.base_url)
        assert good.counts["answered"] == CALLS - good_answers, "nothing is paid twice"
    assert contents(folder) == whole


@pytest.mark.parametrize("retry_after", [None, 0.7])
async def test_rate_limits_are_waited_out(
    tmp_path: Path, whole: dict[str, Any], retry_after: float | None
) -> None:
    folder = tmp_path / "limited"
    script = [None] * 5 + [EndpointFault("429", retry_after)] * 6
    async with endpoint(script, latency_ms=2) as limited, asking(limited.base_url) as model:
        lowest = model.concurrency_limit

        async def watch() -> None:
            nonlocal lowest
            while True:
                lowest = min(lowest, model.concurrency_limit)
                await asyncio.sleep(0.001)

        watching = asyncio.create_task(watch())
        started = time.monotonic()
        folder.mkdir()
        await play(folder, SETTINGS, CoinGame(), model, failures_before_pause=1)  # type: ignore[arg-type]
        seconds = time.monotonic() - started
        watching.cancel()
        assert limited.counts["429"] == 6
        assert lowest < 8, "the concurrency fell"
        assert model.concurrency_limit > lowest, "and recovered"
        if retry_after is not None:
            assert seconds >= retry_after
    assert put_back(folder) == []
    assert contents(folder) == whole


@pytest.mark.parametrize("kind", ["500", "502", "503", "cut-before", "cut-middle", "body-nested"])
async def test_a_passing_fault_puts_the_battle_back_with_its_seed(
    tmp_path: Path, whole: dict[str, Any], kind: str
) -> None:
    """More faults in a row than one call makes attempts, then the endpoint is well again."""
    folder = tmp_path / "passing"
    async with endpoint([None] * 9 + [EndpointFault(kind)] * 14) as failing:
        await play_on(folder, failing.base_url, pause=100)
        assert failing.counts[kind] == 14
        assert failing.counts["answered"] == CALLS, "what was answered before is not asked again"
    battles = [battle for battle, _ in put_back(folder)]
    assert battles
    assert all("no answer after 2 failed attempts" in reason for _, reason in put_back(folder))
    assert contents(folder) == whole


async def test_an_endpoint_that_is_not_there_pauses_the_run(
    tmp_path: Path, whole: dict[str, Any]
) -> None:
    folder = tmp_path / "absent"
    with socket.socket() as held:  # bound but not listening: connections are refused
        held.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        with pytest.raises(RunStopped, match="3 times in a row battles broke off") as caught:
            await play_on(folder, address, pause=3)
    assert caught.value.exit_code == 4
    assert "endpoint is up" in str(caught.value.remedy)
    async with endpoint() as good:
        await play_on(folder, good.base_url)
    assert contents(folder) == whole


async def test_a_tls_error_is_a_passing_fault(tmp_path: Path, whole: dict[str, Any]) -> None:
    folder = tmp_path / "tls"
    async with endpoint() as plain:
        secured = plain.base_url.replace("http:", "https:")
        with pytest.raises(RunStopped, match=r"(?i)ssl|tls|record layer|wrong version"):
            await play_on(folder, secured, pause=2)
        await play_on(folder, plain.base_url)
    assert contents(folder) == whole


async def test_silence_is_cut_off_by_the_time_limit_of_a_call(
    tmp_path: Path, whole: dict[str, Any]
) -> None:
    folder = tmp_path / "silent"
    script = [None] * 6 + [EndpointFault("never")] * 10
    async with endpoint(script) as silent:
        started = time.monotonic()
        await play_on(folder, silent.base_url, pause=100, timeout_seconds=0.4)
        assert time.monotonic() - started < 20
        assert silent.counts["never"] == 10
        # The endpoint has seen each caller hang up: the calls were really cancelled.
        assert silent.counts["abandoned"] >= 10
        assert silent.in_progress == 0
    assert contents(folder) == whole
