"""Tournaments: plan (who plays whom, with which seed) → run → record → resume."""
