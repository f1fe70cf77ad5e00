"""Damage ranges for a decision's matchups, from the calculator's table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from porimon.showdown.calculator.table import (
    Answering,
    DamageTable,
    MatchupDamage,
    MoveDamage,
    damage_table,
)
from porimon.showdown.candidates.clues import NO_CLUES, Clues
from porimon.showdown.candidates.infer import candidates
from porimon.showdown.candidates.model import Candidates
from porimon.showdown.candidates.reveal import revealed_from_view
from porimon.showdown.facts.model import Attack, Damage, Matchup
from porimon.showdown.view.model import BattleView, PokemonView


class SharedCalculator(Protocol):
    """A calculator that gives each decision a client of its own."""

    def for_decision(self) -> Answering: ...


class CalculatedDamage:
    """A ``DamageSource`` over the calculator: one request for each decision."""

    def __init__(self, calculator: SharedCalculator) -> None:
        self._calculator = calculator

    async def table(
        self, view: BattleView, candidates: Mapping[str, Candidates]
    ) -> DamageTable | None:
        """The decision's damage table; ``None`` if the calculator gave no answer in time."""
        opponent = view.foe.active
        if opponent is None or opponent.fainted:
            return DamageTable(tuple(MatchupDamage() for _ in view.own.team))
        possible = candidates.get(opponent.team_species) or candidates_of(opponent)
        return await damage_table(view, possible, self._calculator.for_decision())


def candidates_of(pokemon: PokemonView, clues: Clues = NO_CLUES) -> Candidates:
    """The sets that a foe's Pokémon may have, given what its view and the battle's clues reveal."""
    return candidates(revealed_from_view(pokemon, clues))


def with_table(matchups: tuple[Matchup, ...], table: DamageTable) -> tuple[Matchup, ...]:
    """The matchups with the table's ranges; both run parallel to ``view.own.team``."""
    return tuple(
        with_damage(matchup, computed)
        for matchup, computed in zip(matchups, table.matchups, strict=True)
    )


def with_damage(matchup: Matchup, computed: MatchupDamage) -> Matchup:
    """A matchup with the table's ranges; attacks that the table lacks stay without one."""
    attacks = {one.move: one for one in computed.attacks}
    threats = {one.move: one for one in computed.threats}
    return Matchup(
        tuple([_with_range(attack, attacks) for attack in matchup.attacks]),
        tuple([_with_range(attack, threats) for attack in matchup.threats]),
        matchup.faster,
    )


def _with_range(attack: Attack, computed: Mapping[str, MoveDamage]) -> Attack:
    found = computed.get(attack.move.id)
    if found is None or found.low is None or found.high is None:
        return attack
    likely = found.likely
    damage = Damage(
        found.low,
        found.high,
        likely.ko_chance if likely is not None else None,
        likely.ko_hits if likely is not None else None,
    )
    return Attack(attack.move, attack.multiplier, attack.scaled_power, damage)
