"""Figures and ids as short phrases: the filters that prompt templates use.

Pure functions from data to text. Each one is a filter of the same name in every template.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal

import jinja2

from porimon.showdown.facts.model import Attack, Damage, Described, Facts, MoveFacts, StatRange
from porimon.showdown.view.model import PokemonView, Timed

STATUS_NAMES = {
    "brn": "burned",
    "frz": "frozen",
    "par": "paralyzed",
    "psn": "poisoned",
    "slp": "asleep",
    "tox": "badly poisoned",
}
"""The words for Showdown's status ids."""

STAT_NAMES = {
    "hp": "HP",
    "atk": "Atk",
    "def": "Def",
    "spa": "SpA",
    "spd": "SpD",
    "spe": "Spe",
    "accuracy": "accuracy",
    "evasion": "evasion",
}
"""The game's short names of stats."""

NICKNAME_LENGTH = 18
"""Longest nickname that the game allows; what is longer is cut."""
REFUSED_ANSWER_LENGTH = 300
"""How much of a refused answer is quoted back to the model."""


class Strict(jinja2.StrictUndefined):
    """What a template refers to but is not there: an error, except for an ``if`` without ``else``.

    ``"item" if known`` is how a template leaves a part of a line out; a misspelt name is a fault.
    """

    @property
    def left_out(self) -> bool:
        """Whether this is the other branch of an ``if`` without ``else``."""
        return self._undefined_name is None and self._undefined_obj is jinja2.utils.missing


def status_moves(moves: Iterable[MoveFacts]) -> str:
    """Status moves with their effects on one line, empty if there is none."""
    return "; ".join(f"{move.name} ({move.effect})" for move in moves if move.category == "status")


def line(parts: Iterable[str | Strict | None]) -> str:
    """The parts that are there, joined by " | ": one fact per line."""
    kept = [part for part in parts if not (isinstance(part, Strict) and part.left_out)]
    return " | ".join(str(part) for part in kept if part)


def inline(text: str) -> str:
    """A line of parts as one part of another line."""
    return text.replace(" | ", " ")


def named(identifiers: Iterable[str], facts: Facts) -> str:
    """Showdown ids as names, parted by commas."""
    return ", ".join(facts.name(identifier) for identifier in identifiers)


def who_is_faster(faster: Literal["own", "foe"] | None) -> str:
    """Who moves first at equal priority."""
    words = {"own": "you move first", "foe": "opponent moves first"}
    return words[faster] if faster is not None else "who moves first is open"


def type_chart(defences: Iterable[tuple[str, float]], only: Collection[str] | None = None) -> str:
    """Multipliers of attacking types, greatest first: ``×4 Ice; ×2 Dragon, Fairy; ×0 Electric``.

    ``only`` restricts them to some types and then shows ×1 too; without it, types that are not
    named do normal damage.
    """
    known = dict(defences)
    if only is not None:
        known = {attacking: known.get(attacking, 1.0) for attacking in sorted(only)}
    groups: dict[float, list[str]] = {}
    for attacking, factor in known.items():
        groups.setdefault(factor, []).append(attacking)
    parts = [f"×{factor:g} {', '.join(groups[factor])}" for factor in sorted(groups, reverse=True)]
    return "; ".join(parts) if parts else "all ×1"


def weaknesses(defences: Iterable[tuple[str, float]]) -> str:
    """The part of a type chart above ×1: ``×4 Ice; ×2 Dragon, Fairy``, or ``nothing``."""
    weak = [(attacking, factor) for attacking, factor in defences if factor > 1]
    return type_chart(weak) if weak else "nothing"


def shown_threats(threats: Iterable[Attack], most_likely: int = 5) -> tuple[Attack, ...]:
    """The foe's attacks worth a line: all known ones, and the likely ones that do damage.

    At most ``most_likely`` of the latter, none below 10 %.
    """
    threats = tuple(threats)
    known = tuple(threat for threat in threats if threat.move.probability is None)
    guessed = [
        threat
        for threat in threats
        if threat.move.probability is not None
        and threat.move.probability >= 0.1
        and threat.move.category != "status"
    ]
    return known + tuple(guessed[:most_likely])


