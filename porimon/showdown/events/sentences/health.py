"""Sentences on HP: how much was lost or restored, what is left, and why."""

from __future__ import annotations

from porimon.showdown.events import model
from porimon.showdown.events.model import Condition
from porimon.showdown.events.sentences.naming import effect_name, sentence
from porimon.showdown.events.sentences.scene import Scene

HUNDREDTHS = 100
"""The maximum that the server writes when it shows percent instead of points."""

_DAMAGE_CAUSES = {
    "psn": "from poison",
    "tox": "from poison",
    "brn": "from its burn",
    "confusion": "by hitting itself in its confusion",
    "recoil": "from recoil",
    "sandstorm": "from the sandstorm",
    "hail": "from the hail",
    "curse": "from its curse",
    "nightmare": "from its nightmare",
    "bide": "from the energy that was unleashed (Bide)",
    "jumpkick": "by crashing after its Jump Kick failed",
    "highjumpkick": "by crashing after its High Jump Kick failed",
    "mindblown": "as the price of Mind Blown",
    "steelbeam": "as the price of Steel Beam",
    "pokemonmimikyubusted": "when its Disguise broke",
    "solarpower": "from Solar Power in the sun",
}
_HEAL_CAUSES = {
    "drain": "by draining",
    "grassyterrain": "from the Grassy Terrain",
    "healingwish": "from the Healing Wish made for it",
    "lunardance": "from the Lunar Dance made for it",
}


def percent(fraction: float) -> str:
    """A fraction in whole percent; what is more than nothing is never "0%"."""
    rounded = round(fraction * 100)
    if rounded == 0 and fraction > 0:
        return "less than 1%"
    if rounded == 100 and fraction < 1:
        return "more than 99%"
    return f"{rounded}%"


def left_text(condition: Condition, *, own: bool) -> str:
    """What is left: ``54%``, for one's own Pokémon with the points."""
    text = percent(condition.fraction)
    if own and condition.max_hp is not None and condition.max_hp != HUNDREDTHS:
        text += f" ({condition.hp}/{condition.max_hp})"
    return text


def damage(event: model.Damage, scene: Scene) -> str:
    """HP lost."""
    return _change(event, scene, "lost", _cause_text(event, scene, _DAMAGE_CAUSES))


def heal(event: model.Heal, scene: Scene) -> str:
    """HP restored."""
    if event.cause is not None and event.cause.id == "wish":
        return _change(event, scene, "regained", " from the Wish")
    return _change(event, scene, "regained", _cause_text(event, scene, _HEAL_CAUSES))


def set_hp(event: model.SetHp, scene: Scene) -> str:
    """HP set to a value."""
    before = scene.active(event.pokemon)
    gained = before is not None and event.condition.fraction > before.condition.fraction
    verb = "regained" if gained else "lost"
    return _change(event, scene, verb, _cause_text(event, scene, {}))


def _change(
    event: model.Damage | model.Heal | model.SetHp, scene: Scene, verb: str, cause: str
) -> str:
    own = scene.names.own(event.pokemon.side)
    name = scene.names.pokemon(event.pokemon)
    left = left_text(event.condition, own=own)
    active = scene.active(event.pokemon)
    if active is None:
        return sentence(f"{name} has {left} of its HP now{cause}")
    before = active.condition
    amount = abs(event.condition.fraction - before.fraction)
    if event.condition.hp == before.hp and (own or before.fraction == 1):
        # A foe's "100%" is exact: the server writes 99 for anything less.
        return sentence(f"{name} keeps {left} of its HP{cause}")
    # Hundredths hide a change of a few points.
    shown = percent(amount) if amount else "less than 1%"
    if own and before.max_hp not in (None, HUNDREDTHS):
        points = abs(event.condition.hp - before.hp)
        shown += f" ({points} point{'s' if points != 1 else ''})"
    rest = "none" if event.condition.fainted else left
    return sentence(f"{name} {verb} {shown} of its HP{cause}; {rest} left")


def _cause_text(
    event: model.Damage | model.Heal | model.SetHp, scene: Scene, known: dict[str, str]
) -> str:
    cause = event.cause
    if cause is None:
        return ""
    phrase = known.get(cause.id)
    if phrase is not None:
        return f" {phrase}"
    name = effect_name(cause)
    # With a heal, "[of]" names the attacker: what heals is the Pokémon's own.
    if (
        event.of is not None
        and event.of.side != event.pokemon.side
        and not isinstance(event, model.Heal)
    ):
        return f" from {scene.names.pokemon(event.of)}'s {name}"
    return f" from its {name}" if cause.kind in ("item", "ability") else f" from {name}"
