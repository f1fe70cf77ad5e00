"""Battles and staged turns from the real simulator, for tests."""
