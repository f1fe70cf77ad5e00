"""Writes a run's report: one folder that opens by double click, without a network."""

from __future__ import annotations

import importlib.util
import shutil
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from porimon.errors import MachineSetupError, UserInputError
from porimon.report.battles import Progress, battle_pages, write_battles, write_indices
from porimon.report.describer import BattleDescriber, PlainDescriber
from porimon.report.experiences import write_experiences
from porimon.report.overview import Overview, overview
from porimon.report.pages import battle_page, battles_page, overview_page, table_data
from porimon.report.scripts import as_script
from porimon.tournament.record.read import RunReader


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """What was written: the page to open, the folder beside it, and how much lies there.

    ``battles`` have pages, ``renewed`` of them were written now. ``size`` is in bytes.
    """

    page: Path
    folder: Path
    battles: int
    renewed: int
    size: int


def write_report(
    run: Path,
    describer: BattleDescriber | None = None,
    *,
    most_battles: int | None = None,
    progress: Progress | None = None,
) -> WrittenReport:
    """Write ``report.html`` and the folder ``report`` into a run's folder.

    ``most_battles`` bounds the battles of each matchup that get a page (``None``: all). Works while
    the run goes on. Raises ``UserInputError`` where there is no run, no finished battle, or no
    right to write; ``MachineSetupError`` where the plotting library is missing.
    """
    describer = describer or PlainDescriber()
    folder = run / "report"
    with RunReader(run) as reader:
        content = overview(reader)
        pages = battle_pages(reader, most_battles)
        try:
            (folder / "battles").mkdir(parents=True, exist_ok=True)
            _copy_assets(folder / "assets", describer)
            write_indices(reader, pages, folder / "battles")
            write_experiences(reader, folder / "battles")
            for path, text in _texts(content, describer).items():
                (run / path).write_text(text, encoding="utf-8")
            renewed = write_battles(run, pages, folder / "battles", describer, progress)
        except OSError as error:
            raise UserInputError(
                f"the report cannot be written: {error.strerror}",
                where=str(error.filename or folder),
                remedy="make the run's folder writable, or free some space",
            ) from error
    page = run / "report.html"
    return WrittenReport(page, folder, len(pages), renewed, _size(folder) + page.stat().st_size)


def _texts(content: Overview, describer: BattleDescriber) -> dict[str, str]:
    """The pages and their data, by path below the run's folder."""
    names = [source.name for source in describer.assets()]
    scripts = tuple(name for name in names if name.endswith(".js"))
    styles = tuple(name for name in names if name.endswith(".css"))
    return {
        "report.html": overview_page(content),
        "report/battles.html": battles_page(content.title),
        "report/battle.html": battle_page(content.title, scripts, styles),
        "report/data.js": as_script("overview", content.data | {"tables": table_data(content)}),
        "report/game_data.js": as_script("gameData", describer.data()),
    }


def _copy_assets(folder: Path, describer: BattleDescriber) -> None:
    """Scripts and styles: ours, the game's, and the plotting library."""
    folder.mkdir(exist_ok=True)
    with resources.as_file(resources.files("porimon.report") / "assets") as own:
        sources = [*sorted(own.iterdir()), *describer.assets(), plotting_library()]
        for source in sources:
            shutil.copyfile(source, folder / source.name)


def plotting_library() -> Path:
    """Plotly's script, as the Python package ``plotly`` ships it (found without importing it)."""
    found = importlib.util.find_spec("plotly")
    for place in (found.submodule_search_locations or ()) if found else ():
        script = Path(place) / "package_data" / "plotly.min.js"
        if script.is_file():
            return script
    raise MachineSetupError(
        "the plotting library is not installed",
        where="plotly/package_data/plotly.min.js",
        remedy="pip install plotly",
    )


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
