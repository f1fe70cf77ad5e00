"""A short, free probe of what each kind of player takes per battle, with the offline reader."""

from __future__ import annotations

import tempfile
from pathlib import Path

from porimon.config.load import TournamentFile
from porimon.config.player import LANGUAGE_MODEL_PLAYERS
from porimon.launch import RunRequest, launch
from porimon.tournament.expect import Usage, usage_by_base
from porimon.tournament.progress import Silent
from porimon.tournament.record.read import RunReader

BATTLES = 4


async def probe(tournament: TournamentFile) -> dict[str, Usage]:
    """Usage by base: each language-model player of the file plays some battles against ``h``.

    The largest window T of the file is used, and experiences are retrieved from the first on, so
    the figures lean to the high side. Latencies are the offline reader's and are left out.
    """
    bases = sorted(
        {
            player.base
            for player in tournament.players.values()
            if player.base in LANGUAGE_MODEL_PLAYERS
        }
    )
    if not bases:
        return {}
    window = max(player.window for player in tournament.players.values())
    lines = [
        'name = "probe"',
        f"battles = {BATTLES}",
        f"seed = {tournament.settings.seed}",
        'llm = "offline"',
        "[defaults]",
        f"window = {window}",
        "memory = { minimum = 0 }",
        "[concurrency]",
        f"battles = {2 * len(bases)}",
        "per_matchup = 2",
        "[[stages]]",
        'name = "probe"',
        'schedule = "against"',
        'one = "h"',
        f"players = {bases!r}",
    ]
    with tempfile.TemporaryDirectory(prefix="porimon-probe-") as temporary:
        file = Path(temporary) / "probe.toml"
        file.write_text("\n".join(lines), encoding="utf-8")
        folder = await launch(RunRequest(file, out=Path(temporary) / "run"), Silent())
        with RunReader(folder) as reader:
            measured = usage_by_base(reader)
    return {
        base: Usage(usage.calls, usage.input_tokens, usage.output_tokens, None)
        for base, usage in measured.items()
    }
