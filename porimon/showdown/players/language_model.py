"""The players that ask a language model for every decision: ``p``, ``lt0`` and their kin."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from porimon.memory.experience import Result
from porimon.memory.retrieval import Retrieved
from porimon.showdown.answers.lexicon import game_lexicon
from porimon.showdown.arena_model import BattleEnding, DecisionMoment
from porimon.showdown.candidates.clues import ClueTracker
from porimon.showdown.candidates.model import Candidates
from porimon.showdown.decision import Decision, DecisionServices, decide
from porimon.showdown.events.parse import parse_line
from porimon.showdown.events.turn_log import TurnLog
from porimon.showdown.facts.model import dump_facts
from porimon.showdown.players.base import SERVER_REFUSED, PlayerContext, RefusedOrders
from porimon.showdown.prompts.context import Experience, Refusal
from porimon.showdown.prompts.render import load_templates
from porimon.showdown.reflection import retrieved_counts
from porimon.showdown.reflection_prompt import FinishedBattle
from porimon.showdown.similarity import current_teams
from porimon.showdown.view.build import side_view
from porimon.showdown.view.model import BattleView, PokemonView, SideRole, dump_view
from porimon.showdown.view.tracker import BattleTracker
from porimon.tournament.game import DecisionRecord

RESULT_WORDS: dict[Result, str] = {"win": "You won", "loss": "You lost", "tie": "It was a tie"}
"""How a retrieved experience begins in a prompt."""


class LanguageModelPlayer:
    """One side of one battle, decided by a language model.

    It follows the battle with a tracker and a turn log of its own, retrieves experiences where it
    has a memory, and leaves the rest to ``decide``.
    """

    def __init__(self, context: PlayerContext) -> None:
        config = context.config
        if context.asker is None:
            raise ValueError(f"the player {config.name} needs a language model to ask")
        self._context = context
        self._services = DecisionServices(
            asker=context.asker,
            dex=context.knowledge.dex,
            templates=load_templates(config.style, config.prompts),
            candidates=self._candidates if context.knowledge.candidates is not None else None,
            damage=context.knowledge.damage,
            lexicon=game_lexicon(),
        )
        self._tracker = BattleTracker(context.role, context.knowledge.dex)
        self._log = TurnLog(context.role)
        self._clues = ClueTracker()
        self._rng = context.rng()
        self._refused = RefusedOrders()
        self._decisions: list[DecisionRecord] = []
        self._ending: BattleEnding | None = None

    @property
    def decisions(self) -> Sequence[DecisionRecord]:
        """What was decided so far, in order."""
        return tuple(self._decisions)

    async def choose(self, moment: DecisionMoment) -> str:
        """The model's order, or what the fallback rule plays in its place."""
        started = time.perf_counter()
        self._follow(moment.lines)
        full_view = self._tracker.view(moment.request)
        view = replace(full_view, legal_orders=self._refused.left(moment, full_view.legal_orders))
        retrieved: list[Retrieved] = []

        def recall() -> list[Experience]:
            retrieved.extend(self._retrieve(view))
            return [experience_for_prompt(one) for one in retrieved]

        decision = await decide(
            view,
            self._log.window_text(self._context.config.window),
            self._services,
            self._context.config,
            self._rng,
            recall=recall,
            refused_by_server=_refusal(moment),
        )
        self._refused.chosen(decision.order)
        self._keep(moment, view, decision, retrieved, time.perf_counter() - started)
        return decision.order.choice

    async def finished(self, ending: BattleEnding) -> None:
        """Take in the last lines."""
        self._follow(ending.lines)
        self._ending = ending

    def finished_battle(self) -> FinishedBattle | None:
        """What a reflection is given; ``None`` without Long-Term KAG or before the end."""
        ending = self._ending
        if ending is None or self._context.config.memory is None:
            return None
        result: Result = "tie"
        if ending.winner is not None:
            result = "win" if ending.winner == self._context.role else "loss"
        dex, sides = self._context.knowledge.dex, self._tracker.state.sides
        own, foe = (
            side_view(dex, sides[role])
            for role in (self._context.role, "p2" if self._context.role == "p1" else "p1")
        )
        return FinishedBattle(
            battle_id=self._context.spec.battle_id,
            index=self._context.spec.index,
            result=result,
            turns=self._tracker.state.turn,
            own_team=own.team,
            foe_team=foe.team,
            log=self._log.turns,
            retrieved=retrieved_counts(self._decisions),
        )

    def _follow(self, lines: Iterable[Sequence[str]]) -> None:
        events = [parse_line(line) for line in lines]
        self._tracker.apply_events(events)
        self._log.apply_events(events)
        self._clues.apply_events(events)

    def _candidates(self, pokemon: PokemonView) -> Candidates:
        """What one of the foe's Pokémon may have, by its view and by what has been made certain."""
        source = self._context.knowledge.candidates
        assert source is not None
        foe: SideRole = "p2" if self._context.role == "p1" else "p1"
        return source(pokemon, self._clues.clues(foe, pokemon.name))

    def _retrieve(self, view: BattleView) -> tuple[Retrieved, ...]:
        if self._context.memory is None:
            return ()
        own, foe = current_teams(view, self._context.knowledge.dex)
        occasion = f"{self._context.spec.battle_id}/{len(self._decisions) + 1}"
        return self._context.memory.retrieve(own, foe, occasion=occasion)

    def _keep(
        self,
        moment: DecisionMoment,
        view: BattleView,
        decision: Decision,
        retrieved: Sequence[Retrieved],
        seconds: float,
    ) -> None:
        notes = decision.notes
        if moment.rejected is not None:
            notes = (*notes, SERVER_REFUSED)
        self._decisions.append(
            DecisionRecord(
                seat=self._context.seat,
                number=len(self._decisions) + 1,
                turn=view.turn,
                view=dump_view(view),
                legal=tuple(one.label for one in view.legal_orders),
                order=decision.order.label,
                choice=decision.order.choice,
                fallback=decision.fallback,
                notes=notes,
                calls=decision.calls,
                retrieved=tuple(one.record() for one in retrieved),
                facts=dump_facts(decision.facts) if decision.facts is not None else None,
                seconds=seconds,
            )
        )


def _refusal(moment: DecisionMoment) -> Refusal | None:
    if moment.rejected is None:
        return None
    return Refusal("server_refused", f"the server refused the order: {moment.rejected}")


def experience_for_prompt(retrieved: Retrieved) -> Experience:
    """A retrieved experience as a prompt tells it.

    A raw episode stands in place of summary and lessons; a failed reflection leaves the result.
    """
    stored = retrieved.experience
    result = RESULT_WORDS[stored.result]
    if retrieved.episode is not None:
        return Experience(result, f"The battle's log: {retrieved.episode}", (), retrieved.score)
    return Experience(result, stored.summary or "", stored.lessons, retrieved.score)
