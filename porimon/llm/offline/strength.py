"""How strong an attack is, as far as a line of the prompt tells it.

The more a line says, the better the estimate: a damage range beats scaled power and type
multiplier, these beat bare power, and bare power beats nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MULTIPLIER = re.compile(r"[×x](\d+(?:\.\d+)?)\b")
_DAMAGE = re.compile(r"\bdamage (\d+(?:\.\d+)?)(?:\s*[-–]\s*(\d+(?:\.\d+)?))?\s*%")
_FAINTS = re.compile(r"\bfaints in (\d+) hits?(?: \((\d+(?:\.\d+)?)%\))?")
_SCALED_POWER = re.compile(r"\bscaled power (\d+)")
_POWER = re.compile(r"(?<!scaled )\bpower (\d+)")
_ACCURACY = re.compile(r"\baccuracy (\d+(?:\.\d+)?)%")
_PRIORITY = re.compile(r"\bpriority ([+-]?\d+)")
_STATUS = re.compile(r"\bstatus(?: move)?\b(?! condition)")

HP_FRACTION_PER_POWER = 0.0025
"""Share of the target's HP per point of power at equal stats: the game's damage formula at the
levels of random battles (about 80) and about 270 HP, without any bonus."""
SAME_TYPE_BONUS = 1.5
UNKNOWN_HIT = 0.25
"""Share of HP that an unknown attack is thought to take."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What a line told of an attack; ``None`` is what it did not tell.

    ``low`` and ``high`` are shares of the target's full HP, ``accuracy`` and ``ko_chance`` between
    0 and 1. ``power`` includes attack and defence where ``scaled``.
    """

    multiplier: float | None = None
    low: float | None = None
    high: float | None = None
    ko_hits: int | None = None
    ko_chance: float | None = None
    power: int | None = None
    scaled: bool = False
    accuracy: float | None = None
    priority: int | None = None
    status_move: bool = False

    @property
    def told(self) -> bool:
        """Whether the line told anything about how much the attack takes."""
        return self.high is not None or self.power is not None or self.multiplier is not None

    def share(self, same_type: bool = False) -> float:
        """Expected share of the target's full HP that a hit takes (misses not counted).

        ``same_type``: the attacker is of the attack's type; calculated ranges contain that bonus.
        """
        if self.status_move:
            return 0.0
        if self.high is not None:
            return ((self.low if self.low is not None else self.high) + self.high) / 2
        multiplier = 1.0 if self.multiplier is None else self.multiplier
        if self.power is not None:
            share = self.power * HP_FRACTION_PER_POWER
            return share * multiplier * (SAME_TYPE_BONUS if same_type else 1.0)
        return UNKNOWN_HIT * multiplier


def read_strength(text: str) -> Strength:
    """Read whatever a piece of a prompt's line tells of an attack; what is unknown is ignored."""
    # Most lines tell little: looking for a word is cheaper than a search that finds nothing.
    damage = _DAMAGE.search(text) if "damage" in text else None
    low = high = None
    if damage:
        low = float(damage[1]) / 100
        high = float(damage[2]) / 100 if damage[2] else low
    faints = _FAINTS.search(text) if "faints" in text else None
    scaled = power = None
    if "power" in text:
        scaled = _SCALED_POWER.search(text)
        power = scaled or _POWER.search(text)
    multiplier = _MULTIPLIER.search(text)
    accuracy = _ACCURACY.search(text) if "accuracy" in text else None
    priority = _PRIORITY.search(text) if "priority" in text else None
    return Strength(
        multiplier=float(multiplier[1]) if multiplier else None,
        low=low,
        high=high,
        ko_hits=int(faints[1]) if faints else None,
        ko_chance=(float(faints[2]) / 100 if faints[2] else 1.0) if faints else None,
        power=int(power[1]) if power else None,
        scaled=scaled is not None,
        accuracy=min(1.0, float(accuracy[1]) / 100) if accuracy else None,
        priority=int(priority[1]) if priority else None,
        status_move=damage is None and power is None and bool(_STATUS.search(text)),
    )
