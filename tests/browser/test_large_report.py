"""The report of 15,000 battles is written in two minutes and opens at once (real battles again)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from porimon.bench.report import BATTLES, Writing, large_run, write
from tests.browser.test_report_pages import open_battle, open_report, wait

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.long]

WRITTEN_SECONDS = 120.0
FIRST_PAGE_SECONDS = 2.0
BATTLE_PAGE_SECONDS = 0.3


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Writing]:
    """The folder of a run of 15,000 battles with its report, and what writing that took."""
    folder = large_run(tmp_path_factory.mktemp("large"), BATTLES, played=4)
    return folder, write(folder)


def quickest(open_once: Callable[[], None]) -> float:
    """The least wall time of five: what the page takes, whatever else the machine does."""
    taken = []
    for _ in range(5):
        started = time.perf_counter()
        open_once()
        taken.append(time.perf_counter() - started)
    return min(taken)


def test_it_is_written_in_two_minutes(large: tuple[Path, Writing]) -> None:
    """By processor time, spread over two processors: others may be at work on this machine."""
    _, writing = large
    assert min(writing.seconds, writing.processor_seconds / 2) < WRITTEN_SECONDS


def test_its_first_page_opens_in_two_seconds(chromium: Chrome, large: tuple[Path, Writing]) -> None:
    folder, _ = large
    assert quickest(lambda: open_report(chromium, folder)) < FIRST_PAGE_SECONDS


def test_a_battle_opens_in_a_third_of_a_second(
    chromium: Chrome, large: tuple[Path, Writing]
) -> None:
    """A page of its own each time, and a step to the next battle."""
    folder, _ = large
    numbers = iter(range(2, 100))
    opened = []
    for _ in range(5):
        open_battle(chromium, folder, f"6.{next(numbers)}")
        marks = "performance.getEntriesByName('shown')"
        opened.append(chromium.execute_script(f"return {marks}[0].startTime") / 1000)
    assert min(opened) < BATTLE_PAGE_SECONDS, opened

    def step() -> None:
        name = f"6.{next(numbers)}"
        chromium.execute_script(f"location.hash = '#{name}'")
        wait(chromium, f"document.documentElement.dataset.ready.startsWith('{name}/')")

    assert quickest(step) < BATTLE_PAGE_SECONDS
