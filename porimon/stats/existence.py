"""Does a Bradley–Terry maximum exist, and if not, which players stand in its way.

The likelihood has a maximum exactly if, however the players are split in two groups, some player
of each group has taken a point from one of the other (Ford 1957). In terms of graphs: with an arc
from a loser to everyone it lost points to, the graph is strongly connected. Where it is not, the
differences inside each strongly connected group still have maximum-likelihood values (the
likelihood is largest with the groups infinitely far apart), and nothing else has.

Source: L. R. Ford (1957), "Solution of a ranking problem from binary comparisons", American
Mathematical Monthly 64(8), 28–33; D. R. Hunter (2004), Annals of Statistics 32, assumption 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from porimon.stats.battles import Comparisons, IntArray


def comparable_groups(comparisons: Comparisons) -> IntArray:
    """Shape ``(k,)``: equal labels for players whose difference has a maximum-likelihood value.

    The labels number the groups by their alphabetically first player.
    """
    return _components(comparisons, strong=True)


def connected_groups(comparisons: Comparisons) -> IntArray:
    """Shape ``(k,)``: equal labels for players linked by any chain of matchups, won or lost."""
    return _components(comparisons, strong=False)


def obstacles(comparisons: Comparisons) -> list[str]:
    """Why the maximum does not exist, one sentence per obstacle, naming players; empty if it does.

    The sentences' order and wording depend on nothing but the results.
    """
    strong, weak = comparable_groups(comparisons), connected_groups(comparisons)
    sentences = []
    if weak.max(initial=0) > 0:
        listed = " | ".join(
            _names(comparisons, np.flatnonzero(weak == label)) for label in range(weak.max() + 1)
        )
        sentences.append(
            f"groups that never met, so that no difference between them exists: {listed}"
        )
    for label in range(strong.max(initial=-1) + 1):
        members = np.flatnonzero(strong == label)
        inside = np.isin(comparisons.a, members), np.isin(comparisons.b, members)
        as_a, as_b = inside[0] & ~inside[1], inside[1] & ~inside[0]
        if not (as_a.any() or as_b.any()):
            continue
        lost = comparisons.battles - comparisons.score_a
        won_points = comparisons.score_a[as_a].sum() + lost[as_b].sum()
        played = comparisons.battles[as_a].sum() + comparisons.battles[as_b].sum()
        who = _names(comparisons, members)
        against = "" if len(members) == 1 else " against everyone else"
        if won_points == played:
            sentences.append(f"{who} won all {played:.0f} battles{against}")
        elif won_points == 0:
            sentences.append(f"{who} lost all {played:.0f} battles{against}")
        else:
            sentences.append(
                f"{who} won or lost every battle against each of the others: no chain of results "
                "leads both ways"
            )
    return sentences


def _components(comparisons: Comparisons, *, strong: bool) -> IntArray:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = len(comparisons.players)
    if size == 0:
        return np.zeros(0, dtype=np.int64)
    points_a = comparisons.score_a > 0
    points_b = comparisons.battles - comparisons.score_a > 0
    winner = np.concatenate([comparisons.a[points_a], comparisons.b[points_b]])
    loser = np.concatenate([comparisons.b[points_a], comparisons.a[points_b]])
    graph = coo_array((np.ones(len(winner)), (loser, winner)), shape=(size, size)).tocsr()
    _, labels = connected_components(
        graph, directed=True, connection="strong" if strong else "weak"
    )
    # Number the groups by first appearance, so that labels do not depend on the algorithm.
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    numbered: IntArray = rank[inverse].astype(np.int64)
    return numbered


def _names(comparisons: Comparisons, members: Sequence[int] | IntArray) -> str:
    return ", ".join(comparisons.players[i] for i in members)
