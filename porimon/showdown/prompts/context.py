"""What a template is given: the view and the facts of one decision, put side by side.

Templates stay readable because pairing, numbering and picking the strongest attack happen here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from porimon.showdown.facts.model import Attack, Facts, Matchup, PokemonFacts
from porimon.showdown.view.model import BattleView, LegalOrder, PokemonView

Step = Literal["decide", "propose", "choose"]
"""What is asked for: an order; up to three options (``tot``); a choice among them (``tot``)."""


@dataclass(frozen=True, slots=True)
class Experience:
    """A past battle as a prompt tells it (Porimon §II-C): its result, summary and lessons.

    ``result`` is a phrase (``You won``); ``score`` is the similarity that brought it here.
    """

    result: str
    summary: str
    lessons: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the model is asked again: its answer, the stable reason, and the reason in a sentence.

    ``answer`` is ``None`` where the server refused an order that the parser had taken.
    """

    reason: str
    explanation: str
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """One Pokémon in a template: what is seen of it, what is known of it, and whom it faces."""

    view: PokemonView
    facts: PokemonFacts
    matchup: Matchup = field(default_factory=Matchup)

    @property
    def name(self) -> str:
        """The species' name."""
        return self.facts.name

    @property
    def best_attack(self) -> Attack | None:
        """Our strongest attack on the foe's active Pokémon."""
        return strongest(self.matchup.attacks)

    @property
    def worst_threat(self) -> Attack | None:
        """The foe's strongest attack on this Pokémon among those it is likely to have."""
        return strongest(self.matchup.threats)

    def attacking_types(self) -> frozenset[str]:
        """The types of its own and of its known attacks: what it may be expected to attack with."""
        attacks = (move.type for move in self.facts.moves if move.category != "status")
        return frozenset(self.facts.types) | frozenset(attacks)


def team_attacking_types(team: tuple[Shown, ...]) -> frozenset[str]:
    """The types of all attacks that a team has left."""
    return frozenset(
        move.type
        for one in team
        if not one.view.fainted
        for move in one.facts.moves
        if move.category != "status"
    )


@dataclass(frozen=True, slots=True)
class Option:
    """One legal order as it is offered: its number, the order, and what it is about.

    ``attack`` is the move against the foe's active Pokémon (``None`` for switches), ``pokemon`` the
    one that would come in (``None`` for moves).
    """

    number: int
    order: LegalOrder
    attack: Attack | None = None
    pokemon: Shown | None = None

    @property
    def label(self) -> str:
        """The name by which the model answers."""
        return self.order.label


def strongest(attacks: tuple[Attack, ...], least: float = 0.2) -> Attack | None:
    """The attack that takes most: by damage range, else by multiplier × power.

    Moves that are less likely than ``least`` don't count. ``None`` where no attack does damage.
    """
    usable = [
        attack
        for attack in attacks
        if attack.move.category != "status"
        and (attack.move.probability is None or attack.move.probability >= least)
    ]
    return max(usable, key=_strength, default=None)


def _strength(attack: Attack) -> tuple[float, float]:
    power = attack.scaled_power or attack.move.base_power or 0
    multiplier = 1.0 if attack.multiplier is None else attack.multiplier
    return (attack.damage.high if attack.damage else 0.0, multiplier * power)


def shown_team(
    team: tuple[PokemonView, ...], facts: tuple[PokemonFacts, ...], matchups: tuple[Matchup, ...]
) -> tuple[Shown, ...]:
    """A side's Pokémon with their facts, by name: an order that a switch does not change.

    ``facts`` run parallel to ``team``; ``matchups`` too, or are empty.
    """
    facing = matchups or (Matchup(),) * len(team)
    paired = [Shown(*three) for three in zip(team, facts, facing, strict=True)]
    return tuple(sorted(paired, key=lambda one: (one.facts.name, one.view.name)))


def options_of(view: BattleView, facts: Facts, own: tuple[Shown, ...]) -> tuple[Option, ...]:
    """The legal orders, numbered from 1 in the view's order."""
    return tuple(
        _option(number, order, view, own) for number, order in enumerate(view.legal_orders, start=1)
    )


def _option(number: int, order: LegalOrder, view: BattleView, own: tuple[Shown, ...]) -> Option:
    if order.kind == "switch":
        chosen = next(
            (one for one in own if one.view.slot is not None and one.view.slot == order.slot), None
        )
        return Option(number, order, pokemon=chosen)
    active = next((one for one in own if one.view.active), None)
    attacks = active.matchup.attacks if active is not None else ()
    attack = next((attack for attack in attacks if attack.move.id == order.target), None)
    return Option(number, order, attack=attack)
