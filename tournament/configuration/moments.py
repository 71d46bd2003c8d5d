"""Moments in the rules of a competition: written with or without a time and an offset, and in their order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, time, tzinfo
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

ORDER: Final = ("opens", "freezes", "closes")
"""Those that come one after the other; any of them may be missing."""


class Disorder(NamedTuple):
    """Two moments that come in the wrong order, by their names."""

    earlier: str
    """What should be the earlier one."""

    later: str

    def __str__(self) -> str:
        return f"{self.later} has to be later than {self.earlier}. Change one of both."


@cache
def time_zones() -> frozenset[str]:
    """Returns the names of all time zones. Python reads a folder of 600 files for them, so it is asked once."""
    return frozenset(available_timezones())


def moments_of(data: Mapping[str, Any], names: Iterable[str]) -> dict[str, datetime]:
    """Returns the moments that rules give under some names, as they were read; what is no date is left out.

    Without an offset a moment is meant in the `time_zone` of the rules, where they name one that there is, else in UTC.
    """
    named = data.get("time_zone")
    zone = ZoneInfo(named) if isinstance(named, str) and named in time_zones() else UTC
    found = {}
    for name in names:
        with suppress(ValueError, OverflowError):  # no date, or one at the end of all years
            moment = _moment_of(data.get(name), zone)
            if moment is not None:
                found[name] = moment
    return found


def disorder_of(moments: Mapping[str, datetime]) -> Disorder | None:
    """Returns the first two moments of `ORDER` of which the second is not later; None where all come in order."""
    given = [name for name in ORDER if name in moments]
    for earlier, later in pairwise(given):
        if moments[earlier] >= moments[later]:
            return Disorder(earlier, later)
    return None


def _moment_of(value: object, zone: tzinfo) -> datetime | None:
    """Returns the moment that a value means: a date is the beginning of its day. Raises `ValueError`."""
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if not isinstance(value, date):
        return None
    if not isinstance(value, datetime):
        value = datetime.combine(value, time())
    return value if value.tzinfo is not None else value.replace(tzinfo=zone)
