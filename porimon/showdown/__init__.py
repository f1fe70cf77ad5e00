"""Pokémon Showdown: the server, the view of a battle, knowledge, prompts and players."""
