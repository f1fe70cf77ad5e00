"""Gather a decision's facts: the one step between the view and the prompt that may wait.

The game data are at hand; candidate sets are looked up; the calculator answers all queries of a
decision in one request. A calculator that fails costs the ranges, never the decision.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from porimon.config.player import Knowledge
from porimon.showdown.calculator.table import DamageTable
from porimon.showdown.candidates.model import Candidates
from porimon.showdown.dex.store import Dex
from porimon.showdown.facts.damage import with_table
from porimon.showdown.facts.lookup import names_in
from porimon.showdown.facts.matchups import matchups_of
from porimon.showdown.facts.model import NO_DAMAGE_RANGES, RELAXED_CANDIDATES, Facts
from porimon.showdown.facts.pokemon import foe_facts, own_facts, with_other_moves
from porimon.showdown.view.model import BattleView, PokemonView

CandidateSource = Callable[[PokemonView], Candidates]
"""The sets that a foe's Pokémon may have, given what its view reveals."""


class DamageSource(Protocol):
    """Something that knows damage ranges: the calculator, as a decision needs it."""

    async def table(
        self, view: BattleView, candidates: Mapping[str, Candidates]
    ) -> DamageTable | None:
        """The damage table of a decision; ``None`` where there can be none now.

        ``candidates`` are by the foe's ``team_species``.
        """
        ...


async def gather_facts(
    view: BattleView,
    knowledge: Knowledge,
    dex: Dex,
    candidates: CandidateSource | None = None,
    damage: DamageSource | None = None,
    meanwhile: Callable[[], object] | None = None,
) -> Facts:
    """All facts of one decision.

    Parameters
    ----------
    knowledge:
        ``pokellmon`` asks the calculator nothing: that player does not know its ranges. Of the
        candidate sets it takes the likely moves, as PokéLLMon does.
    candidates, damage:
        ``None``: done without. With extended knowledge, missing ranges are noted.
    meanwhile:
        Work of the decision that needs no facts: done while the calculator reckons.
    """
    possible = (
        {one.team_species: candidates(one) for one in view.foe.team if not one.fainted}
        if candidates is not None
        else {}
    )
    asked: asyncio.Task[DamageTable | None] | None = None
    if knowledge == "extended" and damage is not None:
        # The calculator works in its own process meanwhile: let the request leave at once.
        asked = asyncio.create_task(damage.table(view, possible))
    try:
        if asked is not None:
            await asyncio.sleep(0)
        if meanwhile is not None:
            meanwhile()
        facts = _without_damage(view, dex, possible)
    except BaseException:
        if asked is not None:
            asked.cancel()
        raise
    if knowledge != "extended":
        return facts
    # Bounded by the calculator's own deadline.
    table = await asked if asked is not None else None
    if table is None:
        return replace(facts, notes=(*facts.notes, NO_DAMAGE_RANGES))
    return replace(facts, matchups=with_table(facts.matchups, table))


def _without_damage(view: BattleView, dex: Dex, possible: Mapping[str, Candidates]) -> Facts:
    known = [(one, own_facts(one, view.field, dex)) for one in view.own.team]
    own = tuple(
        [with_other_moves(each, one, view, dex) if one.active else each for one, each in known]
    )
    foe = tuple(
        foe_facts(one, possible.get(one.team_species), view.field, dex) for one in view.foe.team
    )
    matchups = matchups_of(view, own, foe, dex)
    relaxed = any(found.relaxed for found in possible.values())
    notes = (RELAXED_CANDIDATES,) if relaxed else ()
    return Facts(own, foe, matchups, names_in(view, dex), notes)
