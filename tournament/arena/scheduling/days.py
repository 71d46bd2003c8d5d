"""The days of a competition, which begin and end at midnight in its own time zone."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tournament.errors import ConfigurationError


class Day(NamedTuple):
    """A day from midnight to midnight; 23 or 25 hours where clocks are changed. Both times are in UTC."""

    begins: datetime
    ends: datetime

    def share_of(self, duration: timedelta) -> float:
        """Returns which share of the day a duration is."""
        return duration / (self.ends - self.begins)


def day_of(moment: datetime, zone: str) -> Day:
    """Returns the day that a moment belongs to in a time zone such as `Europe/Warsaw`.

    A midnight that occurs twice begins the day at the first; one that is skipped, where the clock goes on. Raises
    `ConfigurationError` for a zone that nobody knows.
    """
    place = zone_named(zone)
    date = moment.astimezone(place).date()
    begins, ends = (
        datetime.combine(day, time(), tzinfo=place).astimezone(UTC) for day in (date, date + timedelta(days=1))
    )
    return Day(begins, ends)


def zone_named(zone: str) -> ZoneInfo:
    """Returns a time zone by its name. Raises `ConfigurationError` for one that nobody knows."""
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigurationError(
            f"time_zone: expected the name of a time zone such as Europe/Warsaw, found {zone!a}. "
            "Write one of those that `timedatectl list-timezones` shows."
        ) from None
