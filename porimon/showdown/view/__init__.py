"""What a player may know of a battle at one decision: an immutable, serialisable picture."""
