"""What a ranking, or a difference of two entrants, goes by."""

from __future__ import annotations

from enum import StrEnum


class Basis(StrEnum):
    """What entrants are compared by; the schedule decides it, never a result."""

    POINTS = "points"
    """Placement points: all met the same opponents."""

    RATINGS = "ratings"
    """Ratings without a prior: not all met the same opponents, and points depend on who was met."""

    ROUNDS = "rounds"
    """The round of a knockout that was reached: of strength nothing is claimed."""

    SHARED_TABLES = "shared tables"
    """Of two entrants: placement points at the tables at which both sat."""

    NONE = "not comparable"
    """Of two entrants: no chain of wins and ties joins them both ways, and they shared too few tables."""
