"""How far a run under way is, and when it may end."""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from tournament.languages import format_clock, format_moment, format_number, gettext, ngettext
from tournament.records.run import Extent, RunInfo, RunState

LEAST_SECONDS: Final = 20.0
"""A run is watched for so long before the pace that was seen counts, in place of that since it began."""

_WATCHED_SECONDS: Final = 900.0
_SECONDS_BETWEEN: Final = 5.0


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a run is."""

    at: datetime
    """When it was that far."""

    played: int
    planned: int
    """All games of all segments; a knockout may have more."""

    seconds_left: float | None
    """An estimate; None where nothing tells it."""

    watched_seconds: float | None
    """How long the pace was watched; None: the pace is that since the run began."""

    may_end_sooner: bool
    """Whether the run ends as soon as something is decided."""


class Sighting(msgspec.Struct, frozen=True):
    """How many games a run had when somebody looked."""

    at: datetime
    games: int


class Watch:
    """What was seen of a run in the last quarter of an hour."""

    def __init__(self) -> None:
        self._seen: deque[Sighting] = deque()

    def look(self, games: int, now: datetime) -> Sighting:
        """Takes how many games there are, and returns what was seen first."""
        seen = self._seen
        if seen and games < seen[-1].games:
            seen.clear()
        if not seen or (now - seen[-1].at).total_seconds() >= _SECONDS_BETWEEN:
            seen.append(Sighting(now, games))
        while len(seen) > 1 and (now - seen[1].at).total_seconds() >= _WATCHED_SECONDS:
            seen.popleft()
        return seen[0]


def progress_of(info: RunInfo, *, played: int, first: Sighting | None, now: datetime) -> Progress | None:
    """Returns how far a run is; None for one that is not being played. `first` is when it was looked at first."""
    if info.state is not RunState.RUNNING:
        return None
    planned = max(sum(segment.games for segment in info.segments), played)
    watched = None
    begun = datetime.fromisoformat(info.started).astimezone(UTC)
    games, seconds = played, (now - begun).total_seconds()
    if first is not None and played > first.games and (now - first.at).total_seconds() >= LEAST_SECONDS:
        games, seconds = played - first.games, (now - first.at).total_seconds()
        watched = seconds
    return Progress(
        at=now,
        played=played,
        planned=planned,
        seconds_left=seconds * (planned - played) / games if games > 0 and seconds > 0 else None,
        watched_seconds=watched,
        may_end_sooner=info.until is not None,
    )


def format_progress(progress: Progress) -> str:
    """Returns how far a run is and when it may end, as sentences; the end is called an estimate."""
    share = 100 * progress.played // max(progress.planned, 1)
    text = gettext(
        "{share} % played: {played} of {planned} games.",
        share=share,
        played=format_number(progress.played),
        planned=format_number(progress.planned),
    )
    if progress.seconds_left is None or progress.played == progress.planned:
        return text
    end = progress.at + timedelta(seconds=progress.seconds_left)
    when = format_clock(end) if progress.seconds_left < 20 * 3600 else format_moment(end)
    if progress.watched_seconds is None:
        estimate = gettext(
            "About {left} left, until {when}: an estimate from its pace since it began.",
            left=_format_span(progress.seconds_left),
            when=when,
        )
    else:
        estimate = gettext(
            "About {left} left, until {when}: an estimate from its pace of the last {span}.",
            left=_format_span(progress.seconds_left),
            when=when,
            span=_format_span(progress.watched_seconds),
        )
    sooner = [gettext("It ends sooner if it is decided before.")] if progress.may_end_sooner else []
    return " ".join((text, estimate, *sooner))


def _format_span(seconds: float) -> str:
    if seconds < 90:
        return gettext("{number} s", number=max(round(seconds / 10), 1) * 10)
    if seconds < 90 * 60:
        return gettext("{number} min", number=round(seconds / 60))
    return gettext("{number} h", number=round(seconds / 3600))


def format_played(extent: Extent | None, *, games: int, is_running: bool, games_in_finals: int | None) -> str:
    """Returns how many games of a run were planned, played and left out; of one that does not say, how many it has."""
    if extent is None:
        return ngettext("{count} game", "{count} games", games)
    counts = {"planned": format_number(extent.planned), "played": format_number(extent.played)}
    if is_running:
        text = gettext("Planned {planned} games, played {played} so far", **counts)
    else:
        text = gettext("Planned {planned} games, played {played}", **counts)
    # Translators: {text} is what stands before: Planned 100 games, played 90
    if extent.played > extent.planned:
        text = gettext("{text} (more because tables of the knockout were tied)", text=text)
    if extent.in_place:
        text = gettext("{text}, {number} of them in place of others", text=text, number=format_number(extent.in_place))
    if not is_running:
        left_out = sum(gap.games for gap in extent.left_out)
        text = gettext("{text}, left out {number}", text=text, number=format_number(left_out))
    if games_in_finals is not None:
        text = gettext("{text}; {number} in a final", text=text, number=format_number(games_in_finals))
    return text
