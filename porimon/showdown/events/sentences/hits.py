"""Sentences on how a move hit: effectiveness, critical hits, misses, failures and their reasons."""

from __future__ import annotations

from porimon.showdown.events import model
from porimon.showdown.events.model import Effect
from porimon.showdown.events.sentences.naming import (
    AFFLICTED,
    STATUSES,
    clean_text,
    effect_name,
    sentence,
)
from porimon.showdown.events.sentences.scene import Scene


def critical_hit(event: model.CriticalHit, scene: Scene) -> str:
    """A critical hit."""
    return sentence(f"a critical hit on {scene.names.pokemon(event.pokemon)}")


def super_effective(event: model.SuperEffective, scene: Scene) -> str:
    """More than neutral."""
    return sentence(f"it was super effective on {scene.names.pokemon(event.pokemon)}")


def resisted(event: model.Resisted, scene: Scene) -> str:
    """Less than neutral."""
    return sentence(f"it was not very effective on {scene.names.pokemon(event.pokemon)}")


def immune(event: model.Immune, scene: Scene) -> str:
    """No effect, with the ability that is behind it where told."""
    name = scene.names.pokemon(event.pokemon)
    if event.cause is not None:
        return sentence(f"it had no effect on {name}, because of its {effect_name(event.cause)}")
    if event.has_tag("ohko"):
        return sentence(f"it had no effect on {name}, whose level is too high")
    return sentence(f"it had no effect on {name}")


def miss(event: model.Miss, scene: Scene) -> str:
    """A miss."""
    if event.target is None:
        return sentence(f"{scene.names.pokemon(event.pokemon)} missed")
    missed = scene.names.pokemon(event.target)
    return sentence(f"{scene.names.pokemon(event.pokemon)} missed {missed}")


def one_hit_knock_out(event: model.OneHitKnockOut, scene: Scene) -> str:
    """A one-hit knock-out."""
    return "It was a one-hit knock-out."


def hit_count(event: model.HitCount, scene: Scene) -> str:
    """How often a move of several hits hit."""
    times = "once" if event.count == 1 else f"{event.count} times"
    return sentence(f"{scene.names.pokemon(event.pokemon)} was hit {times}")


def nothing_happened(event: model.NothingHappened, scene: Scene) -> str:
    """Splash and the like."""
    return "But nothing happened."


def no_target(event: model.NoTarget, scene: Scene) -> str:
    """Nobody to hit."""
    return "There was no target."


def fail(event: model.Fail, scene: Scene) -> str:
    """A failure, with its reason where told."""
    name = scene.names.pokemon(event.pokemon) if event.pokemon is not None else None
    effect = event.effect
    if name is None or effect is None:
        reason = _because(event, scene)
        return sentence(f"it failed{reason}")
    if effect.name in AFFLICTED and event.cause is None:
        return sentence(f"it failed: {name} is already {AFFLICTED[effect.name]}")
    if effect.id == "heal":
        return sentence(f"it failed: {name}'s HP is full or cannot be restored")
    if effect.id == "unboost":
        stat = f"'s {clean_text(event.arguments[0])}" if event.arguments else "'s stats"
        return sentence(f"{name}{stat} could not be lowered{_because(event, scene)}")
    if effect.id == "substitute":
        if event.has_tag("weak"):
            return sentence(f"{name} has too few HP left to make a Substitute")
        return sentence(f"{name} already has a Substitute")
    what = STATUSES.get(effect.name) or effect_name(effect)
    return sentence(f"{what} failed for {name}{_because(event, scene)}")


def _because(event: model.Fail, scene: Scene) -> str:
    if event.cause is None:
        return ""
    name = effect_name(event.cause)
    if event.of is not None:
        return f", because of {scene.names.owner(event.of, event.pokemon)} {name}"
    return f", because of {name}"


def block(event: model.Block, scene: Scene) -> str:
    """An effect kept off by another."""
    name = scene.names.pokemon(event.pokemon)
    by = effect_name(event.effect or Effect(None, "an effect"))
    if event.of is not None:
        by = f"{scene.names.owner(event.of, event.pokemon)} {by}"
    return sentence(f"{name} is protected by {by}")
