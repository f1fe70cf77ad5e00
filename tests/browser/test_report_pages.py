"""The report in a real browser, opened from the disk: figures, links, keys, looks, silence."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from porimon.cli.analyze import command as analyze
from tests.browser.conftest import downloaded

pytestmark = pytest.mark.browser

Complaints = Callable[[], list[str]]
PATIENCE_SECONDS = 30.0


def wait(browser: Chrome, condition: str) -> Any:
    """Wait until an expression of the page is true; gives its value."""
    return WebDriverWait(browser, PATIENCE_SECONDS, 0.05).until(
        lambda each: each.execute_script(f"return {condition}")
    )


def open_page(browser: Chrome, folder: Path, page: str) -> None:
    """Open a page of a report from the disk, as a double click does."""
    browser.get("about:blank")
    browser.get(f"{folder.as_uri()}/{page}")


def open_report(browser: Chrome, folder: Path) -> None:
    """Open the first page and wait until its first plot is drawn."""
    open_page(browser, folder, "report.html")
    wait(browser, "document.querySelector('[data-plot=forest] .area').dataset.drawn")


def open_battle(browser: Chrome, folder: Path, address: str) -> None:
    """Open a battle's page and wait until it shows."""
    open_page(browser, folder, f"report/battle.html#{address}")
    wait(browser, "document.documentElement.dataset.ready")


def press(browser: Chrome, key: str) -> None:
    """Press a key wherever the page's focus is."""
    browser.switch_to.active_element.send_keys(key)


def draw_everything(browser: Chrome) -> None:
    """Scroll through the page, so that every plot is drawn."""
    figures = "[...document.querySelectorAll('figure.plot')]"
    browser.execute_script(f"{figures}.forEach((figure) => figure.scrollIntoView())")
    for number in range(browser.execute_script(f"return {figures}.length")):
        browser.execute_script(f"{figures}[{number}].scrollIntoView()")
        wait(browser, f"{figures}[{number}].querySelector('.area').dataset.drawn")


def analysis_of(folder: Path) -> dict[str, Any]:
    printed = CliRunner().invoke(analyze, [str(folder), "--json"], catch_exceptions=False)
    found: dict[str, Any] = json.loads(printed.stdout)
    return found


def test_the_report_opens_in_silence_and_shows_the_analysis(
    chromium: Chrome, written: Path, complaints: Complaints
) -> None:
    """Plots and tables hold the figures of `porimon analyze --json`; nothing else is fetched."""
    open_report(chromium, written)
    draw_everything(chromium)
    analysis = analysis_of(written)
    betas = {player["name"]: player["beta"] for player in analysis["players"]}
    drawn = chromium.execute_script(
        "const trace = document.querySelector('[data-plot=forest] .area').data[0];"
        "return trace.y.map((name, number) => [name, trace.x[number]])"
    )
    assert dict(drawn) == {name: beta for name, beta in betas.items() if beta is not None}
    heat = chromium.execute_script(
        "const trace = document.querySelector('[data-plot=heat] .area').data[0];"
        "return Object.fromEntries(trace.y.map((row, y) => [row,"
        " Object.fromEntries(trace.x.map((column, x) => [column, trace.z[y][x]]))]))"
    )
    for matchup in analysis["matchups"]:
        shown = heat[matchup["a"]][matchup["b"]]
        assert shown == pytest.approx(100 * matchup["win_rate_a"])
        assert heat[matchup["b"]][matchup["a"]] == pytest.approx(100 - shown)
    rows = chromium.find_elements(By.CSS_SELECTOR, "[data-table=pairwise] tbody tr")
    assert len(rows) == len(analysis["pairwise"])
    fetched = chromium.execute_script(
        "return [...document.querySelectorAll('script, link, img')].map((e) => e.src || e.href)"
    )
    assert fetched
    assert all(name.startswith(("file:", "data:", "blob:")) for name in fetched)
    assert complaints() == []


