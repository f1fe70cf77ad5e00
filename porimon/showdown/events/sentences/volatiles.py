"""Sentences on effects bound to one Pokémon: their beginning and end, and those of one turn."""

from __future__ import annotations

from porimon.showdown.events import model
from porimon.showdown.events.sentences.naming import clean_text, effect_name, sentence
from porimon.showdown.events.sentences.scene import Scene, Silence

# {pokemon} is whom it concerns, {detail} the move or type told with it, {of} the other Pokémon.
STARTS = {
    "confusion": "{pokemon} became confused",
    "substitute": "{pokemon} made a Substitute from a quarter of its HP",
    "leechseed": "{pokemon} was seeded by Leech Seed",
    "taunt": "{pokemon} was taunted: it can't use status moves",
    "encore": "{pokemon} must repeat its last move (Encore)",
    "disable": "{pokemon}'s {detail} was disabled",
    "torment": "{pokemon} can't use the same move twice in a row (Torment)",
    "attract": "{pokemon} fell in love with its foe",
    "yawn": "{pokemon} grew drowsy: it will fall asleep at the end of the next turn (Yawn)",
    "curse": "{pokemon} was cursed: it will lose a quarter of its HP each turn",
    "nightmare": "{pokemon} began having a nightmare",
    "perish0": "{pokemon}'s perish count fell to 0",
    "perish1": "{pokemon}'s perish count fell to 1: it faints next turn unless it leaves",
    "perish2": "{pokemon}'s perish count fell to 2",
    "perish3": "{pokemon}'s perish count is 3",
    "futuresight": "{pokemon} foresaw an attack: it lands in two turns (Future Sight)",
    "doomdesire": "{pokemon} chose Doom Desire as its destiny: it lands in two turns",
    "focusenergy": "{pokemon} is getting pumped: critical hits are likelier",
    "laserfocus": "{pokemon} concentrates: its next move will be a critical hit (Laser Focus)",
    "throatchop": "{pokemon} can't use sound moves for two turns (Throat Chop)",
    "magnetrise": "{pokemon} levitates on electromagnetism: Ground moves miss it",
    "telekinesis": "{pokemon} was lifted into the air: moves can't miss it (Telekinesis)",
    "smackdown": "{pokemon} was knocked to the ground: Ground moves hit it",
    "ingrain": "{pokemon} planted its roots: it heals each turn and can't leave",
    "aquaring": "{pokemon} surrounded itself with a veil of water: it heals each turn",
    "slowstart": "{pokemon} can't get going: Attack and Speed are halved for five turns",
    "flashfire": "{pokemon}'s Fire moves are stronger now (Flash Fire)",
    "charge": "{pokemon} is charged: its next Electric move is stronger",
    "healblock": "{pokemon} can't heal (Heal Block)",
    "embargo": "{pokemon} can't use its item (Embargo)",
    "imprison": "{pokemon} sealed the moves that it knows: its foe can't use them (Imprison)",
    "foresight": "{pokemon} was identified: Normal and Fighting moves can hit it as a Ghost",
    "miracleeye": "{pokemon} was identified: Psychic moves can hit it as a Dark type",
    "powertrick": "{pokemon} swapped its Attack and Defense (Power Trick)",
    "autotomize": "{pokemon} became lighter (Autotomize)",
    "mimic": "{pokemon} learned {detail} by Mimic",
    "uproar": "{pokemon} causes an uproar: nobody can sleep",
    "bide": "{pokemon} is storing energy (Bide)",
    "tarshot": "{pokemon} became weaker to fire (Tar Shot)",
    "octolock": "{pokemon} can't leave, and its defenses fall each turn (Octolock)",
    "noretreat": "{pokemon} can no longer leave (No Retreat)",
    "stockpile1": "{pokemon} stockpiled once",
    "stockpile2": "{pokemon} stockpiled twice",
    "stockpile3": "{pokemon} stockpiled three times, which is the most",
}  # fmt: skip
SPOKEN_THOUGH_SILENT = frozenset({"throatchop", "laserfocus"})
ENDS = {
    "confusion": "{pokemon} snapped out of its confusion",
    "substitute": "{pokemon}'s Substitute broke",
    "leechseed": "{pokemon} was freed from Leech Seed",
    "taunt": "{pokemon} is no longer taunted",
    "encore": "{pokemon} may choose its moves again (Encore ended)",
    "disable": "{pokemon}'s disabled move can be used again",
    "torment": "{pokemon} is no longer tormented",
    "attract": "{pokemon} got over its infatuation",
    "futuresight": "{pokemon} took the Future Sight attack",
    "doomdesire": "{pokemon} took the Doom Desire attack",
    "slowstart": "{pokemon} got going: Attack and Speed are normal again (Slow Start ended)",
    "neutralizinggas": "the Neutralizing Gas wore off: abilities work again",
    "magnetrise": "{pokemon} no longer levitates",
    "telekinesis": "{pokemon} was freed from Telekinesis",
    "bide": "{pokemon} unleashed its energy (Bide)",
    "stockpile": "{pokemon}'s stockpile wore off",
    "uproar": "{pokemon}'s uproar ended",
    "skydrop": "{pokemon} was let go (Sky Drop)",
}
SINGLE_TURNS = {
    "protect": "{pokemon} protects itself this turn",
    "endure": "{pokemon} braced itself: it will survive this turn with at least 1 HP",
    "roost": "{pokemon} landed: it is not Flying-type for the rest of the turn (Roost)",
    "focuspunch": "{pokemon} is tightening its focus (Focus Punch)",
    "beakblast": "{pokemon} heats up its beak: contact burns (Beak Blast)",
    "shelltrap": "{pokemon} set a Shell Trap",
    "magiccoat": "{pokemon} reflects status moves this turn (Magic Coat)",
    "snatch": "{pokemon} waits to snatch a move (Snatch)",
    "electrify": "{pokemon}'s moves are Electric-type this turn (Electrify)",
    "powder": "{pokemon} is covered in powder: a Fire move would explode",
    "helpinghand": "{of} is ready to help {pokemon}",
    "instruct": "{pokemon} follows the instructions of {of}",
}
SINGLE_MOVES = {
    "destinybond": "{pokemon} will take its attacker down with it until its next move "
    "(Destiny Bond)",
    "grudge": "{pokemon} bears a grudge: a move that knocks it out loses all its PP",
    "rage": "{pokemon} is filling with rage: its Attack rises when it is hit",
}
_TRAPPED = "partiallytrapped"


