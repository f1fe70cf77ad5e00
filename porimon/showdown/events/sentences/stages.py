"""Sentences on statuses and stat stages."""

from __future__ import annotations

from porimon.showdown.events import model
from porimon.showdown.events.sentences.naming import (
    effect_name,
    sentence,
    stat_name,
    status_name,
)
from porimon.showdown.events.sentences.scene import Scene

_BEGINS = {
    "brn": "was burned",
    "par": "was paralyzed",
    "slp": "fell asleep",
    "frz": "was frozen solid",
    "psn": "was poisoned",
    "tox": "was badly poisoned",
}
_CURED = {
    "brn": "is no longer burned",
    "par": "is no longer paralyzed",
    "slp": "woke up",
    "frz": "thawed out",
    "psn": "is no longer poisoned",
    "tox": "is no longer poisoned",
    "confusion": "is no longer confused",
}


def status(event: model.Status, scene: Scene) -> str:
    """A status begins."""
    name = scene.names.pokemon(event.pokemon)
    what = _BEGINS.get(event.status, f"got the status {status_name(event.status)}")
    return sentence(f"{name} {what}{_why(event, scene)}")


def cure_status(event: model.CureStatus, scene: Scene) -> str:
    """A status ends. Natural Cure's is told too: who follows the log knows that it acted."""
    name = scene.names.pokemon(event.pokemon)
    what = _CURED.get(event.status, f"lost the status {status_name(event.status)}")
    return sentence(f"{name} {what}{_why(event, scene)}")


def cure_team(event: model.CureTeam, scene: Scene) -> str:
    """All statuses of a side end."""
    return sentence(f"every status of {scene.names.team(event.pokemon.side)} was cured")


def boost(event: model.Boost, scene: Scene) -> str:
    """A stat stage changes, or cannot."""
    subject = f"{scene.names.pokemon(event.pokemon)}'s {stat_name(event.stat)}"
    why = _why(event, scene)
    if event.amount == 0:
        limit = "higher" if event.raises else "lower"
        return sentence(f"{subject} can't go any {limit}{why}")
    verb = "rose" if event.amount > 0 else "fell"
    count = abs(event.amount)
    return sentence(f"{subject} {verb} by {count} stage{'s' if count > 1 else ''}{why}")


def set_boost(event: model.SetBoost, scene: Scene) -> str:
    """A stat stage is set."""
    subject = f"{scene.names.pokemon(event.pokemon)}'s {stat_name(event.stat)}"
    return sentence(f"{subject} was set to stage {event.amount:+d}{_why(event, scene)}")


def swap_boost(event: model.SwapBoost, scene: Scene) -> str:
    """Stat stages change places."""
    stats = " and ".join(stat_name(stat) for stat in event.stats)
    one, other = scene.names.pokemon(event.pokemon), scene.names.pokemon(event.target)
    which = f"their changes of {stats}" if stats else "all their stat changes"
    return sentence(f"{one} and {other} swapped {which}")


def copy_boost(event: model.CopyBoost, scene: Scene) -> str:
    """Stat stages are copied."""
    one, other = scene.names.pokemon(event.pokemon), scene.names.pokemon(event.target)
    return sentence(f"{one} copied the stat changes of {other}")


def invert_boost(event: model.InvertBoost, scene: Scene) -> str:
    """Stat stages change sign."""
    return sentence(f"the stat changes of {scene.names.pokemon(event.pokemon)} were inverted")


def clear_boost(event: model.ClearBoost, scene: Scene) -> str:
    """Stat stages of one Pokémon end."""
    return sentence(f"the stat changes of {scene.names.pokemon(event.pokemon)} were removed")


def clear_all_boost(event: model.ClearAllBoost, scene: Scene) -> str:
    """Stat stages of both sides end."""
    return "All stat changes on both sides were removed."


def clear_positive_boost(event: model.ClearPositiveBoost, scene: Scene) -> str:
    """Raised stat stages are stolen."""
    name = scene.names.pokemon(event.pokemon)
    if event.source is None:
        return sentence(f"the raised stats of {name} went back to normal")
    return sentence(f"{scene.names.pokemon(event.source)} stole the raised stats of {name}")


def clear_negative_boost(event: model.ClearNegativeBoost, scene: Scene) -> str:
    """Lowered stat stages end (White Herb)."""
    return sentence(f"the lowered stats of {scene.names.pokemon(event.pokemon)} were restored")


def _why(
    event: model.Status | model.CureStatus | model.Boost | model.SetBoost, scene: Scene
) -> str:
    if event.cause is None:
        return ""
    name = effect_name(event.cause)
    if event.of is not None and event.of.side != event.pokemon.side:
        return f" ({scene.names.pokemon(event.of)}'s {name})"
    return f" ({name})"
