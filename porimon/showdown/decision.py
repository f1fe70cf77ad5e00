"""One decision of a language-model player: view → facts → prompt → answer → legal order.

A valid answer is played as it is. One that cannot be read or is not legal is asked for again, up
to Tr more times, with what was wrong; then the fallback rule decides (Porimon §II-D). Every call
is kept for the record.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace

from porimon.config.player import PlayerConfig
from porimon.errors import ModelAnswerError
from porimon.llm.model import Completion, CompletionRequest
from porimon.showdown.answers.formats import answer_format
from porimon.showdown.answers.lexicon import EMPTY_LEXICON, Lexicon
from porimon.showdown.answers.parse import parse_order, parse_proposals
from porimon.showdown.dex.store import Dex
from porimon.showdown.facts.gather import CandidateSource, DamageSource, gather_facts
from porimon.showdown.facts.model import Facts
from porimon.showdown.fallback import fallback_order
from porimon.showdown.prompts.context import Experience, Refusal, Step
from porimon.showdown.prompts.render import Prompt, PromptTemplates, render_prompt
from porimon.showdown.view.model import BattleView, LegalOrder
from porimon.tournament.game import Asker, CallRecord

ONLY_ORDER = "only_order"
"""Note of a decision with one legal order: nobody was asked."""
SAMPLES = 3
"""How many answers a self-consistent (``sc``) decision asks for."""


@dataclass(frozen=True, slots=True)
class DecisionServices:
    """What a decision may use besides its view and log.

    ``candidates`` and ``damage`` may be ``None``: the decision is then made without them.
    """

    asker: Asker
    dex: Dex
    templates: PromptTemplates
    candidates: CandidateSource | None = None
    damage: DamageSource | None = None
    lexicon: Lexicon = EMPTY_LEXICON


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, and everything that a record keeps of it.

    ``fallback`` is the reason of the last refused answer if the fallback rule decided, else
    ``None``. ``facts`` is ``None`` where nobody was asked.
    """

    order: LegalOrder
    calls: tuple[CallRecord, ...] = ()
    fallback: str | None = None
    notes: tuple[str, ...] = ()
    facts: Facts | None = None


async def decide(
    view: BattleView,
    log_text: str,
    services: DecisionServices,
    config: PlayerConfig,
    rng: random.Random,
    *,
    recall: Callable[[], Sequence[Experience]] = tuple,
    refused_by_server: Refusal | None = None,
) -> Decision:
    """Choose one of the view's legal orders.

    Parameters
    ----------
    view:
        Must hold at least one legal order; with exactly one, nobody is asked.
    rng:
        Draws the switch if the fallback rule has to.
    recall:
        Retrieves what Long-Term KAG knows, best first. Called once, while the calculator reckons,
        and not at all if nobody is asked.
    refused_by_server:
        Why the server did not take the last order, which the view does not offer any more.

    Raises
    ------
    ModelAccessError, BudgetExhausted, ModelUnavailable
        As the asker raises them: they are no answers, so they never lead to the fallback.
    """
    if len(view.legal_orders) == 1:
        return Decision(view.legal_orders[0], notes=(ONLY_ORDER,))
    experiences: list[Experience] = []
    facts = await gather_facts(
        view,
        config.knowledge,
        services.dex,
        services.candidates,
        services.damage,
        meanwhile=lambda: experiences.extend(recall()),
    )
    asking = _Asking(view, log_text, facts, services, config, tuple(experiences))
    asking.refusal = refused_by_server
    for attempt in range(1, config.retries + 2):
        asking.attempt = attempt
        try:
            order = await _MODES[config.mode](asking)
        except ModelAnswerError as error:
            asking.refusal = Refusal(error.reason, error.what, asking.last_text)
            continue
        return Decision(order, tuple(asking.calls), notes=facts.notes, facts=facts)
    assert asking.refusal is not None  # every attempt that did not return has set it
    return Decision(
        fallback_order(view, services.dex, rng),
        tuple(asking.calls),
        fallback=asking.refusal.reason,
        notes=facts.notes,
        facts=facts,
    )