def fill(
    template: str,
    event: model.VolatileStart
    | model.VolatileEnd
    | model.Activate
    | model.SingleMove
    | model.SingleTurn,
    scene: Scene,
    detail: str = "",
) -> str:
    """A template's sentence: whom it concerns, what was told with it, and the other Pokémon."""
    pokemon = scene.names.pokemon(event.pokemon) if event.pokemon is not None else "a Pokémon"
    of = scene.names.pokemon(event.of) if event.of is not None else "its foe"
    return sentence(template.format(pokemon=pokemon, of=of, detail=clean_text(detail)))


def start(event: model.VolatileStart, scene: Scene) -> str | Silence:
    """An effect begins."""
    effect = event.effect.id
    if event.silent and effect not in SPOKEN_THOUGH_SILENT:
        return Silence.TOLD_NEARBY if effect == "perish3" else Silence.MARKED
    if effect in ("typechange", "typeadd"):
        return _types(event, scene)
    if event.has_tag("upkeep"):
        return Silence.GOES_ON
    detail = event.arguments[0] if event.arguments else "move"
    template = STARTS.get(effect)
    if template is None:
        template = "{pokemon} is under the effect of " + _literal(effect_name(event.effect))
    if event.has_tag("fatigue"):
        template += " from fatigue"
    if event.cause is not None:
        owner = "{of}'s " if event.of is not None else ""
        template += f" ({owner}{_literal(effect_name(event.cause))})"
    return fill(template, event, scene, detail)


def _types(event: model.VolatileStart, scene: Scene) -> str:
    name = scene.names.pokemon(event.pokemon)
    why = f" ({effect_name(event.cause)})" if event.cause is not None else ""
    if not event.arguments:
        model_of = scene.names.pokemon(event.of) if event.of is not None else "its foe"
        return sentence(f"{name} took the types of {model_of}{why}")
    types = clean_text(event.arguments[0])
    if event.effect.id == "typeadd":
        return sentence(f"the type {types} was added to {name}{why}")
    return sentence(f"{name} is {types}-type now{why}")


def end(event: model.VolatileEnd, scene: Scene) -> str | Silence:
    """An effect ends."""
    effect = event.effect.id
    if effect == "illusion":
        return Silence.TOLD_NEARBY
    if event.silent:
        return Silence.MARKED
    if event.has_tag(_TRAPPED):
        return fill("{pokemon} was freed from " + _literal(effect_name(event.effect)), event, scene)
    template = ENDS.get(effect)
    if template is None:
        template = _literal(effect_name(event.effect)) + " ended for {pokemon}"
    if event.cause is not None:
        template += f" ({_literal(effect_name(event.cause))})"
    return fill(template, event, scene)


def single_turn(event: model.SingleTurn, scene: Scene) -> str:
    """An effect of this turn."""
    template = SINGLE_TURNS.get(event.effect.id)
    if template is None:
        template = "{pokemon} is under the effect of " + _literal(effect_name(event.effect))
        template += " this turn"
    return fill(template, event, scene)


def single_move(event: model.SingleMove, scene: Scene) -> str | Silence:
    """An effect until the Pokémon's next move."""
    if event.silent:
        return Silence.MARKED
    template = SINGLE_MOVES.get(event.effect.id)
    if template is None:
        template = "{pokemon} is under the effect of " + _literal(effect_name(event.effect))
        template += " until its next move"
    return fill(template, event, scene)


def _literal(text: str) -> str:
    """Text of the log made safe to stand in a template."""
    return clean_text(text).replace("{", "{{").replace("}", "}}")
