"""In which time zone moments are shown: in UTC, or within a block of code in another, such as that of a competition."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, tzinfo
from typing import Final

_SHOWN: Final[ContextVar[tzinfo]] = ContextVar("zone", default=UTC)


def present_zone() -> tzinfo:
    """Returns the zone in which moments are shown now."""
    return _SHOWN.get()


@contextmanager
def showing_times_in(zone: tzinfo) -> Iterator[None]:
    """Shows moments in a zone within a block, for this thread or task alone."""
    token = _SHOWN.set(zone)
    try:
        yield
    finally:
        _SHOWN.reset(token)


def in_present_zone(moment: datetime) -> datetime:
    """Returns a moment as clocks in the present zone have it."""
    return moment.astimezone(present_zone())


def format_offset(moment: datetime) -> str:
    """Returns how far the clock of a moment is from UTC: `UTC`, `UTC+2`, `UTC−3:30`.

    Names such as CEST would not do: some zones have none, and some names mean two zones.
    """
    offset = moment.utcoffset()
    minutes = 0 if offset is None else round(offset.total_seconds() / 60)
    if not minutes:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'+' if minutes > 0 else '−'}{hours}{f':{rest:02}' if rest else ''}"
