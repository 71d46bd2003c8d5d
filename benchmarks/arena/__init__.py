"""Measurements of the arena: see `benchmarks/README.md`."""
