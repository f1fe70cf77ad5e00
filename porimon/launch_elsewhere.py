"""Puts together a run against whoever is on a Showdown server: account, meeting, record, models."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from porimon.config.load import TournamentFile
from porimon.config.resolve import Found, resolve_player
from porimon.config.tournament import TournamentSettings
from porimon.launch import (
    RUNS_FOLDER,
    PreparedRun,
    plan_document,
    play_prepared,
    used_models,
)
from porimon.tournament.record.connect import record_path

if TYPE_CHECKING:
    from porimon.showdown.elsewhere.meeting import Meeting
    from porimon.tournament.progress import ProgressListener

OFFICIAL_SERVER = "https://sim3.psim.us"
"""Where ``--server official`` leads: the server of play.pokemonshowdown.com."""

_FAILURES_BEFORE_PAUSE = 3
_STAGE = "elsewhere"


@dataclass(frozen=True, slots=True)
class ElsewhereRequest:
    """What a user asked to be played.

    ``battles`` are those to be played now, whatever the folder holds already. ``command`` is what
    the user typed, to go on with.
    """

    meeting: Meeting
    battle_format: str
    server: str
    command: tuple[str, ...]
    player: str = "lt0"
    plugin: str | None = None
    llm: str = "offline"
    llm_file: Path | None = None
    login_server: str | None = None
    battles: int = 1
    timer: bool = False
    throttle_seconds: float = 0.6
    """Pause between two messages: what Showdown takes of an ordinary user."""
    wait_seconds: float = 600.0
    battle_seconds: float = 7200.0
    out: Path | None = None

    @property
    def folder(self) -> Path:
        """Where the battles are recorded: ``--out``, or ``runs/elsewhere-PLAYER``."""
        return self.out or RUNS_FOLDER / f"elsewhere-{self.player}"


async def launch_elsewhere(
    request: ElsewhereRequest, listener: ProgressListener, say: Callable[[str], None]
) -> Path:
    """Play the battles asked for; the folder of their record.

    Raises as ``porimon.launch.launch`` does.
    """
    from porimon.showdown.elsewhere.account import LOGIN_SERVER, account_from_environment
    from porimon.showdown.elsewhere.game import GameElsewhere
    from porimon.showdown.elsewhere.visit import Visit, login_server_for
    from porimon.showdown.server import parse_server_address

    url = parse_server_address(OFFICIAL_SERVER if request.server == "official" else request.server)
    tournament = _tournament(request)
    visit = Visit(
        url=url,
        account=account_from_environment(),
        login_server=login_server_for(url, request.login_server, LOGIN_SERVER),
        throttle_seconds=request.throttle_seconds,
        say=say,
    )
    say(f"{request.player} plays as {visit.account.name} on {url}")
    plan = plan_document(tournament)
    del plan["battles"]  # every call adds some
    prepared = PreparedRun(
        tournament=tournament,
        plan=plan,
        folder=request.folder,
        models=used_models(tournament, request.llm_file),
        resume=shlex.join(request.command),
    )
    game = GameElsewhere(
        visit,
        request.meeting,
        battle_format=request.battle_format,
        wait_seconds=request.wait_seconds,
        battle_seconds=request.battle_seconds,
        timer=request.timer,
        say=say,
    )
    await play_prepared(prepared, game, listener)
    return request.folder


def _tournament(request: ElsewhereRequest) -> TournamentFile:
    """One matchup: our player against everybody whom it meets."""
    from porimon.showdown.elsewhere.game import OPPONENTS

    own = {"plugin": request.plugin} if request.plugin is not None else {}
    settings = TournamentSettings.model_validate(
        {
            "name": f"elsewhere-{request.player}",
            "format": request.battle_format,
            "battles": _recorded(request.folder) + request.battles,
            "paired": False,
            "llm": request.llm,
            "reference": request.player,
            "battle_seconds": request.battle_seconds,
            "failures_before_pause": _FAILURES_BEFORE_PAUSE,
            # They are people or other programs: no code of ours decides for them.
            "players": {request.player: own, OPPONENTS: {"plugin": OPPONENTS}},
            "concurrency": {"battles": 1, "per_matchup": 1},
            "stages": [
                {"name": _STAGE, "schedule": "pairs", "pairs": [[request.player, OPPONENTS]]}
            ],
        }
    )
    players = {
        (_STAGE, name): resolve_player(name, settings, Found())
        for name in (request.player, OPPONENTS)
    }
    return TournamentFile(request.folder, settings, players)


def _recorded(folder: Path) -> int:
    """How many battles the folder holds already."""
    from porimon.tournament.record.read import RunReader

    if not record_path(folder).exists():
        return 0
    with RunReader(folder) as reader:
        return sum(1 for _ in reader.battles())
