"""Players: whoever decides for one side of one battle, from a random one to a language model."""
