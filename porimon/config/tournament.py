"""A tournament file (TOML) as a validated model: players, stages, what each stage selects.

The file's own words are kept; ``porimon.config.resolve`` turns names into complete players.
"""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from porimon.config.player import AnswerMode, Knowledge, PromptStyle


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MemoryOverrides(_Section):
    """Settings of Long-Term KAG that replace the inherited ones (see ``MemoryConfig``)."""

    retrieval: Literal["uniform", "weighted"] | None = None
    alpha: float | None = Field(None, ge=0, le=1)
    opponent_weight: float | None = Field(None, ge=0, le=1)
    minimum: int | None = Field(None, ge=0)
    top: int | None = Field(None, ge=1)
    log_characters: int | None = Field(None, ge=100)
    snapshot: Literal["start", "end"] | None = None
    capacity: int | None = Field(None, ge=1)
    forgetting: Literal["oldest", "least_used", "least_useful"] | None = None
    usefulness: bool | None = None
    placebo: bool | None = None
    raw_episodes: bool | None = None


class PlayerOverrides(_Section):
    """What a file says of players: defaults for all, or one player's own values."""

    base: str | None = None
    """For a player under a new name: which player it is built on."""
    llm: str | None = None
    window: int | None = Field(None, ge=0)
    retries: int | None = Field(None, ge=0)
    mode: AnswerMode | None = None
    answer_format: Literal["json_object", "json_schema", "text"] | None = None
    style: PromptStyle | None = None
    knowledge: Knowledge | None = None
    prompts: str | None = None
    plugin: str | None = None
    memory: MemoryOverrides | None = None


class Concurrency(_Section):
    """How many battles run at once. Changing it never changes what is planned; with Long-Term
    KAG ``per_matchup`` is part of the result (a battle reads what battles i − c have written)."""

    battles: int = Field(16, ge=1, le=1024)
    per_matchup: int = Field(4, ge=1, le=1024)


class BudgetSettings(_Section):
    """Limits after which a run stops cleanly: US dollars, tokens, minutes of wall time."""

    cost: float | None = Field(None, gt=0)
    tokens: int | None = Field(None, gt=0)
    minutes: float | None = Field(None, gt=0)


class Selection(_Section):
    """What a stage finds: its winner's ``settings`` are inherited by the players in ``passes_to``.

    The winner has the highest average win rate (Porimon §III-D). ``alias`` is a name for the
    winner with all that was found, usable in later stages.
    """

    settings: tuple[Literal["window", "alpha"], ...] = ()
    passes_to: tuple[str, ...] = ()
    alias: str | None = None


class EarlyStopping(_Section):
    """Stop a matchup before all its battles when the question is decided, the error controlled.

    The rule holds at any time (see the statistics' page); ``error`` is shared by all matchups.
    """

    error: float = Field(0.05, gt=0, lt=1)
    """Chance that any matchup of equal players is ever called different."""
    margin: float | None = Field(None, gt=0, lt=0.5)
    """Stop as well once the win rate surely lies within so much of one half."""
    expected: float = Field(0.05, gt=0, lt=0.5)
    """The difference in win rate that one hopes to see; only speed depends on it."""
    minimum_pairs: int = Field(10, ge=0)


class Stage(_Section):
    """Matchups that are played together."""

    name: str = Field(min_length=1)
    part: str | None = None
    """The part of the tournament it belongs to (stages of one part are analysed together)."""
    schedule: Literal["round_robin", "pairs", "against"] = "round_robin"
    players: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    one: str | None = None
    """With ``schedule = "against"``: the player whom all ``players`` meet."""
    battles: int | None = Field(None, ge=1)
    selects: Selection | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.schedule == "pairs":
            if not self.pairs or self.players:
                raise ValueError("the schedule 'pairs' needs `pairs` (and no `players`)")
        elif self.schedule == "against":
            if not self.one or not self.players:
                raise ValueError("the schedule 'against' needs `one` and `players`")
        elif len(self.players) < 2 or self.pairs:
            raise ValueError("a round robin needs at least two `players` (and no `pairs`)")
        if self.selects and self.schedule != "round_robin":
            raise ValueError("only a round robin selects a winner")
        for first, second in self.matchups():
            if first == second:
                raise ValueError(f"{first!r} cannot play against itself under one name")
        if len(set(map(frozenset, self.matchups()))) < len(self.matchups()):
            raise ValueError("a matchup stands here twice")
        return self

    def matchups(self) -> tuple[tuple[str, str], ...]:
        """The pairs of names that meet, in playing order."""
        if self.schedule == "pairs":
            return self.pairs
        if self.schedule == "against":
            assert self.one is not None
            return tuple((self.one, other) for other in self.players)
        return tuple(
            (first, second)
            for position, first in enumerate(self.players)
            for second in self.players[position + 1 :]
        )

    def names(self) -> tuple[str, ...]:
        """Every player's name that appears, in order of appearance."""
        return tuple(dict.fromkeys(name for pair in self.matchups() for name in pair))


class TournamentSettings(_Section):
    """A whole tournament file."""

    name: str = Field(min_length=1)
    format: str = "gen8randombattle"
    seed: int = Field(0, ge=0, lt=2**63)
    battles: int = Field(10, ge=1)
    """Battles per matchup, unless a stage says otherwise."""
    paired: bool = True
    """Whether two battles share a seed with the sides swapped."""
    llm: str = "offline"
    """The language model of every player that names none."""
    reference: str = "h"
    """The Bradley–Terry model's reference player (β = 0)."""
    battle_seconds: float = Field(1800, gt=0)
    """Deadline of one battle; past it the battle is put back."""
    failures_before_pause: int = Field(8, ge=1)
    """So many times in a row must battles break off (all at once: one time) to pause the run."""
    defaults: PlayerOverrides = PlayerOverrides()
    players: dict[str, PlayerOverrides] = {}
    concurrency: Concurrency = Concurrency()
    budget: BudgetSettings = BudgetSettings()
    early_stopping: EarlyStopping | None = None
    contrasts: dict[str, tuple[str, ...]] = {}
    """Named trends: a chain of players whose strength is tested for a monotone trend."""
    stages: tuple[Stage, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        # A plain round robin may be written as `round_robin = ["h", "p", "lt0"]`.
        if isinstance(data, dict) and "round_robin" in data and "stages" not in data:
            data = dict(data)
            data["stages"] = [{"name": "round robin", "players": data.pop("round_robin")}]
        return data

    @model_validator(mode="after")
    def _distinct_stages(self) -> Self:
        names = [stage.name for stage in self.stages]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ValueError(f"two stages are called {sorted(twice)[0]!r}")
        return self
