"""Figures: numbers with standard errors and intervals, ratings, and how far the test of a run is."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta, Struct

from tournament.languages import format_decimal, gettext, gettext_noop, with_percent_sign
from tournament.records.record import Count

TOO_FEW: Final = gettext_noop("too few games")

FEW_DEALS: Final = 30
"""Below this many deals intervals come with a warning."""

Place = Annotated[int, Meta(ge=1)]


class Figure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number with its standard error and the ends of its 95 % interval; all None under 10 deals.

    The interval of a mean is not symmetric about it: a bot that won all its games so far need not win the next.
    """

    value: float
    error: float | None
    low: float | None
    """Also None where the interval has no lower end, as that of a rating without a win."""

    high: float | None
    """Also None where the interval has no upper end, as that of a rating without a defeat."""

    deals: Count
    """How many deals it rests on."""

    @property
    def half_width(self) -> float | None:
        """Half the length of the interval; None where it lacks an end."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2.0


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
    """Whose rating is subtracted."""

    difference: Figure
    """In rating points."""

    superiority: Annotated[float, Meta(ge=0, le=1)] | None
    """The probability that the first is the better one, for this pair alone, by what ranks the group.

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
    """Whose rating is fixed; None: the middle of the field is 1500."""

    rows: tuple[RatingRow, ...]
    pairs: tuple[RatingPair, ...]


class HistoryRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entrant at a point of the course."""

    entrant: str
    points: Figure
    rating: Figure | None


class HistoryPoint(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The standings of a group after this many of its blocks; rows by name."""

    blocks: Count
    rows: tuple[HistoryRow, ...]


class GroupHistory(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the standings of a group developed: to look at, not to test with."""

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


def format_points(figure: Figure | None) -> str:
    """Returns a share from 0 to 1 with its interval, where there is one: `0.931 (0.806-0.985)`."""
    if figure is None:
        return gettext(TOO_FEW)
    value = format_number(figure.value, digits=3)
    return value if figure.low is None or figure.high is None else f"{value} ({_ends(figure.low, figure.high, 3)})"


def format_figure(figure: Figure | None, *, digits: int, signed: bool = False) -> str:
    """Returns a number with its interval, where there is one; "too few games" for None.

    `+0.135 ± 0.108` where both ends are as far away, otherwise `+0.950 (+0.850 to +1.000)`.
    """
    if figure is None:
        return gettext(TOO_FEW)
    value = format_number(figure.value, digits=digits, signed=signed)
    if figure.low is None or figure.high is None:
        return value
    reaches = (figure.value - figure.low, figure.high - figure.value)
    below, above = (format_decimal(reach, digits, grouped=False) for reach in reaches)
    if below == above:
        return f"{value} ± {above}"
    low, high = (format_number(end, digits=digits, signed=signed) for end in (figure.low, figure.high))
    return gettext("{value} ({low} to {high})", value=value, low=low, high=high)


def format_rating(figure: Figure | None) -> str:
    """Returns a rating with its interval: `1867 (1740-2050)`; without an upper end `above 1767`."""
    if figure is None:
        return gettext(TOO_FEW)
    value = format_number(figure.value, digits=0)
    if figure.error is None:
        return value
    if figure.low is None and figure.high is None:
        # Translators: a rating whose interval is open at both ends
        return gettext("{value} (no ends)", value=value)
    if figure.high is None:
        return gettext("above {value}", value=format_number(figure.low or 0.0, digits=0))
    if figure.low is None:
        return gettext("below {value}", value=format_number(figure.high, digits=0))
    return f"{value} ({_ends(figure.low, figure.high, 0)})"


def _ends(low: float, high: float, digits: int) -> str:
    ends = [format_number(end, digits=digits) for end in (low, high)]
    return gettext("{low} to {high}", low=ends[0], high=ends[1]) if low < 0 else "-".join(ends)


def format_difference(figure: Figure, basis: Basis) -> str:
    """Returns a difference of points, or of ratings, with its sign and the half-width of its interval."""
    return format_figure(figure, digits=0 if basis is Basis.RATINGS else 3, signed=True)


def format_number(value: float, *, digits: int, signed: bool = False) -> str:
    """Returns a number with so many decimals and a typographic minus; never -0."""
    rounded = round(value, digits) + 0.0
    text = format_decimal(abs(rounded), digits, grouped=False)
    sign = "−" if rounded < 0 else "+" if signed and rounded > 0 else ""
    return f"{sign}{text}"


def format_short(value: float, *, most_digits: int) -> str:
    """Returns a number with as many decimals as it needs, at most this many: `0.5`, `12`."""
    rounded = round(value, most_digits)
    digits = next(digits for digits in range(most_digits + 1) if round(value, digits) == rounded)
    return format_number(value, digits=digits)


def format_share(share: float | None, *, digits: int = 0) -> str:
    """Returns a share in per cent; "too few games" for None."""
    return gettext(TOO_FEW) if share is None else with_percent_sign(format_number(100 * share, digits=digits))


def format_probability(probability: float | None) -> str:
    """Returns a probability in per cent; never 0 or 100, which no number of games gives."""
    if probability is None:
        return gettext(TOO_FEW)
    if probability > 0.9995:
        return gettext("over {share} %", share=format_number(99.9, digits=1))
    if probability < 0.0005:
        return gettext("under {share} %", share=format_number(0.1, digits=1))
    return with_percent_sign(format_number(100 * probability, digits=1))


def format_range(least: int, most: int) -> str:
    """Returns both ends, or the one number they are."""
    return str(least) if least == most else f"{least}-{most}"
