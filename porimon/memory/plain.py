"""The formulas of Long-Term KAG as they are written, one experience after the other.

The reference that the vectorised retrieval is tested and measured against. Source: Porimon §II-C;
"our reading" where a function says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from porimon.config.player import MemoryConfig
from porimon.memory.experience import Document, Experience
from porimon.memory.similarity import Similarity

PairSimilarity = Callable[[Document, Document], float]
"""s(a, b): the similarity of two members."""


def directed(team: Sequence[Document], other: Sequence[Document], alike: PairSimilarity) -> float:
    """d(A→B): the mean over A of the best similarity to a member of B. Both have members."""
    return sum(max(alike(a, b) for b in other) for a in team) / len(team)


def directed_weighted(
    stored: Sequence[Document],
    importance: Sequence[float | None],
    current: Sequence[Document],
    alike: PairSimilarity,
) -> float:
    """d_r(M→C): the mean weighted by importance; plain where all are 0 or one is unknown."""
    weights = [weight for weight in importance if weight is not None]
    if len(weights) < len(stored) or sum(weights) == 0:
        return directed(stored, current, alike)
    best = [max(alike(m, c) for c in current) for m in stored]
    return sum(r * s for r, s in zip(weights, best, strict=True)) / sum(weights)


def team_similarity(
    stored: Sequence[Document],
    importance: Sequence[float | None] | None,
    current: Sequence[Document],
    alike: PairSimilarity,
) -> float:
    """S(M, C), or S_r(M, C) if ``importance`` is given.

    Our reading: two teams without members are alike (1); one without and one with are not (0).
    """
    if not stored or not current:
        return 1.0 if not stored and not current else 0.0
    if importance is None:
        forth = directed(stored, current, alike)
    else:
        forth = directed_weighted(stored, importance, current, alike)
    return 0.5 * (forth + directed(current, stored, alike))


def score(
    experience: Experience,
    own_team: Sequence[Document],
    foe_team: Sequence[Document],
    similarity: Similarity,
    config: MemoryConfig,
) -> float:
    """λ · S(opponent_memory, opponent_now) + (1 − λ) · S(own_memory, own_now)."""

    def alike(one: Document, other: Document) -> float:
        return similarity.pair(one, other, config.alpha)

    weighted = config.retrieval == "weighted"
    opponent = team_similarity(
        experience.foe_team,
        experience.foe_importance if weighted else None,
        foe_team,
        alike,
    )
    own = team_similarity(
        experience.own_team,
        experience.own_importance if weighted else None,
        own_team,
        alike,
    )
    return config.opponent_weight * opponent + (1 - config.opponent_weight) * own


def retrieve(
    experiences: Sequence[Experience],
    own_team: Sequence[Document],
    foe_team: Sequence[Document],
    similarity: Similarity,
    config: MemoryConfig,
) -> list[tuple[Experience, float]]:
    """The ``config.top`` best experiences with their scores; ties: the newer (later) first."""
    if len(experiences) < max(config.minimum, 1):
        return []
    scored = [
        (score(each, own_team, foe_team, similarity, config), place, each)
        for place, each in enumerate(experiences)
    ]
    scored.sort(key=lambda entry: (-round(entry[0], 12), -entry[1]))
    return [(each, value) for value, _, each in scored[: config.top]]
