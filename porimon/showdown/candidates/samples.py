"""The sampled sets of the Gen 8 Random Battle generator: how they are stored, read and made.

Run ``python -m porimon.showdown.candidates.samples`` to sample the pinned generator again. The file
holds, for each of the generator's species, how often every set came up. The generator's rules
depend on the whole team, so enumerating them exactly is out of reach; sampling under the
circumstances of real teams is not.
"""

from __future__ import annotations

import argparse
import gzip
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from porimon.showdown.dex.extract import run_script, store
from porimon.showdown.dex.stats import STATS
from porimon.showdown.view.model import NO_ITEM, StatName

DATA_FILE = Path(__file__).parent / "gen8randombattle.json.gz"
"""The shipped samples."""

SAMPLES_PER_SPECIES = 3000
"""How many sets of each species the shipped file was made from."""

_SCRIPT = Path(__file__).parent / "sample.js"
_DEADLINE_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class SampledSet:
    """One set of a species and the share of its samples that had it."""

    share: float
    role: str
    moves: frozenset[str]
    item: str
    ability: str
    evs: tuple[int, ...]
    """In the order of ``STATS``, like ``ivs``."""
    ivs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SpeciesSamples:
    """The samples of one of the generator's species.

    ``looks`` are the ids of the species that a battle shows for it (a Gigantamax forme looks like
    the plain one, Gastrodon is blue or pink).
    """

    species: str
    level: int
    looks: tuple[str, ...]
    sets: tuple[SampledSet, ...]


class Samples:
    """All samples, decoded species by species as they are asked for."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.source: str = document["source"]
        self.per_species: int = document["samples"]
        self._species: dict[str, Any] = document["species"]
        self._decoded: dict[str, SpeciesSamples] = {}
        self._by_look: dict[str, list[str]] = {}
        for species, data in self._species.items():
            for look in data["looks"]:
                self._by_look.setdefault(look, []).append(species)

    @property
    def species(self) -> tuple[str, ...]:
        """The generator's own ids of its species."""
        return tuple(self._species)

    def looking_like(self, species: str) -> tuple[SpeciesSamples, ...]:
        """The samples of every species of the generator that a battle shows as ``species``."""
        return tuple(self.of(name) for name in self._by_look.get(species, ()))

    def of(self, species: str) -> SpeciesSamples:
        """The samples of one of the generator's species (a ``KeyError`` for any other)."""
        found = self._decoded.get(species)
        if found is None:
            found = self._decoded[species] = _decode(species, self._species[species])
        return found


def encode(raw: dict[str, Any]) -> dict[str, Any]:
    """The document of ``sample.js`` in the shipped file's compact form.

    Each species gets tables of its roles, moves, items, abilities and spreads; a set is a row of
    positions in them, its moves as a bit mask.
    """
    return {**raw, "species": {key: _encode(data) for key, data in raw["species"].items()}}


def _encode(data: dict[str, Any]) -> dict[str, Any]:
    roles = sorted({row[1] for row in data["sets"]})
    moves = sorted({move for row in data["sets"] for move in row[2]})
    items = sorted({row[3] for row in data["sets"]})
    abilities = sorted({row[4] for row in data["sets"]})
    spreads = sorted({(tuple(row[5]), tuple(row[6])) for row in data["sets"]})
    return {
        "level": data["level"],
        "looks": data["looks"],
        "roles": roles,
        "moves": moves,
        "items": items,
        "abilities": abilities,
        "spreads": [[list(evs), list(ivs)] for evs, ivs in spreads],
        "sets": [
            [
                count,
                roles.index(role),
                sum(1 << moves.index(move) for move in known),
                items.index(item),
                abilities.index(ability),
                spreads.index((tuple(evs), tuple(ivs))),
            ]
            for count, role, known, item, ability, evs, ivs in data["sets"]
        ],
    }


def _decode(species: str, data: dict[str, Any]) -> SpeciesSamples:
    total = sum(row[0] for row in data["sets"])
    moves = data["moves"]
    sets = []
    for count, role, mask, item, ability, spread in data["sets"]:
        evs, ivs = data["spreads"][spread]
        sets.append(
            SampledSet(
                share=count / total,
                role=data["roles"][role],
                moves=frozenset(move for bit, move in enumerate(moves) if mask >> bit & 1),
                item=data["items"][item] or NO_ITEM,
                ability=data["abilities"][ability],
                evs=tuple(evs),
                ivs=tuple(ivs),
            )
        )
    return SpeciesSamples(species, data["level"], tuple(data["looks"]), tuple(sets))


def spread(values: tuple[int, ...]) -> dict[StatName, int]:
    """EVs or IVs of a sampled set by stat."""
    return dict(zip(STATS, values, strict=True))


def sample_generator(count: int, *species: str) -> dict[str, Any]:
    """Sample the pinned generator ``count`` times for each species (none named: all of them).

    Takes about four minutes for all at 1,000 samples each. Raises ``MachineSetupError``.
    """
    raw = json.loads(run_script(_SCRIPT, str(count), *species, deadline=_DEADLINE_SECONDS))
    return encode(raw)


@lru_cache(maxsize=1)
def samples() -> Samples:
    """The shipped samples, read on first use."""
    return Samples(json.loads(gzip.decompress(DATA_FILE.read_bytes())))


def main() -> None:
    """Sample the pinned generator and store the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=SAMPLES_PER_SPECIES)
    parser.add_argument("--out", type=Path, default=DATA_FILE, help="the file to write")
    arguments = parser.parse_args()
    document = sample_generator(arguments.samples)
    store(json.dumps(document, sort_keys=True, separators=(",", ":")).encode(), arguments.out)
    size = arguments.out.stat().st_size
    print(f"{arguments.out}: {size:,} bytes")


if __name__ == "__main__":
    main()
