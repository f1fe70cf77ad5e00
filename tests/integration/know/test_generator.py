"""The shipped data against the pinned package: equal to it, and complete for what it generates."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from porimon.showdown.candidates import Revealed, candidates
from porimon.showdown.candidates import samples as sampling
from porimon.showdown.dex import dex, extract
from porimon.showdown.node import NodeParts
from porimon.showdown.view.model import NO_ITEM

TEAMS_SCRIPT = Path(__file__).parent / "teams.js"
SAMPLED_AGAIN = ("garbodorgmax", "gastrodon")


def generated_teams(node_parts: NodeParts, count: int) -> Iterator[list[dict[str, Any]]]:
    package = node_parts.showdown_server / "node_modules" / "pokemon-showdown"
    done = subprocess.run(
        [node_parts.node, str(TEAMS_SCRIPT), str(package), str(count)],
        capture_output=True,
        timeout=170,
        check=True,
    )
    return (json.loads(line) for line in done.stdout.splitlines())


def test_the_shipped_game_data_are_those_of_the_pinned_package(node_parts: NodeParts) -> None:
    shipped = gzip.decompress(extract.DATA_FILE.read_bytes())
    assert extract.extract_game_data() == shipped


def test_storing_the_same_data_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("first", "second"):
        extract.store(b'{"species":{}}', tmp_path / name)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_the_shipped_samples_come_from_the_pinned_generator(node_parts: NodeParts) -> None:
    """Each species has a seed of its own: a few, sampled again, give exactly the same counts."""
    document = json.loads(gzip.decompress(sampling.DATA_FILE.read_bytes()))
    again = sampling.sample_generator(document["samples"], *SAMPLED_AGAIN)
    assert again["source"] == document["source"]
    for species in SAMPLED_AGAIN:
        assert again["species"][species] == document["species"][species]


def test_every_species_of_the_generator_was_sampled() -> None:
    assert set(sampling.samples().species) == set(dex().ids("random_sets"))


def check_teams(teams: Iterator[list[dict[str, Any]]]) -> int:
    """Every generated Pokémon has its texts, and its exact set is among the candidates."""
    data = dex()
    unknown = 0
    members = 0
    for team in teams:
        for one in team:
            members += 1
            assert data.species(one["species"]).text
            assert data.ability(one["ability"]).short_text
            for move in one["moves"]:
                assert data.move(move).short_text
            if one["item"]:
                assert data.item(one["item"]).short_text
            found = candidates(Revealed(one["species"], one["level"]))
            assert found.relaxed == ()
            unknown += not any(
                set(candidate.moves) == set(one["moves"])
                and candidate.item == (one["item"] or NO_ITEM)
                and candidate.ability == one["ability"]
                and candidate.evs == one["evs"]
                and candidate.ivs == one["ivs"]
                for candidate in found.sets
            )
    assert members > 0
    assert unknown <= 0.001 * members
    return members


def test_300_generated_teams_are_known_completely(node_parts: NodeParts) -> None:
    assert check_teams(generated_teams(node_parts, 300)) == 1800


@pytest.mark.long
def test_5_000_generated_teams_are_known_completely(node_parts: NodeParts) -> None:
    assert check_teams(generated_teams(node_parts, 5000)) == 30000
