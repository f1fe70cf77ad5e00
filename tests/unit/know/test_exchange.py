"""Lines to a child process and back: answers in order, what is dropped, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator

import pytest

from porimon.showdown.calculator.exchange import LineExchange

ECHO = "for line in open(0): print('re: ' + line, end='', flush=True)"


@contextlib.asynccontextmanager
async def talking(
    program: str, limit: int = 2**16
) -> AsyncIterator[tuple[LineExchange, asyncio.subprocess.Process]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        program,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=limit,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    exchange = LineExchange(process.stdout, process.stdin)
    try:
        yield exchange, process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await asyncio.wait_for(process.wait(), 10)
        await exchange.close()


async def test_each_request_gets_its_own_answer() -> None:
    async with talking(ECHO) as (exchange, _), asyncio.timeout(20):
        requests = [f"{number}" * (number * 97 % 5000) for number in range(200)]
        answers = await asyncio.gather(*(exchange.ask(each.encode()) for each in requests))
    assert answers == [f"re: {each}\n".encode() for each in requests]


async def test_the_answer_to_a_request_that_was_given_up_is_dropped() -> None:
    slow = f"import time; time.sleep(0.5)\n{ECHO}"
    async with talking(slow) as (exchange, _), asyncio.timeout(20):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(exchange.ask(b"given up"), 0.05)
        assert await exchange.ask(b"next") == b"re: next\n"


async def test_whoever_waits_when_the_child_ends_is_told() -> None:
    async with talking("input()") as (exchange, process), asyncio.timeout(20):
        asked = [asyncio.create_task(exchange.ask(b"x")) for _ in range(3)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(each) for each in found] == [ConnectionResetError] * 3
        await process.wait()
        with pytest.raises(ConnectionError, match="ended"):
            await exchange.ask(b"later")


async def test_half_an_answer_is_none() -> None:
    program = "input(); print('half', end='', flush=True)"
    async with talking(program) as (exchange, _), asyncio.timeout(20):
        with pytest.raises(ConnectionError):
            await exchange.ask(b"x")


async def test_an_endless_line_ends_it() -> None:
    program = "input(); print('x' * 100_000, flush=True); input()"
    async with talking(program, limit=1000) as (exchange, _), asyncio.timeout(20):
        with pytest.raises(ConnectionError, match="cannot be read"):
            await exchange.ask(b"x")


async def test_a_child_that_speaks_unasked_is_not_believed() -> None:
    """Its answers could not be told apart any more."""
    async with talking(f"print('hello', flush=True)\n{ECHO}") as (exchange, _):
        async with asyncio.timeout(20):
            while True:
                await asyncio.sleep(0.01)
                with contextlib.suppress(ConnectionError):
                    if await exchange.ask(b"x") == b"re: x\n":
                        pytest.fail("it went on")
                    continue
                break


async def test_closing_tells_whoever_waits() -> None:
    async with talking("import time; time.sleep(60)") as (exchange, _), asyncio.timeout(20):
        asked = asyncio.create_task(exchange.ask(b"x"))
        await asyncio.sleep(0.05)
        await exchange.close()
        with pytest.raises(ConnectionError):
            await asked


async def test_closing_before_it_has_read_anything_tells_too() -> None:
    async with talking("import time; time.sleep(60)") as (exchange, _), asyncio.timeout(20):
        await exchange.close()
        with pytest.raises(ConnectionError, match="not asked any more"):
            await exchange.ask(b"x")
