"""The pool of endpoints: even use, adaptive concurrency, closed and avoided endpoints, fairness."""

from __future__ import annotations

import asyncio

import pytest

from porimon.llm.pool import EndpointPool, Lease


async def take(pool: EndpointPool, count: int) -> list[Lease]:
    return [await pool.acquire(1.0) for _ in range(count)]


async def test_endpoints_are_used_evenly() -> None:
    pool = EndpointPool(("a", "b", "c"), 4)
    leases = await take(pool, 9)
    assert sorted(lease.endpoint.base_url for lease in leases) == ["a"] * 3 + ["b"] * 3 + ["c"] * 3


async def test_one_after_another_goes_round_too() -> None:
    pool = EndpointPool(("a", "b"), 4)
    used = []
    for _ in range(6):
        lease = await pool.acquire(1.0)
        used.append(lease.endpoint.base_url)
        pool.succeeded(lease)
        pool.release(lease)
    assert used.count("a") == used.count("b") == 3


async def test_no_more_than_the_limit_at_once_and_first_come_first_served() -> None:
    pool = EndpointPool(("a",), 2)
    first, _ = await take(pool, 2)
    order: list[int] = []

    async def wait(number: int) -> None:
        await pool.acquire(5.0)
        order.append(number)

    waiters = [asyncio.create_task(wait(number)) for number in range(2)]
    await asyncio.sleep(0.01)
    assert order == []
    pool.release(first)
    await asyncio.sleep(0.01)
    assert order == [0]
    waiters[1].cancel()


async def test_waiting_has_a_deadline_and_a_cancelled_turn_is_not_lost() -> None:
    pool = EndpointPool(("a",), 1)
    (lease,) = await take(pool, 1)
    with pytest.raises(TimeoutError):
        await pool.acquire(0.01)
    waiter = asyncio.create_task(pool.acquire(5.0))
    await asyncio.sleep(0)
    pool.release(lease)  # grants the turn to the waiter …
    waiter.cancel()  # … which is cancelled in the same moment
    with pytest.raises(asyncio.CancelledError):
        await waiter
    assert pool.endpoints[0].in_flight == 0
    await take(pool, 1)


async def test_the_limit_is_halved_once_per_round_and_recovers() -> None:
    """Eight calls in flight all meet the rate limit: 8 → 4, not 8 → 1; then it climbs back."""
    pool = EndpointPool(("a",), 8)
    (endpoint,) = pool.endpoints
    leases = await take(pool, 8)
    for lease in leases:
        pool.rate_limited(lease, None)
    assert endpoint.limit == 4
    for lease in leases:
        pool.release(lease)
    later = await take(pool, 4)
    pool.rate_limited(later[0], None)
    assert endpoint.limit == 2
    for lease in later:
        pool.release(lease)
    successes = 0
    while endpoint.limit < 8:
        (lease,) = await take(pool, 1)
        pool.succeeded(lease)
        pool.release(lease)
        successes += 1
        assert successes < 60
    assert successes > 8, "the climb is gradual"


async def test_the_limit_never_falls_below_one() -> None:
    pool = EndpointPool(("a",), 2)
    for _ in range(5):
        (lease,) = await take(pool, 1)
        pool.rate_limited(lease, None)
        pool.release(lease)
    assert pool.endpoints[0].limit == 1
    await take(pool, 1)


async def test_retry_after_closes_the_endpoint_for_everybody() -> None:
    pool = EndpointPool(("a",), 4)
    (lease,) = await take(pool, 1)
    pool.rate_limited(lease, 0.2)
    pool.release(lease)
    started = asyncio.get_running_loop().time()
    await pool.acquire(5.0)
    assert asyncio.get_running_loop().time() - started >= 0.19


async def test_a_failing_endpoint_is_avoided_and_comes_back() -> None:
    now = 0.0
    pool = EndpointPool(("a", "b"), 4, clock=lambda: now)
    lease = await pool.acquire(1.0)
    bad = lease.endpoint
    pool.failed(lease)
    pool.release(lease)
    leases = await take(pool, 4)
    assert all(taken.endpoint is not bad for taken in leases)
    for taken in leases:
        pool.release(taken)
    now = 1.5
    assert any(taken.endpoint is bad for taken in await take(pool, 4))


async def test_one_call_tries_whether_a_failed_endpoint_is_back() -> None:
    """After its pause a failed endpoint gets a single call; only its success opens it again."""
    now = 0.0
    pool = EndpointPool(("a", "b"), 4, clock=lambda: now)
    lease = await pool.acquire(1.0)
    bad = lease.endpoint
    pool.failed(lease)
    pool.release(lease)
    now = 1.5
    leases = await take(pool, 5)
    assert [taken.endpoint is bad for taken in leases].count(True) == 1
    with pytest.raises(TimeoutError):
        await pool.acquire(0.01)
    trying = next(taken for taken in leases if taken.endpoint is bad)
    pool.succeeded(trying)
    pool.release(trying)
    again = await take(pool, 4)
    assert all(taken.endpoint is bad for taken in again)


async def test_repeated_failures_are_avoided_for_longer() -> None:
    now = 0.0
    pool = EndpointPool(("a",), 4, clock=lambda: now)
    pauses = []
    for _ in range(10):
        lease = await pool.acquire(1.0)
        pool.failed(lease)
        pool.release(lease)
        pauses.append(lease.endpoint.avoided_until - now)
    assert pauses[:4] == [1, 2, 4, 8]
    assert pauses[-1] == 60


async def test_the_only_endpoint_is_used_though_it_fails() -> None:
    pool = EndpointPool(("a",), 4)
    (lease,) = await take(pool, 1)
    pool.failed(lease)
    assert (await pool.acquire(0.1)).endpoint.base_url == "a"
