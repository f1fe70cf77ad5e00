"""The record of a run: one SQLite file (WAL) in the run's folder, written by one thread."""
