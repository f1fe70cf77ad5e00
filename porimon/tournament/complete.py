"""Whether a run's record holds everything that its plan asks for: then nothing need be started."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from porimon.config.tournament import TournamentSettings
from porimon.tournament.plan import planned_matchups
from porimon.tournament.record.connect import record_path
from porimon.tournament.record.read import RunReader


def everything_played(folder: Path, settings: TournamentSettings, plan: Mapping[str, Any]) -> bool:
    """Whether every battle of ``settings`` is recorded in ``folder``, and every winner selected.

    ``plan`` is what fixes the battles. A folder of another plan is not complete: running it says
    why it cannot go on.
    """
    if not record_path(folder).is_file():
        return False
    with RunReader(folder) as reader:
        if reader.plan != json.loads(json.dumps(plan)):
            return False
        selected = reader.selections()
        if any(stage.selects and stage.name not in selected for stage in settings.stages):
            return False
        begun = {matchup.matchup_id: matchup for matchup in reader.matchups()}
        for planned in planned_matchups(settings):
            matchup = begun.get(planned.matchup_id)
            if matchup is None:
                return False
            wanted = planned.battles if matchup.stopped_after is None else matchup.stopped_after
            if sum(1 for _ in reader.battles(matchup.matchup_id)) < wanted:
                return False
    return True
