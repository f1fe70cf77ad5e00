"""The exact test that two players win equally often (Porimon §III-D, the additional round robin).

Ties are left out, as in the sign test: of the decided battles each player should win half.

Source: W. J. Dixon, A. M. Mood (1946), "The statistical sign test", JASA 41, 557–566.
"""

from __future__ import annotations


def equal_wins_p(wins_a: int, wins_b: int) -> float | None:
    """Two-sided exact binomial p-value; ``None`` where no battle was decided."""
    if wins_a < 0 or wins_b < 0:
        raise ValueError(f"wins are 0 or more: {wins_a}, {wins_b}")
    if wins_a + wins_b == 0:
        return None
    from scipy.special import bdtr

    # At one half both tails are alike. This avoids importing scipy.stats, which takes a second.
    fewer = min(wins_a, wins_b)
    return min(1.0, 2.0 * float(bdtr(fewer, wins_a + wins_b, 0.5)))
