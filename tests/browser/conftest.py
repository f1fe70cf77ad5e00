"""A real headless Chromium, driven by its own driver; tests are skipped where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from porimon.report.build import write_report
from porimon.showdown.battle_page.describer import ShowdownDescriber
from tests.unit.report.conftest import stored_run

__all__ = ["stored_run"]

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--window-size=1280,900",
)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """One browser for all tests; downloads go to ``downloads`` of its own folder."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("no chromium with chromedriver on this machine (apt install chromium-driver)")
    options = Options()
    options.binary_location = program
    for flag in FLAGS:
        options.add_argument(flag)
    downloads = tmp_path_factory.mktemp("downloads")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(driver))
    browser.set_page_load_timeout(60)
    browser.set_script_timeout(60)
    browser.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)}
    )
    browser.downloads = downloads  # type: ignore[attr-defined]
    yield browser
    browser.quit()


@pytest.fixture
def complaints(chromium: webdriver.Chrome) -> Iterator[Callable[[], list[str]]]:
    """What the console complained of since the test began (warnings and errors)."""
    chromium.get_log("browser")

    def read() -> list[str]:
        return [
            str(entry["message"])
            for entry in chromium.get_log("browser")
            if entry["level"] in ("WARNING", "SEVERE")
        ]

    yield read
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def downloaded(browser: webdriver.Chrome, name: str) -> Path:
    """Where a file of that name is saved."""
    folder: Path = browser.downloads  # type: ignore[attr-defined]
    return folder / name


@pytest.fixture(scope="session")
def written(stored_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with its report."""
    folder = Path(shutil.copytree(stored_run, tmp_path_factory.mktemp("report") / "run"))
    write_report(folder, ShowdownDescriber())
    return folder
