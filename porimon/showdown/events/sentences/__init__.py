"""Events told as sentences, from one player's side."""

from porimon.showdown.events.sentences.narrator import Narrator, Told
from porimon.showdown.events.sentences.scene import Silence

__all__ = ["Narrator", "Silence", "Told"]