def test_a_heading_sorts_its_table_by_keyboard(
    chromium: Chrome, written: Path, complaints: Complaints
) -> None:
    open_report(chromium, written)
    table = chromium.find_element(By.CSS_SELECTOR, "[data-table=usage] table")
    heading = next(
        each
        for each in table.find_elements(By.CSS_SELECTOR, "thead th")
        if each.text.startswith("player")
    )
    for direction in ("descending", "ascending"):
        heading.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
        assert heading.get_attribute("aria-sort") == direction
        names = [each.text for each in table.find_elements(By.CSS_SELECTOR, "tbody th")]
        assert names == sorted(names, reverse=direction == "descending")
        assert len(names) == 4
    assert complaints() == []


def test_figures_are_saved_as_pictures_and_data(chromium: Chrome, written: Path) -> None:
    open_report(chromium, written)
    for kind in ("svg", "png", "csv"):
        button = chromium.find_element(By.CSS_SELECTOR, f"[data-plot=forest] [data-save={kind}]")
        chromium.execute_script("arguments[0].click()", button)
        file = downloaded(chromium, f"forest.{kind}")
        WebDriverWait(chromium, PATIENCE_SECONDS, 0.1).until(lambda _, file=file: file.exists())
    assert downloaded(chromium, "forest.svg").read_text(encoding="utf-8").startswith("<svg")
    assert downloaded(chromium, "forest.png").read_bytes().startswith(b"\x89PNG")
    lines = downloaded(chromium, "forest.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("name,model,battles,wins")
    shown = {line.split(",")[0]: line for line in lines[1:]}
    for player in analysis_of(written)["players"]:
        if player["beta"]:
            assert str(player["beta"]) in shown[player["name"]]


def test_a_cell_of_the_heat_map_leads_to_its_battles(
    chromium: Chrome, written: Path, complaints: Complaints
) -> None:
    """From the report by links alone: matchup, battle, turn, and back to the matchup."""
    open_report(chromium, written)
    target = chromium.execute_script(
        "const area = document.querySelector('[data-plot=heat] .area');"
        "area.scrollIntoView(); return true"
    )
    assert target
    wait(chromium, "document.querySelector('[data-plot=heat] .area').dataset.drawn")
    chromium.execute_script(
        "document.querySelector('[data-plot=heat] .area')"
        ".emit('plotly_click', {points: [{x: 'p', y: 'h', z: 1}]})"
    )
    wait(chromium, "location.pathname.endsWith('battles.html')")
    wait(chromium, "document.querySelector('.rows a')")
    titles = [each.text for each in chromium.find_elements(By.CSS_SELECTOR, ".pair")]
    assert titles == ["h against p"]
    links = chromium.find_elements(By.CSS_SELECTOR, ".rows a")
    assert [link.text for link in links] == [f"1.{number}" for number in range(1, 7)]
    links[1].send_keys(Keys.ENTER)
    wait(chromium, "document.documentElement.dataset.ready === '1.2/1'")
    chromium.find_element(By.CSS_SELECTOR, ".crumbs a").click()
    wait(chromium, "document.querySelector('.rows a')")
    assert complaints() == []


def test_filters_choose_battles(chromium: Chrome, written: Path, complaints: Complaints) -> None:
    """One battle of the stored run ended by forfeit; the others have fallbacks of p."""
    open_page(chromium, written, "report/battles.html#one=h&other=p&only=irregular")
    wait(chromium, "document.querySelector('.rows a')")
    found = chromium.find_elements(By.CSS_SELECTOR, ".rows tbody tr")
    assert len(found) == 1
    assert "forfeit" in found[0].text
    chromium.execute_script("location.hash = 'one=h&other=p&only=fallbacks'")
    wait(chromium, "document.querySelectorAll('.rows tbody tr').length === 6")
    assert complaints() == []


def test_arrow_keys_step_through_turns_and_battles(
    chromium: Chrome, written: Path, complaints: Complaints
) -> None:
    open_battle(chromium, written, "1.2")
    title = "document.getElementById('turn-title').textContent"
    assert chromium.execute_script(f"return {title}").startswith("Turn 1 of ")
    press(chromium, Keys.ARROW_RIGHT)
    wait(chromium, "location.hash === '#1.2/2'")
    press(chromium, Keys.ARROW_RIGHT)
    wait(chromium, f"{title}.startsWith('Turn 3 ')")
    press(chromium, Keys.ARROW_LEFT)
    wait(chromium, f"{title}.startsWith('Turn 2 ')")
    press(chromium, "]")
    wait(chromium, "document.documentElement.dataset.ready === '1.3/1'")
    press(chromium, "[")
    wait(chromium, "document.documentElement.dataset.ready === '1.2/1'")
    chromium.back()
    wait(chromium, "document.documentElement.dataset.ready === '1.3/1'")
    assert complaints() == []


def test_a_decision_shows_all_that_is_recorded_and_runs_none_of_it(
    chromium: Chrome, written: Path, complaints: Complaints
) -> None:
    """Order, legal orders, attempts, prompt, experiences, damage, view, costs; planted markup is
    shown as text."""
    open_battle(chromium, written, "1.1/2")
    article = chromium.find_element(By.CSS_SELECTOR, ".decision.seat-b")
    for summary in article.find_elements(By.TAG_NAME, "summary"):
        chromium.execute_script("arguments[0].parentElement.open = true", summary)
    text = article.text
    assert article.find_element(By.CSS_SELECTOR, ".orders .played").text
    assert len(article.find_elements(By.CSS_SELECTOR, ".orders li")) > 3
    assert "Refused: not json" in text
    assert "Attempt 2" in text
    assert "no damage ranges" in text
    assert "1,810 + 21 tokens · $0.375 · 2.00 s" in text
    assert "Experience 0123456789ab" in text
    assert "Snorlax ~ Munchlax 0.875" in text
    assert article.find_elements(By.CSS_SELECTOR, "table.damage tbody tr")
    assert article.find_elements(By.CSS_SELECTOR, ".board .mon.active")
    assert "<script>window.planted = 1</script>" in text
    assert chromium.execute_script("return window.planted") is None
    assert complaints() == []


def test_a_retrieved_experience_is_told_with_its_similarity(
    chromium: Chrome, written: Path, complaints: Complaints
) -> None:
    """Where it was learnt is a link; one that is not in the record stands there by its id alone."""
    open_battle(chromium, written, "2.2/1")
    blocks = chromium.find_elements(By.CSS_SELECTOR, ".decision .experience")
    unknown, learnt = (block.text for block in blocks[:2])
    assert "Experience 0123456789ab" in unknown
    assert "score 0.4321 · similarity: opponent's team 0.610" in unknown
    assert "from battle 2.1 (won)" in learnt
    assert "score 0.2500" in learnt
    assert "Summary <script>window.planted = 1</script>" in learnt
    assert "Lead with Snorlax." in learnt
    blocks[1].find_element(By.TAG_NAME, "a").send_keys(Keys.ENTER)
    wait(chromium, "document.documentElement.dataset.ready === '2.1/1'")
    assert complaints() == []


def test_the_board_after_the_last_turn_is_shown(
    chromium: Chrome, written: Path, complaints: Complaints
) -> None:
    """The end has an address and a step of its own, also where views tell all other boards."""
    for address in ("1.2", "6.1"):  # with a player without views; with views of both
        open_battle(chromium, written, f"{address}/end")
        assert chromium.find_element(By.ID, "turn-title").text == "The end"
        boards = chromium.find_elements(By.CSS_SELECTOR, ".board-place .side")
        assert len(boards) == 2
        counts = [len(each.find_elements(By.CSS_SELECTOR, ".mon.out")) for each in boards]
        assert max(counts) == 6, "somebody has nothing left"
        assert " beat " in chromium.find_element(By.CSS_SELECTOR, ".told").text
        last = chromium.find_elements(By.CSS_SELECTOR, ".timeline a")[-2].text
        press(chromium, Keys.ARROW_LEFT)
        wait(chromium, f"location.hash === '#{address}/{last}'")
        press(chromium, Keys.ARROW_RIGHT)
        wait(chromium, f"location.hash === '#{address}/end'")
    assert complaints() == []


def test_the_board_and_the_log_follow_the_turn(
    chromium: Chrome, written: Path, complaints: Complaints
) -> None:
    """Board of battle 1.1, turn 2, as its log has it: Silvally came in against Pelipper."""
    open_battle(chromium, written, "1.1/2")
    actives = [
        each.text.splitlines()[0]
        for each in chromium.find_elements(By.CSS_SELECTOR, ".board-place .mon.active")
    ]
    assert [name.split(" ")[0] for name in actives] == ["Silvally-Dragon", "Pelipper"]
    board = chromium.find_element(By.CSS_SELECTOR, ".board-place").text
    assert "185/293 (63 %)" in board
    assert "Rain (" in board
    log = chromium.find_element(By.CSS_SELECTOR, ".log").text
    assert "h's Silvally used Multi-Attack." in log
    assert complaints() == []


def test_a_log_is_handed_out_as_showdown_reads_it(chromium: Chrome, written: Path) -> None:
    """Names in place of p1 and p2; in the replay page the log can't end its script element."""
    open_battle(chromium, written, "1.1")
    for label in ("Showdown log", "Showdown replay"):
        button = next(
            each
            for each in chromium.find_elements(By.CSS_SELECTOR, ".actions button")
            if label in each.text
        )
        button.click()
    log, replay = downloaded(chromium, "1.1.log"), downloaded(chromium, "1.1.html")
    WebDriverWait(chromium, PATIENCE_SECONDS, 0.1).until(lambda _: log.exists() and replay.exists())
    lines = log.read_text(encoding="utf-8").splitlines()
    assert "|player|p1|h|" in lines
    assert "|turn|2" in lines
    page = replay.read_text(encoding="utf-8")
    inside = page.split('class="battle-log-data">')[1].split("</script>")[0]
    assert inside.replace("\\/", "/") == log.read_text(encoding="utf-8")


@pytest.mark.parametrize("address", ["", "#nonsense", "#99.1", "#1.99/3", "#../../x.1"])
def test_an_address_without_a_battle_says_so(chromium: Chrome, written: Path, address: str) -> None:
    open_page(chromium, written, f"report/battle.html{address}")
    wait(chromium, "document.querySelector('h1')?.textContent === 'No such battle'")


def test_the_theme_is_the_readers_choice(chromium: Chrome, written: Path) -> None:
    open_report(chromium, written)
    ground = "getComputedStyle(document.body).backgroundColor"
    paper = "document.querySelector('[data-plot=forest] .area').layout.paper_bgcolor"
    seen = set()
    for _ in range(3):
        chromium.find_element(By.ID, "theme").click()
        seen.add(tuple(chromium.execute_script(f"return [{ground}, {paper}]")))
    assert len(seen) == 2  # light and dark; the system's is one of them


@pytest.mark.parametrize("width", [390, 820, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", ["report.html", "report/battles.html", "report/battle.html#1.1/2"])
def test_pages_fit_phone_tablet_and_screen(
    chromium: Chrome,
    written: Path,
    tmp_path: Path,
    complaints: Complaints,
    width: int,
    scheme: str,
    page: str,
) -> None:
    """Nothing sticks out sideways; text is readable against its ground (WCAG AA for body text)."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    chromium.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    open_page(chromium, written, page)
    wait(chromium, "document.querySelector('h1')")
    time.sleep(0.3)
    assert chromium.execute_script("return document.documentElement.scrollWidth") <= width
    assert chromium.execute_script("return document.documentElement.dataset.theme") == scheme
    for front, back in (("--text", "--card"), ("--soft", "--card"), ("--accent", "--card")):
        assert chromium.execute_script(CONTRAST, front, back) >= 4.5, (front, back)
    assert chromium.save_screenshot(str(tmp_path / "page.png"))
    assert complaints() == []


CONTRAST = """
const style = getComputedStyle(document.documentElement);
function light(name) {
  const hex = style.getPropertyValue(name).trim().slice(1);
  const parts = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  const linear = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}
const [high, low] = [light(arguments[0]), light(arguments[1])].sort((a, b) => b - a);
return (high + 0.05) / (low + 0.05);
"""
