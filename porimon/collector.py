"""Python's garbage collector while battles are played: what is loaded by then stays.

The game's data and the code are some 150,000 objects that nothing will ever free, and battles leave
hardly any garbage in circles. Left to itself, the collector goes through all of it again and
again: a fifth of the processor time of a run that asks a language model (docs/performance.md).
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

_OBJECTS_BETWEEN = 10_000
"""New objects between two looks at the young ones, instead of Python's 700."""


@contextlib.contextmanager
def loaded_objects_stay() -> Iterator[None]:
    """Leave out what exists now and look at the rest less often.

    On leaving, the collector is as before, and looks at everything again.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
