"""Ratings with the differences of all pairs, and the course of play, as standings have them on request."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tournament.records.figure import Count, Figure


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
