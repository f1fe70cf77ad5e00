"""What a player is, and its name both ways: ``lt1-uniform-T10-a0.7`` ⇄ ``PlayerConfig``.

A suffix overrides the value that the player would otherwise inherit (the default, or what an
earlier stage found). Names and suffixes are the paper's (Porimon §III-B).
"""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from porimon.errors import UserInputError

AnswerMode = Literal["io", "cot", "sc", "tot"]
Knowledge = Literal["pokellmon", "extended"]
PromptStyle = Literal["porimon", "pokellmon"]
Retrieval = Literal["uniform", "weighted"]


class MemoryConfig(BaseModel):
    """Long-Term KAG (Porimon §II-C). The options below ``snapshot`` go beyond the paper."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    retrieval: Retrieval = "uniform"
    """Which similarity of teams: plain, or weighted by the stored Pokémon's importance."""
    alpha: float = Field(0.7, ge=0, le=1)
    """Weight of the numerical similarity of two Pokémon; 1 − alpha weighs the categorical one."""
    opponent_weight: float = Field(0.7, ge=0, le=1)
    """λ: weight of the opponent's team in an experience's score."""
    minimum: int = Field(10, ge=0)
    """Experiences that must be stored before any is retrieved."""
    top: int = Field(3, ge=1)
    """How many experiences a decision is given."""
    log_characters: int = Field(12_000, ge=100)
    """How much of the end of the battle's log the reflection reads."""
    snapshot: Literal["start", "end"] = "start"
    """Whether stored Pokémon carry the HP and status of the battle's start or of its end."""
    capacity: int | None = Field(None, ge=1)
    """Forgetting: at most so many experiences are kept for retrieval; ``None``: all."""
    forgetting: Literal["oldest", "least_used", "least_useful"] = "oldest"
    """Which experience goes when ``capacity`` is full."""
    usefulness: bool = False
    """Whether an experience's score learns from the battles in which it was retrieved."""
    placebo: bool = False
    """Whether retrieved experiences are exchanged for others at random (a control)."""
    raw_episodes: bool = False
    """Whether the battle's log itself is given in place of summary and lessons."""


class PlayerConfig(BaseModel):
    """One player, completely specified. ``base`` says what it is; the rest, how it is set.

    ``window`` is T, ``retries`` is Tr. Players that ask no language model ignore the settings that
    only concern prompts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    base: str
    llm: str | None = None
    """Name of the language model in ``llm.toml``; ``None``: this player asks none."""
    window: int = Field(5, ge=0)
    retries: int = Field(1, ge=0)
    mode: AnswerMode = "io"
    answer_format: Literal["json_object", "json_schema", "text"] = "json_object"
    style: PromptStyle = "porimon"
    knowledge: Knowledge = "extended"
    prompts: str | None = None
    """Folder of prompt templates; ``None``: those of the package."""
    memory: MemoryConfig | None = None
    """Long-Term KAG; ``None``: the player has none."""
    plugin: str | None = None
    """Where a player of the user's own comes from (``file.py:Class`` or an entry point)."""

    @property
    def asks_model(self) -> bool:
        """Whether this player asks a language model."""
        return self.base in LANGUAGE_MODEL_PLAYERS


LANGUAGE_MODEL_PLAYERS: dict[str, dict[str, object]] = {
    "p": {"style": "pokellmon", "knowledge": "pokellmon"},
    "lt0": {"style": "porimon", "knowledge": "extended"},
    "lt0v": {"style": "porimon", "knowledge": "pokellmon"},
    "lt0w": {"style": "pokellmon", "knowledge": "extended"},
    "lt1-uniform": {
        "style": "porimon",
        "knowledge": "extended",
        "memory": MemoryConfig(retrieval="uniform", alpha=0.7),
    },
    "lt1-weighted": {
        "style": "porimon",
        "knowledge": "extended",
        "memory": MemoryConfig(retrieval="weighted", alpha=0.3),
    },
}
"""What sets the paper's players apart (Porimon §III-B); everything else is inherited."""

PLAIN_PLAYERS: dict[str, str] = {
    "h": "poke-env's SimpleHeuristicsPlayer, the reference of the Bradley–Terry model",
    "random": "a legal order at random",
    "max-power": "the available move with the highest base power",
}
"""Players that ask no language model, and what they do."""

_SUFFIX = re.compile(r"-(?:T(?P<window>\d{1,3})|a(?P<alpha>\d(?:\.\d{1,6})?))(?=-|$)")


def split_name(name: str) -> tuple[str, int | None, float | None]:
    """Split a player's name into its base and the values of the suffixes T and a.

    Returns ``(base, window, alpha)``; a suffix that is absent gives ``None``. Raises
    ``UserInputError`` for a repeated suffix or an α outside [0, 1].
    """
    window: int | None = None
    alpha: float | None = None
    base = name
    while match := re.search(_SUFFIX.pattern + "$", base):
        if match["window"] is not None:
            if window is not None:
                raise UserInputError(f"the name {name!r} has two suffixes T", where=name)
            window = int(match["window"])
        else:
            if alpha is not None:
                raise UserInputError(f"the name {name!r} has two suffixes a", where=name)
            alpha = float(match["alpha"])
            if alpha > 1:
                raise UserInputError(
                    f"α in {name!r} is {alpha:g}", where=name, remedy="α lies between 0 and 1"
                )
        base = base[: match.start()]
    return base, window, alpha


def join_name(base: str, window: int | None = None, alpha: float | None = None) -> str:
    """The inverse of ``split_name``: ``join_name("p", 10)`` is ``p-T10``."""
    text = base
    if window is not None:
        text += f"-T{window}"
    if alpha is not None:
        text += f"-a{alpha:g}"
    return text
