"""Figures: numbers with standard errors and intervals, ratings, and how far the test of a run is."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta, Struct

FEW_DEALS: Final = 30
"""Under so many deals intervals are given with a warning."""

Count = Annotated[int, Meta(ge=0)]
Place = Annotated[int, Meta(ge=1)]


class Figure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number with its standard error and the ends of its 95 % interval; all None under 10 deals.

    The interval of a mean is not symmetric about it: nobody wins always because all games so far were won.
    """

    value: float
    error: float | None
    low: float | None
    """Also None where the interval has no lower end, as that of a rating without a win."""

    high: float | None
    """Also None where the interval has no upper end, as that of a rating without a defeat."""

    deals: Count
    """Deals it rests on."""

    @property
    def half_width(self) -> float | None:
        """Half the length of the interval; None where it has not both ends."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2.0

    @property
    def few_deals(self) -> bool:
        """Whether it rests on fewer than 30 deals, which has to be said."""
        return self.deals < FEW_DEALS


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


class RatingPair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two entrants of a group, the one with the higher rating first."""

    entrant: str
    opponent: str
    """Whose rating is taken away."""

    difference: Figure
    """In rating points."""

    superiority: Annotated[float, Meta(ge=0, le=1)] | None
    """How likely it is that the first is the better one, of this pair taken alone, by what ranks the group.

    None under 10 deals, and for two that are not comparable.
    """


class RatingRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entrant among the ratings of a group."""

    entrant: str
    rating: Figure
    """With an anchor its interval is that of the difference from the anchor."""

    next_lower: RatingPair | None
    """Against the next in the list; None for the last."""


class GroupRatings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ratings of a group and all their differences; rows come best first."""

    group: str
    anchor: str | None
    """Whose rating is held fast; None: the middle of the field is 1500."""

    rows: tuple[RatingRow, ...]
    pairs: tuple[RatingPair, ...]


class HistoryRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entrant at a point of the course."""

    entrant: str
    points: Figure
    rating: Figure | None


class HistoryPoint(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the standings of a group were after so many of its blocks; rows by name."""

    blocks: Count
    rows: tuple[HistoryRow, ...]


class GroupHistory(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The course of a group: to look at, not to test with."""

    group: str
    points: tuple[HistoryPoint, ...]


class Verdict(StrEnum):
    """What a likelihood ratio test says."""

    GO_ON = "go on"
    HIGHER = "higher"
    """The lead is nearer the higher of the two."""

    LOWER = "lower"
    """The lead is nearer the lower of the two."""


class RatioTest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far `until: sprt` has come; leads are of the first entrant, in placement points a block."""

    entrant: str
    opponent: str
    low: float
    high: float
    """The two leads between which it decides."""

    blocks: Count
    won: Count
    level: Count
    lost: Count
    lead: float | None
    """None before the first block."""

    elo: float | None
    """The lead in rating points, as in chess; None before the first block, and when all points went one way."""

    log_ratio: float | None
    """Of the likelihoods of the higher and of the lower lead; None before the first block."""

    lower_bound: float
    upper_bound: float
    """Where the test ends."""

    verdict: Verdict
