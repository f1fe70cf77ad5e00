"""A game that is played by several worker processes, here or on other machines."""
