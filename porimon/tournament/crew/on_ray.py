"""Starts workers on a Ray cluster (extra ``ray``): each is one task that holds one processor.

Ray only says where a worker runs. Everything else is as on one machine: the worker connects to the
coordinator, which must be reachable from the cluster's machines.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
from collections.abc import AsyncIterator, Callable
from typing import Any

from porimon.errors import MachineSetupError
from porimon.tournament.crew.messages import Job
from porimon.tournament.crew.worker import work

_SECONDS_TO_END = 15.0


class RayWorkers:
    """A ``Starter`` on the cluster at ``address`` (``auto``: the one that is running here).

    ``None`` starts a cluster on this machine. Use ``open_ray`` to make it.
    """

    def __init__(self, host: str, task: Any) -> None:
        self.host = host
        self._task = task

    async def start(self, job: Job) -> RayWorker:
        """Hand one worker to the cluster, which starts it when a processor is free."""
        return RayWorker(self._task.remote(pickle.dumps(job)))


class RayWorker:
    """A worker on the cluster."""

    def __init__(self, reference: Any) -> None:
        self._reference = reference

    async def ended(self) -> str:
        """Come back when the task is over; how it ended."""
        from ray.exceptions import RayError

        try:
            # No deadline: a worker stays as long as the run.
            await asyncio.wrap_future(self._reference.future())
        except RayError as error:
            return f"{type(error).__name__}: {str(error).splitlines()[0]}"
        return "its task is over"

    async def end(self) -> None:
        """Wait a moment for it to end by itself, then have Ray kill it."""
        import ray

        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.ended(), _SECONDS_TO_END)
            return
        # Without force a task that is waiting in its event loop would not notice.
        await asyncio.to_thread(ray.cancel, self._reference, force=True)


@contextlib.asynccontextmanager
async def open_ray(
    address: str | None, *, workers: int, python_path: str | None = None
) -> AsyncIterator[RayWorkers]:
    """A ``RayWorkers`` on a cluster, left again at the end.

    Parameters
    ----------
    address:
        The cluster's address; ``None`` starts one on this machine with a processor per worker.
    python_path:
        Where workers find modules that are not installed.

    Raises
    ------
    MachineSetupError
        Ray is not installed, or there is no cluster at the address.
    """
    try:
        import ray
    except ImportError as error:
        raise MachineSetupError(
            "Ray is not installed", remedy="pip install 'porimon[ray]'"
        ) from error
    options: dict[str, Any] = {"log_to_driver": False, "include_dashboard": False}
    if address is None:
        options["num_cpus"] = workers
    else:
        del options["include_dashboard"]
        options["address"] = address
    if python_path is not None:
        options["runtime_env"] = {"env_vars": {"PYTHONPATH": python_path}}
    try:
        await asyncio.to_thread(ray.init, **options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise MachineSetupError(
            f"there is no Ray cluster to be had: {error}",
            where=address,
            remedy="start one with `ray start --head`, or leave the address out",
        ) from error
    try:
        # The coordinator starts a lost worker again itself: Ray's retries would be a second one.
        task = ray.remote(max_retries=0, num_cpus=1)(_work)
        host = "127.0.0.1"
        if address is not None:
            node_address: Callable[[], str] = ray.util.get_node_ip_address
            host = node_address()
        yield RayWorkers(host, task)
    finally:
        await asyncio.to_thread(ray.shutdown)


def _work(job: bytes) -> None:
    """What a Ray task does: be a worker until the coordinator is gone."""
    asyncio.run(work(pickle.loads(job)))
