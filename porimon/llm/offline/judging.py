"""Which option looks best: a race of expected damage, with simple rules for moves without damage.

All values are shares of a Pokémon's full HP; a faint counts extra. The rules are the general ones
of the game. Everything about the Pokémon at hand comes from the prompt: where the prompt tells
less, the guess is worse, and so is the play.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from porimon.llm.offline.battle_log import last_turns
from porimon.llm.offline.reading import Fighter, Option, Situation, Who
from porimon.llm.offline.strength import UNKNOWN_HIT, Strength

FAINT_BONUS = 0.5
"""What making a Pokémon faint is worth beyond its HP."""
TEMPO_COST = 0.1
"""What a switch costs beyond the hit that the newcomer takes."""
UNREST_COST = 0.2
"""What each of our switches in the last turns adds to that: no switching back and forth."""
LATER = 0.9
"""What a turn's delay takes from the value of what follows."""
LONGEST_RACE = 6
LIKELY_ENOUGH = 0.25
"""Threats less likely than this are disregarded."""
DANGER = 1.15
"""Factor of the threat of a foe that lessons call dangerous."""
RECALLED_BONUS = 0.05
"""What it adds to a move that lessons say has beaten this foe."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """An option and its value; ``why`` is the reason in a few words."""

    option: Option
    value: float
    why: str


def judge(situation: Situation) -> list[Judgement]:
    """All options, best first; equal ones in the order listed. Refused ones come last."""
    judged = [_judge(option, situation) for option in situation.options]
    refused = [
        situation.refused != "" and _names(situation.refused, one.option.label) for one in judged
    ]
    order = sorted(range(len(judged)), key=lambda at: (refused[at], -judged[at].value, at))
    return [judged[at] for at in order]


def _judge(option: Option, situation: Situation) -> Judgement:
    if option.kind == "switch":
        return _judge_switch(option, situation)
    if option.strength.status_move:
        value, why = _value_of_status_move(option, situation)
    else:
        value, why = _value_of_attack(option, situation)
    if _failed_lately(option.label, situation.log):
        value -= 0.3
        why += ", but it failed a moment ago"
    if situation.foe is not None and _recalled(option.label, situation.foe.name, situation.lessons):
        value += RECALLED_BONUS
        why += ", and it has beaten this opponent before"
    return Judgement(option, value, why)


def race(own_hp: float, foe_hp: float, deals: float, takes: float, first: bool) -> float:
    """HP that we take minus HP that we lose, faints counted extra, until one side faints.

    ``deals`` and ``takes`` are expected shares per turn. The race ends after a few turns anyway.
    """
    own, foe = own_hp, foe_hp
    for _ in range(LONGEST_RACE):
        for ours in (True, False) if first else (False, True):
            if ours:
                foe -= deals
            else:
                own -= takes
            if foe <= 0:
                return foe_hp + FAINT_BONUS - (own_hp - own)
            if own <= 0:
                return (foe_hp - foe) - own_hp - FAINT_BONUS
    return (foe_hp - foe) - (own_hp - own)


def _value_of_attack(option: Option, situation: Situation) -> tuple[float, str]:
    own, foe = _own(situation), _foe(situation)
    strength = option.strength
    accuracy = 1.0 if strength.accuracy is None else strength.accuracy
    hit = _expected(option, own)
    takes = threat(situation)
    first = _first(situation.faster) if not strength.priority else strength.priority > 0
    effect = option.effect.lower()
    per_turn = hit * (0.5 if re.search(r"recharge|charges (on )?turn|turn 1", effect) else 1.0)
    value = race(own.hp, foe.hp, per_turn, takes, first)
    if re.search(r"user faints", effect):
        return min(hit, foe.hp) + (FAINT_BONUS if hit >= foe.hp else 0) - own.hp - FAINT_BONUS, (
            "it costs the user"
        )
    if strength.ko_hits == 1 and strength.ko_chance is not None and (first or takes < own.hp):
        value += 0.3 * strength.ko_chance * accuracy
    if "recoil" in effect:
        value -= 0.33 * min(hit, foe.hp)
    if re.search(r"recovers|restores .*of the damage|drain", effect):
        value += 0.5 * min(hit, foe.hp, 1 - own.hp)
    if re.search(r"user.*switch", effect) and takes > 0.3 and not first:
        value -= 0.05
    if hit <= 0:
        value -= 1.0
    return value, f"it takes about {hit * 100:.0f}% a turn"


def _judge_switch(option: Option, situation: Situation) -> Judgement:
    newcomer = option.fighter or Fighter(option.label)
    foe = _foe(situation)
    deals, takes = _switch_deals(option), _switch_takes(option, situation)
    hazards = 0.0 if option.unhurt_by_hazards else _hazard_cost(situation.own_side)
    free = not any(other.kind == "move" for other in situation.options)
    hp = newcomer.hp - hazards - (0.0 if free else takes)
    why = f"it takes about {takes * 100:.0f}% and deals {deals * 100:.0f}% a turn"
    if hp <= 0:
        return Judgement(option, -newcomer.hp - FAINT_BONUS - TEMPO_COST, "it would not survive")
    value = race(hp, foe.hp, deals, takes, _first(option.faster)) - (newcomer.hp - hp)
    if not free:
        value = value * LATER - TEMPO_COST - UNREST_COST * _switches_lately(situation.log)
        if situation.own is not None and re.search(r"[+]\d", situation.own.boosts):
            value -= 0.3
    return Judgement(option, value, why)


def _value_of_status_move(option: Option, situation: Situation) -> tuple[float, str]:
    own, foe = _own(situation), _foe(situation)
    takes, first = threat(situation), _first(situation.faster)
    deals = max((_expected(other, own) for other in situation.options), default=0.0)
    effect = f"{option.label}. {option.effect}".lower()
    accuracy = _accuracy(option.strength)
    left = own.hp - takes
    if left <= 0 and not first:
        return -own.hp - FAINT_BONUS, "the user would faint first"
    after = race(max(left, 0.01), foe.hp, deals, takes, first) * LATER - min(takes, own.hp)
    if heal := _healing(effect):
        gained = min(1.0, own.hp + heal) - own.hp
        worth = gained - takes
        if gained < 0.3 or worth <= 0:
            return after - 0.2, "healing gains little now"
        return race(own.hp + worth, foe.hp, deals, takes, first) * LATER + worth, "it heals"
    if stages := _own_boost(effect):
        boosted = race(max(left, 0.01), foe.hp, deals * (1 + 0.5 * stages), takes, first)
        stays = 0.1 * stages * max(0, (situation.foe_left or 1) - 1) / 5 if takes < 0.35 else 0.0
        if re.search(r"[+][2-6]", own.boosts):
            return after - 0.2, "it is boosted already"
        return boosted * LATER - min(takes, own.hp) + stays, "it raises its stats"
    if hazard := _hazard(effect):
        if hazard in situation.foe_side.lower() or (situation.foe_left or 6) < 3:
            return after - 0.3, "the hazard would do nothing more"
        return after + 0.08 * ((situation.foe_left or 6) - 1), "hazards hurt whatever comes in"
    if worth := _infliction(effect, option, situation):
        return after + worth * accuracy, "it weakens the opponent for long"
    return after - 0.1, "it does no damage"


def threat(situation: Situation) -> float:
    """Expected share of our active Pokémon's HP that the foe's best attack takes.

    Known attacks count in full, likely ones by their likelihood; where nothing is told, a guess.
    """
    foe = _foe(situation)
    shares = [
        found.strength.share(found.move_type in foe.types)
        * _accuracy(found.strength)
        * min(1.0, 0.4 + 0.6 * found.likelihood)
        for found in situation.threats
        if found.likelihood >= LIKELY_ENOUGH and not found.strength.status_move
    ]
    expected = max(shares, default=UNKNOWN_HIT)
    if foe.status in ("asleep", "frozen"):
        expected *= 0.5
    elif foe.status == "paralyzed":
        expected *= 0.75
    if situation.lessons and re.search(
        rf"opposing {re.escape(foe.name)} fainted [2-6]", situation.lessons, re.IGNORECASE
    ):
        expected *= DANGER
    return expected


def _switch_deals(option: Option) -> float:
    if option.deals is None:
        return UNKNOWN_HIT
    types = option.fighter.types if option.fighter else ()
    return option.deals.share(option.deals_type in types) * _accuracy(option.deals)


def _switch_takes(option: Option, situation: Situation) -> float:
    if option.takes is None:
        return UNKNOWN_HIT
    types = {found.name: found.move_type for found in situation.threats}
    return option.takes.share(types.get(option.takes_name or "") in _foe(situation).types)


def _own(situation: Situation) -> Fighter:
    return situation.own or Fighter("")


def _foe(situation: Situation) -> Fighter:
    return situation.foe or Fighter("")


def _first(faster: Who | None) -> bool:
    # Where it is open, the worse is assumed.
    return faster == "own"


def _accuracy(strength: Strength) -> float:
    return 1.0 if strength.accuracy is None else strength.accuracy


def _expected(option: Option, own: Fighter) -> float:
    if option.kind != "move" or option.strength.status_move:
        return 0.0
    share = option.strength.share(option.move_type in own.types) * _accuracy(option.strength)
    if option.strength.high is None:
        # A calculated range counts all hits of a move, a power only one.
        effect = option.effect.lower()
        share *= 3 if "2-5 times" in effect else 2 if "2 times" in effect else 1
    return share


def _hazard_cost(side: str) -> float:
    cost = 0.12 if "Stealth Rock" in side else 0.0
    if layers := re.search(r"(?<!Toxic )Spikes(?: (\d) layers)?", side):
        cost += {"1": 0.125, "2": 0.167, "3": 0.25}.get(layers[1] or "1", 0.125)
    return cost


def _healing(effect: str) -> float:
    if "user" not in effect and "heal" not in effect:
        return 0.0
    match = re.search(r"(?:heals?|restores?|recovers?)[^.]*?(1/2|half|50%|1/4|2/3)", effect)
    if match is None or "target" in effect.split(".")[1:2]:
        return 0.0
    return {"1/4": 0.25, "2/3": 0.66}.get(match[1], 0.5)


def _own_boost(effect: str) -> int:
    """Stages of attack, special attack or speed that a status move gives its user."""
    match = re.search(
        r"rais\w+ (?:the )?user'?s? [^.]*?(attack|special attack|sp\. atk|speed)[^.]*?by (\d)",
        effect,
    )
    return int(match[2]) if match else 0


def _hazard(effect: str) -> str | None:
    for name in ("stealth rock", "toxic spikes", "spikes", "sticky web"):
        if effect.startswith(name + "."):
            return name
    return None


_INFLICTIONS: tuple[tuple[str, float, tuple[str, ...]], ...] = (
    (r"put\w* the target to sleep|target falls asleep|causes the target to .*sleep", 0.5, ()),
    (r"badly poison", 0.35, ("Poison", "Steel")),
    (r"burns? the target", 0.35, ("Fire",)),
    (r"paralyz\w+ the target", 0.3, ("Electric",)),
    (r"poisons? the target", 0.2, ("Poison", "Steel")),
    (r"leech seed|1/8 of its maximum hp", 0.25, ("Grass",)),
    (r"confus\w+ the target|target becomes confused", 0.15, ()),
)
"""Wordings of lasting harm, what it is worth, and the types that are immune to it."""


def _infliction(effect: str, option: Option, situation: Situation) -> float:
    foe = _foe(situation)
    if option.move_type and situation.foe_defences.get(option.move_type) == 0:
        return 0.0
    for wording, worth, immune in _INFLICTIONS:
        if not re.search(wording, effect):
            continue
        lasting = "confus" in wording or "leech" in wording
        if (foe.status and not lasting) or "ubstitute" in foe.effects or foe.hp < 0.3:
            return 0.0
        if lasting and ("Leech Seed" in foe.effects or "onfus" in foe.effects):
            return 0.0
        return 0.0 if set(immune) & set(foe.types) else worth
    return 0.0


def _failed_lately(label: str, log: str) -> bool:
    recent = last_turns(log, 2)
    if label not in recent:
        return False
    name = re.escape(label)
    return bool(
        re.search(rf"{name}\b.{{0,80}}?\b(?:failed|no effect|doesn't affect)", recent, re.S)
    )


@lru_cache(maxsize=16)
def _switches_lately(log: str) -> int:
    """How often one of ours came in during the last two turns of the log."""
    recent = last_turns(log, 2)
    return len(re.findall(r"(?<!pposing )\b\S+ (?:\([^)]*\) )?came in\b|You withdrew", recent))


def _recalled(label: str, foe: str, lessons: str) -> bool:
    if not foe or not lessons:
        return False
    pattern = rf"{re.escape(label)} fainted opposing {re.escape(foe)}\b"
    return bool(re.search(pattern, lessons, re.IGNORECASE))


def _names(answer: str, label: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(label)}(?!\w)", answer, re.IGNORECASE))
