"""One label for each player of a run, though stages may call it by different names.

A configuration that plays under several names is one player in the analysis: that is what ties
the stages of a tournament together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from porimon.config.player import PlayerConfig
from porimon.tournament.identity import full_name


def player_labels(
    used: Iterable[tuple[str, str, PlayerConfig]], aliases: Collection[str]
) -> dict[str, str]:
    """Labels by configuration hash, from every (name, hash, configuration) that was played.

    An alias wins; else the name, if it stands for this configuration alone and is its only one;
    else the name with every suffix spelt out, made distinct by a piece of the hash if need be.
    """
    names: dict[str, list[str]] = {}
    hashes: dict[str, set[str]] = {}
    configurations: dict[str, PlayerConfig] = {}
    for name, key, configuration in used:
        if name not in names.setdefault(key, []):
            names[key].append(name)
        hashes.setdefault(name, set()).add(key)
        configurations[key] = configuration
    labels: dict[str, str] = {}
    for key, called in names.items():
        alias = next((name for name in called if name in aliases), None)
        if alias is not None:
            labels[key] = alias
        elif len(called) == 1 and len(hashes[called[0]]) == 1:
            labels[key] = called[0]
        else:
            labels[key] = full_name(configurations[key])
    taken = list(labels.values())
    return {
        key: label if taken.count(label) == 1 else f"{label}#{key[:4]}"
        for key, label in labels.items()
    }
