"""Small drawings as SVG in a page: made of numbers alone, without a script and without styles of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

SPARK: Final = (100, 24)
BAR: Final = (140, 20)
CHART: Final = (640, 240)
_LEFT: Final = 56
_BOTTOM: Final = 30
_MARGIN: Final = 12


class Spot(NamedTuple):
    """A strength after a round."""

    round: int
    strength: float


class Line(NamedTuple):
    """The strengths of one version."""

    name: str
    spots: Sequence[Spot]


class Axis(NamedTuple):
    """From values to places along an axis."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        """Returns the place of a value."""
        width = self.high - self.low
        share = 0.5 if width == 0 else (value - self.low) / width
        return round(self.begin + share * (self.end - self.begin), 1)


def spark(spots: Sequence[Spot]) -> SafeString | str:
    """Returns how a strength went, as a line without axes; nothing for less than two rounds."""
    if len(spots) < 2:
        return ""
    width, height = SPARK
    across = Axis(spots[0].round, spots[-1].round, 2, width - 4)
    up = Axis(min(spot.strength for spot in spots), max(spot.strength for spot in spots), height - 3, 3)
    told = _("From %(first)d to %(last)d") % {"first": spots[0].strength, "last": spots[-1].strength}
    return format_html(
        '<svg class="spark" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<polyline points="{}"/></svg>',
        width,
        height,
        told,
        _points(spots, across, up),
    )


def bar(value: float, low: float | None, high: float | None, *, scale: tuple[float, float]) -> SafeString:
    """Returns a value with its interval on a scale that all rows of a table share."""
    width, height = BAR
    across = Axis(*scale, 8, width - 8)
    interval: SafeString | str = ""
    if low is not None and high is not None:
        ends = (max(scale[0], low), min(scale[1], high))
        interval = format_html(
            '<line class="interval" x1="{}" x2="{}" y1="10" y2="10"/>', across.at(ends[0]), across.at(ends[1])
        )
    return format_html(
        '<svg class="bar" viewBox="0 0 {} {}" aria-hidden="true"><line class="grid" x1="0" x2="{}" y1="10" y2="10"/>{}'
        '<circle class="point" cx="{}" cy="10" r="4"/></svg>',
        width,
        height,
        width,
        interval,
        across.at(value),
    )


def chart(lines: Sequence[Line]) -> SafeString | str:
    """Returns the strengths of the versions of a bot over the rounds; nothing without rounds."""
    spots = [spot for line in lines for spot in line.spots]
    if not spots:
        return ""
    width, height = CHART
    across = Axis(
        min(spot.round for spot in spots), max(spot.round for spot in spots), _LEFT + _MARGIN, width - _MARGIN
    )
    strengths = [spot.strength for spot in spots]
    up = Axis(min(strengths), max(strengths), height - _BOTTOM - _MARGIN, _MARGIN + 14)
    drawn = format_html_join(
        "",
        '<polyline points="{}"/><text x="{}" y="{}">{}</text>',
        (
            (
                _points(line.spots, across, up),
                across.at(line.spots[0].round),
                max(14.0, up.at(line.spots[0].strength) - 8),
                line.name,
            )
            for line in lines
            if line.spots
        ),
    )
    ticks = format_html_join(
        "",
        '<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/><text x="{}" y="{}" text-anchor="end">{}</text>',
        (
            (_LEFT, width, up.at(value), up.at(value), _LEFT - 6, up.at(value) + 4, f"{value:.0f}")
            for value in sorted({up.low, (up.low + up.high) / 2, up.high})
        ),
    )
    rounds = format_html_join(
        "",
        '<text x="{}" y="{}" text-anchor="{}">{}</text>',
        (
            (across.at(number), height - 8, anchor, number)
            for number, anchor in {across.low: "start", across.high: "end"}.items()
        ),
    )
    told = _("Strength over rounds %(first)d to %(last)d, from %(low)d to %(high)d") % {
        "first": across.low,
        "last": across.high,
        "low": up.low,
        "high": up.high,
    }
    return format_html(
        '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}</svg>',
        width,
        height,
        told,
        ticks,
        drawn,
        rounds,
    )


def _points(spots: Sequence[Spot], across: Axis, up: Axis) -> str:
    if len(spots) == 1:  # a short line where there is one round only
        spot = spots[0]
        return f"{across.at(spot.round)},{up.at(spot.strength)} {across.at(spot.round) + 6},{up.at(spot.strength)}"
    return " ".join(f"{across.at(spot.round)},{up.at(spot.strength)}" for spot in spots)
