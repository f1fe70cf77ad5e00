"""Takes the game data from the pinned Showdown package and stores them in the package.

Run ``python -m porimon.showdown.dex.extract`` after the pin has changed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
from pathlib import Path

from porimon.errors import MachineSetupError
from porimon.showdown.dex.store import DATA_FILE

_SCRIPT = Path(__file__).parent / "extract.js"
_DEADLINE_SECONDS = 120.0


def showdown_package() -> tuple[str, Path]:
    """The Node executable and the folder of the pinned Showdown package, set up if need be."""
    from porimon.showdown.node import prepare_node_parts

    parts = prepare_node_parts()
    return parts.node, parts.showdown_server / "node_modules" / "pokemon-showdown"


def run_script(script: Path, *arguments: str, deadline: float = _DEADLINE_SECONDS) -> bytes:
    """Run one of our data scripts against the pinned package; what it prints, as JSON bytes.

    The keys are put in order, so that equal data give equal bytes. Raises ``MachineSetupError``
    if the script fails or takes longer than ``deadline`` seconds.
    """
    node, package = showdown_package()
    try:
        done = subprocess.run(
            [node, str(script), str(package), *arguments],
            capture_output=True,
            timeout=deadline,
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        raise MachineSetupError(
            f"the script took longer than {deadline:g} s", where=str(script)
        ) from error
    except subprocess.CalledProcessError as error:
        message = error.stderr.decode(errors="replace").strip()
        raise MachineSetupError(f"the script failed: {message}", where=str(script)) from error
    document = json.loads(done.stdout)
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def extract_game_data() -> bytes:
    """The game data of the pinned package as JSON bytes."""
    return run_script(_SCRIPT)


def store(data: bytes, target: Path) -> None:
    """Compress ``data`` to ``target``, without a time stamp."""
    target.write_bytes(gzip.compress(data, compresslevel=9, mtime=0))


def main() -> None:
    """Store the extracted data, or print where they would go."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DATA_FILE, help="the file to write")
    target: Path = parser.parse_args().out
    store(extract_game_data(), target)
    print(f"{target}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
