"""Porimon: language-model agents for Pokémon Showdown, and measurements that can be believed."""

__version__ = "0.1.0"
