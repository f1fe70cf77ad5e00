"""While battles are played the collector looks less often; afterwards it is as it was."""

from __future__ import annotations

import gc
import weakref

import pytest

from porimon.collector import loaded_objects_stay


class Ring:
    """An object that only the collector can free."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def nothing_frozen() -> None:
    gc.unfreeze()


def test_what_exists_is_left_out_until_the_end() -> None:
    before, ring = gc.get_threshold(), Ring()
    watched = weakref.ref(ring)
    with loaded_objects_stay():
        assert gc.get_threshold()[0] > before[0]
        assert gc.get_freeze_count() > 1000
        del ring
        gc.collect()
        assert watched() is not None
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
    gc.collect()
    assert watched() is None


def test_what_comes_later_is_still_collected() -> None:
    with loaded_objects_stay():
        watched = weakref.ref(Ring())
        for _ in range(20_000):  # more young objects than are let lie
            _ = [[]]
            Ring()
        assert watched() is None


def test_an_error_leaves_it_as_it_was() -> None:
    before = gc.get_threshold()
    with pytest.raises(RuntimeError, match="stop"), loaded_objects_stay():
        raise RuntimeError("stop")
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
