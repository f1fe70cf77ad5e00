"""A worker as a process of its own: ``python -m porimon.tournament.crew.process``.

The job comes on standard input, so that the run's secret is seen in no process list.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import sys

from porimon.tournament.crew.worker import work


def main() -> None:
    """Read the job and work until the coordinator is gone."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    job = pickle.loads(sys.stdin.buffer.read())
    asyncio.run(work(job))


if __name__ == "__main__":
    main()
