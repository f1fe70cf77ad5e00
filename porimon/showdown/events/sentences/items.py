"""Sentences on items and abilities: revealed, used, taken, changed."""

from __future__ import annotations

from porimon.showdown.events import model
from porimon.showdown.events.sentences.naming import clean_text, effect_name, sentence
from porimon.showdown.events.sentences.scene import Scene, Silence

_STOLEN_BY = frozenset({"thief", "covet", "magician", "pickpocket"})
_SWAPPED_BY = frozenset({"trick", "switcheroo"})

_USED_UP = {
    "focussash": "{name} hung on with its Focus Sash, which is used up",
    "airballoon": "{name}'s Air Balloon popped",
    "ejectbutton": "{name} is switched out by its Eject Button, which is used up",
    "ejectpack": "{name} is switched out by its Eject Pack, which is used up",
    "powerherb": "{name} charged at once with its Power Herb, which is used up",
    "whiteherb": "{name} restored its lowered stats with its White Herb, which is used up",
}


def item(event: model.Item, scene: Scene) -> str:
    """An item is seen, or comes into other hands."""
    name, held = scene.names.pokemon(event.pokemon), clean_text(event.item)
    of = scene.names.pokemon(event.of) if event.of is not None else "its foe"
    cause = event.cause
    if cause is None:
        return sentence(f"{name} holds {held}")
    if cause.id == "frisk":
        return sentence(f"{of}'s Frisk found that {name} holds {held}")
    if cause.id in _STOLEN_BY:
        return sentence(f"{name} took {held} from {of} ({effect_name(cause)})")
    if cause.id == "bestow":
        return sentence(f"{name} was given {held} by {of} (Bestow)")
    return sentence(f"{name} got {held} ({effect_name(cause)})")


def item_end(event: model.ItemEnd, scene: Scene) -> str | Silence:
    """An item is gone, with how."""
    name, held = scene.names.pokemon(event.pokemon), clean_text(event.item)
    of = scene.names.pokemon(event.of) if event.of is not None else "its foe"
    cause = event.cause
    if cause is not None and cause.id in _STOLEN_BY | _SWAPPED_BY:
        return Silence.TOLD_NEARBY
    if event.silent:
        return Silence.MARKED
    if event.has_tag("weaken"):
        return sentence(f"{name}'s {held} weakened the hit")
    if event.has_tag("eat"):
        return sentence(f"{name} ate its {held}")
    if cause is None:
        if event.item_id == "redcard" and event.of is not None:
            return sentence(f"{name} held up its Red Card against {of}; the card is used up")
        known = _USED_UP.get(event.item_id)
        return sentence(known.format(name=name) if known else f"{name} used up its {held}")
    return sentence(_taken(cause.id, name, held, of, effect_name(cause)))


def _taken(cause: str, name: str, held: str, of: str, cause_name: str) -> str:
    match cause:
        case "knockoff":
            return f"{of} knocked off the {held} of {name}"
        case "stealeat":
            return f"{of} stole and ate the {held} of {name}"
        case "incinerate":
            return f"the {held} of {name} was burned up (Incinerate)"
        case "corrosivegas":
            return f"the {held} of {name} was melted (Corrosive Gas)"
        case "fling":
            return f"{name} flung its {held}"
        case "gem":
            return f"{name}'s {held} strengthened its move and is used up"
        case _:
            return f"{name} lost its {held} ({cause_name})"


def ability(event: model.Ability, scene: Scene) -> str:
    """An ability is seen at work, or changed."""
    name, shown = scene.names.pokemon(event.pokemon), clean_text(event.ability)
    cause = event.cause
    if event.has_tag("fail"):
        why = f" because of {effect_name(cause)}" if cause is not None else ""
        return sentence(f"{name}'s {shown} could not take effect{why}")
    if cause is None:
        if event.former == "boost":
            return sentence(f"{name}'s ability {shown} took effect")
        if event.ability_id == "sturdy":
            return sentence(f"{name} hung on with its ability Sturdy")
        return sentence(f"{name} has the ability {shown}")
    of = f" of {scene.names.pokemon(event.of)}" if event.of is not None else ""
    if cause.id == "trace":
        return sentence(f"{name} traced the ability{of}: it has {shown} now")
    former = clean_text(event.former or "")
    was = f", it was {former}" if former else ""
    return sentence(f"{name}'s ability became {shown} ({effect_name(cause)}{of}){was}")


def ability_end(event: model.AbilityEnd, scene: Scene) -> str:
    """An ability is suppressed."""
    name = scene.names.pokemon(event.pokemon)
    which = f" {clean_text(event.ability)}" if event.ability else ""
    return sentence(f"{name}'s ability{which} is suppressed")
