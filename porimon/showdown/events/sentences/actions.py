"""Sentences on the major actions: moves, switches, faints, changes of forme."""

from __future__ import annotations

from porimon.showdown.events import model
from porimon.showdown.events.sentences.health import left_text
from porimon.showdown.events.sentences.naming import (
    AFFLICTED,
    clean_text,
    effect_name,
    sentence,
)
from porimon.showdown.events.sentences.scene import Scene, Silence

# Why a Pokémon could not move, by the reason's id.
_REASONS = {
    "par": "it is fully paralyzed",
    "frz": "it is frozen",
    "flinch": "it flinched",
    "recharge": "it must recharge",
    "attract": "it is infatuated",
    "truant": "it is loafing around (Truant)",
    "focuspunch": "it lost its focus when it was hit (Focus Punch)",
    "shelltrap": "its Shell Trap was not set off",
    "nopp": "the move has no PP left",
}
_LOCKED = "lockedmove"


def move(event: model.Move, scene: Scene) -> str:
    """A move used, and what made it be used if it was not chosen this turn."""
    name = scene.names.pokemon(event.pokemon)
    text = f"{name} used {clean_text(event.move)}"
    cause = event.cause
    if cause is not None and cause.id == _LOCKED:
        text += " (it goes on with the move it began)"
    elif cause is not None and cause.id == "pursuit":
        text += " on the Pokémon that withdraws"
    elif cause is not None and cause.kind == "move":
        text += f", called by {effect_name(cause)}"
    elif cause is not None:
        text += f" through its {effect_name(cause)}"
    if event.no_target:
        text += ", but there was nobody to hit"
    return sentence(text)


def switch(event: model.Switch, scene: Scene) -> str:
    """A Pokémon comes in, by choice or dragged out by the other side."""
    own = scene.names.own(event.pokemon.side)
    details = event.details
    name = scene.names.pokemon(event.pokemon)
    species = clean_text(details.species)
    who = name if event.pokemon.name == details.species else f"{name} ({species})"
    left = left_text(event.condition, own=own)
    status = event.condition.status
    afflicted = f", {AFFLICTED.get(status, clean_text(status))}" if status else ""
    cause = f" ({effect_name(event.cause)})" if event.cause is not None else ""
    chosen = "came in" if own else "was sent in"
    verb = "was dragged out" if event.dragged else chosen
    return sentence(f"{who} {verb}{cause}, with {left} of its HP{afflicted}")


def illusion_ended(event: model.IllusionEnded, scene: Scene) -> str:
    """The active Pokémon turns out to be another one."""
    shown = scene.active(event.pokemon)
    before = scene.names.pokemon(shown.ident) if shown else "the Pokémon"
    real = scene.names.pokemon(event.pokemon)
    return sentence(f"{before}'s Illusion ended: it has been {real} all the time since it came in")


def details_change(event: model.DetailsChange, scene: Scene) -> str | Silence:
    """A forme that stays."""
    if event.silent:
        return Silence.MARKED
    name = scene.names.pokemon(event.pokemon)
    return sentence(f"{name} changed into {clean_text(event.details.species)}")


def forme_change(event: model.FormeChange, scene: Scene) -> str:
    """A forme until it leaves."""
    name = scene.names.pokemon(event.pokemon)
    cause = f" ({effect_name(event.cause)})" if event.cause is not None else ""
    return sentence(f"{name} changed into {clean_text(event.species)}{cause}")


def transform(event: model.Transform, scene: Scene) -> str:
    """A copy of the other Pokémon: its stats but HP, its types, ability and moves."""
    name, copied = scene.names.pokemon(event.pokemon), scene.names.pokemon(event.target)
    cause = f" ({effect_name(event.cause)})" if event.cause is not None else ""
    return sentence(f"{name} transformed into a copy of {copied}{cause}")


def cant(event: model.Cant, scene: Scene) -> str:
    """Why a Pokémon could not move."""
    name = scene.names.pokemon(event.pokemon)
    what = f"use {clean_text(event.move)}" if event.move else "move"
    if event.reason.id == "slp":
        # Not "could not move": a Sleep Talk may follow.
        return sentence(f"{name} is fast asleep")
    reason = _REASONS.get(event.reason.id)
    if reason is None:
        owner = f"{scene.names.owner(event.of, event.pokemon)} " if event.of is not None else ""
        reason = f"{owner}{effect_name(event.reason)} prevents it"
    return sentence(f"{name} could not {what}: {reason}")


def faint(event: model.Faint, scene: Scene) -> str:
    """A Pokémon is out."""
    return sentence(f"{scene.names.pokemon(event.pokemon)} fainted")


def prepare(event: model.Prepare, scene: Scene) -> str:
    """The first turn of a move of two turns."""
    name = scene.names.pokemon(event.pokemon)
    return sentence(f"{name} prepares {clean_text(event.move)}")


def must_recharge(event: model.MustRecharge, scene: Scene) -> str:
    """The next turn is lost."""
    return sentence(f"{scene.names.pokemon(event.pokemon)} must recharge next turn")
