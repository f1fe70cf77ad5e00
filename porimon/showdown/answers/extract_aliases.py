"""Takes the nicknames of moves and Pokémon from the pinned Showdown package.

Run ``python -m porimon.showdown.answers.extract_aliases`` after the pin has changed.
"""

from __future__ import annotations

from pathlib import Path

from porimon.showdown.answers.lexicon import ALIASES_FILE
from porimon.showdown.dex.extract import run_script, store


def extract_aliases() -> bytes:
    """The nicknames as JSON bytes: an object from alias id to the id of the move or species."""
    return run_script(Path(__file__).parent / "extract_aliases.js")


if __name__ == "__main__":
    store(extract_aliases(), ALIASES_FILE)
