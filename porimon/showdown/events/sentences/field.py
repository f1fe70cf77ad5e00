"""Sentences on what lies over the field or over one side: weather, terrain, hazards, screens."""

from __future__ import annotations

from porimon.showdown.events import model
from porimon.showdown.events.sentences.naming import effect_name, sentence
from porimon.showdown.events.sentences.scene import Scene, Silence

_WEATHERS = {
    "SunnyDay": "harsh sunlight",
    "RainDance": "rain",
    "Sandstorm": "a sandstorm",
    "Hail": "hail",
    "DesolateLand": "extremely harsh sunlight",
    "PrimordialSea": "heavy rain",
    "DeltaStream": "mysterious strong winds",
}
_FIELD_ACTIVATIONS = {
    "perishsong": "All Pokémon that hear the Perish Song will faint in three turns.",
    "fairylock": "No Pokémon can leave during the next turn (Fairy Lock).",
    "iondeluge": "Normal-type moves become Electric-type this turn (Ion Deluge).",
    "teatime": "It is teatime: every Pokémon eats its Berry.",
    "deltastream": "The strong winds weakened the attack.",
}


def weather(event: model.Weather, scene: Scene) -> str | Silence:
    """Weather begins or ends; each turn's reminder is left out."""
    if event.weather is None:
        return "The weather cleared up."
    if event.upkeep:
        return Silence.GOES_ON
    name = _WEATHERS.get(event.weather, event.weather)
    return sentence(f"the weather became {name}{_made_by(event, scene)}")


def field_start(event: model.FieldStart, scene: Scene) -> str:
    """Terrain or a room begins."""
    return sentence(f"{effect_name(event.effect)} began{_made_by(event, scene)}")


def field_end(event: model.FieldEnd, scene: Scene) -> str:
    """Terrain or a room ends."""
    return sentence(f"{effect_name(event.effect)} ended")


def field_activate(event: model.FieldActivate, scene: Scene) -> str:
    """Something happens to the whole field once."""
    known = _FIELD_ACTIVATIONS.get(event.effect.id)
    return known or sentence(f"{effect_name(event.effect)} took effect on the field")


def side_start(event: model.SideStart, scene: Scene) -> str:
    """Hazards, screens and the like begin."""
    return sentence(f"{effect_name(event.effect)} began on {scene.names.side(event.side)}")


def side_end(event: model.SideEnd, scene: Scene) -> str:
    """Hazards, screens and the like end, with what removed them."""
    why = f" ({effect_name(event.cause)})" if event.cause is not None else ""
    if not why and event.of is not None:
        why = f" ({scene.names.pokemon(event.of)} absorbed it)"
    return sentence(f"{effect_name(event.effect)} ended on {scene.names.side(event.side)}{why}")


def swap_side_conditions(event: model.SwapSideConditions, scene: Scene) -> str:
    """Court Change."""
    return "What lay on the two sides changed places (Court Change)."


def _made_by(event: model.Weather | model.FieldStart, scene: Scene) -> str:
    if event.cause is not None and event.of is not None:
        return f" ({scene.names.pokemon(event.of)}'s {effect_name(event.cause)})"
    if event.cause is not None:
        return f" ({effect_name(event.cause)})"
    return ""