@dataclass(slots=True)
class _Asking:
    """A decision while it is being asked for: what stays the same, and what has happened."""

    view: BattleView
    log_text: str
    facts: Facts
    services: DecisionServices
    config: PlayerConfig
    experiences: tuple[Experience, ...]
    attempt: int = 1
    refusal: Refusal | None = None
    last_text: str | None = None
    calls: list[CallRecord] = field(default_factory=list)

    def prompt(self, step: Step = "decide", proposals: Sequence[LegalOrder] = ()) -> Prompt:
        """The prompt of the next call."""
        return render_prompt(
            self.view,
            self.log_text,
            self.facts,
            self.config,
            self.services.templates,
            experiences=self.experiences,
            step=step,
            proposals=proposals,
            refusal=self.refusal,
        )

    async def ask(self, prompt: Prompt, offered: Sequence[LegalOrder], step: Step) -> Completion:
        """One call. The asker bounds its time."""
        return await self.services.asker.ask(
            CompletionRequest(
                prompt.messages(), "decision", answer_format(self.config, offered, step)
            )
        )

    def keep(self, prompt: Prompt, completion: Completion, refused: str | None) -> None:
        """Put a call on record; ``refused`` says why its answer could not be used."""
        self.last_text = completion.text
        self.calls.append(
            CallRecord("decision", self.attempt, prompt.sections, completion, refused)
        )

    def read(self, prompt: Prompt, completion: Completion) -> LegalOrder:
        """The order that an answer names; the call is put on record either way."""
        try:
            order = parse_order(completion.text, self.view.legal_orders, self.services.lexicon)
        except ModelAnswerError as error:
            self.keep(prompt, completion, error.reason)
            raise
        self.keep(prompt, completion, None)
        return order


async def _one_answer(asking: _Asking) -> LegalOrder:
    """``io`` and ``cot``: one answer (with a thought before it, which the prompt asks for)."""
    prompt = asking.prompt()
    return asking.read(prompt, await asking.ask(prompt, asking.view.legal_orders, "decide"))


async def _majority(asking: _Asking) -> LegalOrder:
    """``sc``: three answers to the same prompt; what most of them name is played.

    Answers that cannot be read do not vote. Among orders with equally many votes the one that was
    named first wins. If no answer can be read, the first one's reason is raised.
    """
    prompt = asking.prompt()
    offered = asking.view.legal_orders
    completions = await _all([asking.ask(prompt, offered, "decide") for _ in range(SAMPLES)])
    votes: Counter[LegalOrder] = Counter()
    problem: tuple[ModelAnswerError, str] | None = None
    for completion in completions:
        try:
            votes[asking.read(prompt, completion)] += 1
        except ModelAnswerError as error:
            problem = problem or (error, completion.text)
    if votes:
        # most_common keeps the order of first appearance among equals.
        return votes.most_common(1)[0][0]
    assert problem is not None  # no vote: each answer has raised
    asking.last_text = problem[1]
    raise problem[0]


async def _choice_of_proposals(asking: _Asking) -> LegalOrder:
    """``tot``: up to three proposals, then a choice among them; one proposal is played at once."""
    offered = asking.view.legal_orders
    prompt = asking.prompt("propose")
    completion = await asking.ask(prompt, offered, "propose")
    try:
        proposals = parse_proposals(completion.text, offered, asking.services.lexicon)
    except ModelAnswerError as error:
        asking.keep(prompt, completion, error.reason)
        raise
    asking.keep(prompt, completion, None)
    if len(proposals) == 1:
        return proposals[0]
    # A refusal has been answered by now: the second call is about the proposals alone.
    asking.refusal = None
    prompt = asking.prompt("choose", proposals)
    completion = await asking.ask(prompt, proposals, "choose")
    order = asking.read(prompt, completion)
    if order not in proposals:
        asking.calls[-1] = replace(asking.calls[-1], refused="not_proposed")
        raise ModelAnswerError(
            "not_proposed", f"{order.label!r} is none of the options that were proposed"
        )
    return order


async def _all(calls: Sequence[Coroutine[None, None, Completion]]) -> list[Completion]:
    """All answers in the calls' order; if one call fails, the others are cancelled first."""
    tasks = [asyncio.create_task(call) for call in calls]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        # Also when this decision is cancelled itself: no paid call may go on unheard.
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


_MODES = {
    "io": _one_answer,
    "cot": _one_answer,
    "sc": _majority,
    "tot": _choice_of_proposals,
}
