"""A full state of SCOUT drawn to fit all that one seat saw."""

from __future__ import annotations


def redeal_state(seen, rng, *, deal_hands, pack):
    raise RuntimeError
