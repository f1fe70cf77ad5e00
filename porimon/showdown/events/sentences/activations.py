"""Sentences on effects that show themselves once (``-activate``)."""

from __future__ import annotations

from porimon.showdown.events import model
from porimon.showdown.events.sentences.naming import clean_text, effect_name, sentence
from porimon.showdown.events.sentences.scene import Scene, Silence
from porimon.showdown.events.sentences.volatiles import fill

# {pokemon} is whom it concerns, {detail} the move, item or number told with it, {of} the other one.
ACTIVATIONS = {
    "confusion": "{pokemon} is confused",
    "attract": "{pokemon} is in love with {of}",
    "trapped": "{pokemon} can no longer leave",
    "protect": "{pokemon} protected itself",
    "substitute": "{pokemon}'s Substitute took the hit",
    "destinybond": "{pokemon} takes its attacker down with it (Destiny Bond)",
    "endure": "{pokemon} endured the hit",
    "focusband": "{pokemon} hung on with its Focus Band",
    "disguise": "{pokemon}'s Disguise took the hit",
    "iceface": "{pokemon}'s Ice Face took the hit",
    "poltergeist": "{pokemon} is attacked with the item it holds: {detail}",
    "stickyweb": "{pokemon} was caught in the Sticky Web",
    "healbell": "{pokemon}'s bell cures its whole team (Heal Bell)",
    "aromatherapy": "{pokemon}'s soothing aroma cures its whole team (Aromatherapy)",
    "emergencyexit": "{pokemon} withdraws because of its Emergency Exit",
    "wimpout": "{pokemon} withdraws because of its Wimp Out",
    "forewarn": "{pokemon}'s Forewarn shows that {of} knows {detail}",
    "quickdraw": "{pokemon} moves first because of its Quick Draw",
    "quickclaw": "{pokemon} moves first because of its Quick Claw",
    "custapberry": "{pokemon} moves first because of its Custap Berry, which is used up",
    "leppaberry": "{pokemon} restored PP of {detail} with its Leppa Berry, which is used up",
    "magnitude": "it is Magnitude {detail}",
    "celebrate": "{pokemon} celebrates",
    "mist": "{pokemon}'s stats can't be lowered (Mist)",
    "safeguard": "{pokemon} is protected by Safeguard",
    "mistyterrain": "{pokemon} is protected by the Misty Terrain",
    "electricterrain": "{pokemon} is protected by the Electric Terrain",
    "psychicterrain": "{pokemon} is protected from priority moves by the Psychic Terrain",
    "craftyshield": "{pokemon} is protected by Crafty Shield",
    "wideguard": "{pokemon} is protected by Wide Guard",
    "quickguard": "{pokemon} is protected by Quick Guard",
    "matblock": "{pokemon} is protected by Mat Block from {detail}",
    "bide": "{pokemon} is storing energy (Bide)",
    "struggle": "{pokemon} has no usable move left",
    "snatch": "{pokemon} snatched the move of {of}",
    "sketch": "{pokemon} sketched {detail}",
    "grudge": "{pokemon}'s {detail} lost all its PP (Grudge)",
    "lockon": "{pokemon} took aim at {of}: its next move will hit (Lock-On)",
    "mindreader": "{pokemon} took aim at {of}: its next move will hit (Mind Reader)",
    "guardsplit": "{pokemon} and {of} now share the mean of their defenses (Guard Split)",
    "powersplit": "{pokemon} and {of} now share the mean of their attacks (Power Split)",
    "speedswap": "{pokemon} and {of} swapped their Speed",
    "trick": "{pokemon} and {of} swapped their items",
    "pursuit": "{pokemon} is being withdrawn when Pursuit strikes",
    "gravity": "{pokemon} can't stay in the air (Gravity)",
    "synchronize": "{pokemon}'s Synchronize gives its status back",
    "synchronise": "{pokemon}'s Synchronize gives its status back",
    "stickyhold": "{pokemon}'s Sticky Hold keeps its item",
    "suctioncups": "{pokemon}'s Suction Cups keep it in the battle",
    "safetygoggles": "{pokemon} is protected from {detail} by its Safety Goggles",
    "protectivepads": "{pokemon} is protected from contact effects by its Protective Pads",
    "powder": "the powder around {pokemon} exploded",
}
_ACTS_BY_ITSELF = "{pokemon}'s {effect} took effect"


def activate(event: model.Activate, scene: Scene) -> str | Silence:
    """An effect shows itself."""
    effect = event.effect
    detail = event.arguments[0] if event.arguments else ""
    if effect.id == "courtchange":
        return Silence.TOLD_NEARBY
    if event.has_tag("broken"):
        return _with_effect("{effect} broke through the protection of {pokemon}", event, scene)
    if effect.id in ("spite", "eeriespell") and len(event.arguments) > 1:
        lost = clean_text(event.arguments[1])
        return fill(f"{{pokemon}}'s {{detail}} lost {_safe(lost)} PP", event, scene, detail)
    if effect.id == "skillswap":
        return _skill_swap(event, scene)
    if effect.kind == "ability" and event.has_tag("ability"):
        return _changed_ability(event, scene)
    template = ACTIVATIONS.get(effect.id)
    if template is not None:
        if "{detail}" in template and not detail:
            return _with_effect(_ACTS_BY_ITSELF, event, scene)
        return fill(template, event, scene, detail)
    if effect.kind == "move" and event.of is not None:
        return _with_effect("{pokemon} was trapped by {effect} of {of}", event, scene)
    return _with_effect(_ACTS_BY_ITSELF, event, scene)


def _with_effect(template: str, event: model.Activate, scene: Scene) -> str:
    name = _safe(effect_name(event.effect))
    if event.pokemon is None:
        return sentence(f"{clean_text(effect_name(event.effect))} took effect")
    return fill(template.replace("{effect}", name), event, scene)


def _skill_swap(event: model.Activate, scene: Scene) -> str:
    if event.pokemon is None or event.of is None:
        return "Two Pokémon swapped their abilities."
    one, other = scene.names.pokemon(event.pokemon), scene.names.pokemon(event.of)
    text = f"{one} and {other} swapped their abilities"
    if len(event.arguments) > 1 and all(event.arguments[:2]):
        gained, given = map(clean_text, event.arguments[:2])
        text += f": {one} has {gained} now, {other} has {given}"
    return sentence(text)


def _changed_ability(event: model.Activate, scene: Scene) -> str:
    """Mummy and its kind: the ability of whoever touched the Pokémon is replaced."""
    former = clean_text(event.tag("ability") or "")
    name = effect_name(event.effect)
    owner = scene.names.pokemon(event.pokemon) if event.pokemon is not None else "a Pokémon"
    changed = clean_text(event.arguments[0]) if event.arguments else ""
    touched = next(
        (scene.names.pokemon(a.ident) for a in scene.actives.values() if _is(a.ident, changed)),
        "the attacker",
    )
    return sentence(f"{owner}'s {name} replaced the ability {former} of {touched}")


def _is(ident: model.PokemonIdent, written: str) -> bool:
    return written == f"{ident.side}{ident.position or ''}: {ident.name}"


def _safe(text: str) -> str:
    return clean_text(text).replace("{", "{{").replace("}", "}}")