def attack_list(attacks: Iterable[Attack], extended: bool) -> str:
    """Damaging attacks on one line: name, type and strength; ``none`` if there is none."""
    shown = [
        f"{attack.move.name} {attack.move.type} "
        + (inline(attack_strength(attack, True)) if extended else multiplier(attack.multiplier))
        for attack in attacks
        if attack.move.category != "status"
    ]
    return "; ".join(shown) or "none"


def percent(fraction: float) -> str:
    """A fraction as a whole percentage; what is above 0 never shows as 0 %, below 1 never as 100 %.

    >>> percent(0.004), percent(0.5), percent(0.999)
    ('1%', '50%', '99%')
    """
    whole = round(fraction * 100)
    if fraction > 0:
        whole = max(whole, 1)
    if fraction < 1:
        whole = min(whole, 99)
    return f"{whole}%"


def chance(probability: float | None) -> str:
    """A probability as a percentage, nothing where the thing is known."""
    return "" if probability is None else percent(probability)


def multiplier(value: float | None) -> str:
    """A type multiplier, e.g. ``×0.5``; nothing where there is none (status moves)."""
    return "" if value is None else f"×{value:g}"


def damage(value: Damage | None) -> str:
    """A damage range with what it takes to make the target faint; nothing where unknown.

    >>> damage(Damage(40.2, 48.0, 1.0, 3))
    'damage 40-48%, faints in 3 hits'
    """
    if value is None:
        return ""
    if value.high <= 0:
        return "damage 0%"
    low, high = int(value.low), max(int(value.high), 1)
    text = f"damage {low}-{high}%" if low != high else f"damage {high}%"
    if value.ko_hits is None or value.ko_chance is None:
        return text
    hits = "in 1 hit" if value.ko_hits == 1 else f"in {value.ko_hits} hits"
    sure = "" if value.ko_chance >= 1 else f" ({percent(value.ko_chance)})"
    return f"{text}, faints {hits}{sure}"


def attack_strength(attack: Attack, extended: bool) -> str:
    """How strong an attack is against its target, as far as the player's knowledge goes.

    With extended knowledge the damage range; without, or where there is none, the power: scaled by
    attack and defence if that is known, else as the game lists it.
    """
    if attack.move.category == "status":
        return "status move"
    if extended and attack.damage is not None:
        return line([multiplier(attack.multiplier), damage(attack.damage)])
    # Without the extension, power is scaled for moves that are known only (as PokéLLMon does).
    guessed = attack.move.probability is not None
    if attack.scaled_power is not None and (extended or not guessed):
        return line([multiplier(attack.multiplier), f"scaled power {attack.scaled_power}"])
    power = "power varies" if attack.move.base_power is None else f"power {attack.move.base_power}"
    return line([multiplier(attack.multiplier), power])


def move_line(move: MoveFacts) -> str:
    """Type, category, power, accuracy and priority of a move.

    ``Fire, special, power 110, accuracy 85%``; what does not apply is left out, as is an accuracy
    of 100 %.
    """
    parts = [move.type, move.category]
    if move.category != "status":
        parts.append("power varies" if move.base_power is None else f"power {move.base_power}")
    if move.accuracy is not None and move.accuracy < 1:
        parts.append(f"accuracy {percent(move.accuracy)}")
    if move.priority:
        parts.append(f"priority {move.priority:+d}")
    return ", ".join(parts)


def described(thing: Described | None) -> str:
    """An ability or item with its effect, ``unknown`` where there is none to name."""
    if thing is None:
        return "unknown"
    name = line([f"{thing.name} {chance(thing.probability)}".strip()])
    return f"{name} ({thing.effect.rstrip('.')})" if thing.effect else name


def likely(things: Iterable[Described | MoveFacts], least: float = 0.05, most: int = 6) -> str:
    """Names with their chances, most likely first: ``Leftovers 60%, Choice Band 40%``."""
    shown = [thing for thing in things if (thing.probability or 0) >= least][:most]
    return ", ".join(f"{thing.name} {chance(thing.probability)}" for thing in shown)


