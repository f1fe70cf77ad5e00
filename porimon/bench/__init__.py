"""Benchmarks: what `porimon bench NAME` measures, side by side in one run."""
