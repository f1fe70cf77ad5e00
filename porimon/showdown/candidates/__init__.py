"""What a foe's Pokémon may have, from the Random Battle generator and what was revealed."""

from porimon.showdown.candidates.clues import Clues, ClueTracker
from porimon.showdown.candidates.infer import candidates
from porimon.showdown.candidates.model import Candidates, CandidateSet, Revealed
from porimon.showdown.candidates.reveal import revealed_from_view

__all__ = [
    "CandidateSet",
    "Candidates",
    "ClueTracker",
    "Clues",
    "Revealed",
    "candidates",
    "revealed_from_view",
]