def stats(values: Mapping[str, StatRange | int]) -> str:
    """Stats in the game's order; a range where only bounds are known: ``Atk 210, Spe 150-190``."""
    return ", ".join(
        f"{STAT_NAMES[name]} {_stat(values[name])}" for name in STAT_NAMES if name in values
    )


def _stat(value: StatRange | int) -> str:
    if isinstance(value, int):
        return str(value)
    return str(value.low) if value.exact else f"{value.low}-{value.high}"


def boosts(pokemon: PokemonView) -> str:
    """Boosts that are not 0, e.g. ``Atk +2, Spe -1``."""
    return ", ".join(f"{STAT_NAMES[stat]} {stage:+d}" for stat, stage in pokemon.boosts if stage)


def status(pokemon: PokemonView) -> str:
    """The status in words, with turns asleep or the toxic counter where counted."""
    if pokemon.status is None:
        return ""
    text = STATUS_NAMES.get(pokemon.status, pokemon.status)
    if pokemon.status == "slp" and pokemon.status_turns is not None:
        return f"{text} ({pokemon.status_turns} of at most 3 turns)"
    if pokemon.status == "tox" and pokemon.status_turns is not None:
        return f"{text} (counter {pokemon.status_turns})"
    return text


def health(pokemon: PokemonView, points: bool = True) -> str:
    """HP in percent, with points where they are known and wanted: ``HP 64% (192/300)``."""
    if pokemon.fainted:
        return "fainted"
    text = f"HP {percent(pokemon.hp_fraction)}"
    if points and pokemon.hp is not None and pokemon.max_hp is not None:
        return f"{text} ({pokemon.hp}/{pokemon.max_hp})"
    return text


def timed(condition: Timed, facts: Facts) -> str:
    """A condition with layers, what it is bound to, and the turns that it has left."""
    text = facts.name(condition.id)
    if condition.layers > 1:
        text += f" {condition.layers} layers"
    if condition.detail:
        text += f" on {facts.name(condition.detail)}"
    low, high = condition.turns_left_min, condition.turns_left_max
    if low is None or high is None:
        return text
    turns = str(high) if low == high else f"{low}-{high}"
    return f"{text} ({turns} {'turn' if turns == '1' else 'turns'} left)"


def conditions(found: Iterable[Timed], facts: Facts) -> str:
    """Several conditions, ``none`` where there is none."""
    return "; ".join(timed(condition, facts) for condition in found) or "none"


@lru_cache(maxsize=4096)
def one_line(text: str, length: int) -> str:
    """Text from a player or a model as one harmless line of at most ``length`` characters.

    Control characters become spaces; the marks with which prompts are structured (``|``, ``<<<``,
    ``>>>``) are exchanged, so that a nickname can neither end its fence nor start a line.
    """
    kept = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in text)
    kept = re.sub(r"<{2,}|>{2,}|\|", "/", " ".join(kept.split()))
    return kept if len(kept) <= length else kept[: length - 1] + "…"


def nickname(pokemon: PokemonView, species: str) -> str:
    """The nickname as quoted data where it differs from the species' name, else nothing."""
    name = one_line(pokemon.name, NICKNAME_LENGTH)
    if not name or name == species:
        return ""
    return f"nickname <<<{name}>>>"


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters but newline and tab, and lone surrogates (Unicode's Cc and Cs)."""


def fenced(text: str) -> str:
    """Text of many lines between ``<<<`` and ``>>>``, which it cannot close by itself."""
    if "<<<" in text or ">>>" in text:
        text = re.sub(r"<{3,}", "<<", re.sub(r">{3,}", ">>", text))
    safe = _CONTROL.sub("", text)
    return f"<<<\n{safe.strip()}\n>>>"


FILTERS: dict[str, Any] = {
    function.__name__: function
    for function in (
        line, percent, chance, multiplier, damage, attack_strength, move_line, described, likely,
        stats, boosts, status, health, timed, conditions, one_line, nickname, fenced, inline, named,
        who_is_faster, type_chart, weaknesses, shown_threats, attack_list, status_moves,
    )
}  # fmt: skip
"""Every filter that a template may use, by name."""
