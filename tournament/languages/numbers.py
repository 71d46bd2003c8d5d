"""Numbers and dates as the present language writes them: by Babel, or as in English where Babel is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from tournament.languages.language import Language
from tournament.languages.present import present_language
from tournament.languages.zones import format_offset, in_present_zone

if TYPE_CHECKING:
    from datetime import date, datetime

Length = Literal["short", "medium", "long"]


def knows_languages() -> bool:
    """Returns whether numbers and dates can be written in another language than English."""
    from importlib.util import find_spec

    return find_spec("babel") is not None


def format_number(number: int) -> str:
    """Returns a whole number with its groups apart: `1,000`; in German `1.000`."""
    if _is_plain():
        return f"{number:,}"
    from babel.numbers import format_decimal as format_by_babel

    return format_by_babel(number, locale=present_language())


def format_decimal(number: float, digits: int, *, signed: bool = False, grouped: bool = True) -> str:
    """Returns a number with as many decimal places: `1,234.50`; in German `1.234,50`; signed `+1.50` or `-1.50`.

    Ungrouped `1234.50`, in German `1234,50`.
    """
    if _is_plain():
        return f"{number:{'+' if signed else ''}{',' if grouped else ''}.{digits}f}"
    from babel.numbers import format_decimal as format_by_babel

    whole = "#,##0" if grouped else "0"
    form = f"{whole}.{'0' * digits}" if digits else whole
    # As Python rounds it, so that a page says the same in every language.
    rounded = round(number, digits)
    pattern = f"+{form}" if signed and rounded >= 0 else form  # the language has a minus of its own
    return format_by_babel(rounded, format=pattern, locale=present_language(), group_separator=grouped)


def with_percent_sign(number: str) -> str:
    """Returns a number that is written already with a percent sign behind it: `12.5 %`; in Polish `12,5%`.

    Save in English no line ends between the two.
    """
    from tournament.languages.compiling import percent_sign

    return f"{number}{' %' if _is_plain() else percent_sign(present_language())}"


def with_unit(number: str, unit: str) -> str:
    """Returns a number that is written already with its unit behind it: `12 MB`; as in `with_percent_sign`."""
    from tournament.languages.compiling import NO_BREAK

    return f"{number}{' ' if _is_plain() else NO_BREAK}{unit}"


def format_date(day: date, length: Length = "medium") -> str:
    """Returns a day: `2 Dec 2026`."""
    if _is_plain():
        return f"{day.day} {day:%b %Y}"
    from babel.dates import format_date as format_by_babel

    return format_by_babel(day, format=length, locale=present_language())


def format_time(moment: datetime) -> str:
    """Returns a day and a time of it, in the zone of the moment itself: `2 Dec 2026, 14:05`."""
    return f"{format_date(moment)}, {moment:%H:%M}"


def format_moment(moment: datetime) -> str:
    """Returns a moment in the present zone, to the minute, with how far that is from UTC.

    In English `2026-12-02 14:05 UTC`, in German `02.12.2026, 14:05 UTC`; in Warsaw `2026-12-02 15:05 UTC+1`.
    """
    at = in_present_zone(moment)
    written = f"{at:%Y-%m-%d %H:%M}" if _is_plain() else format_time(at)
    return f"{written} {format_offset(at)}"


def format_clock(moment: datetime) -> str:
    """Returns the time of day in the present zone, with how far that is from UTC: `14:05 UTC`, `15:05 UTC+1`."""
    at = in_present_zone(moment)
    return f"{at:%H:%M} {format_offset(at)}"


def format_day(moment: datetime) -> str:
    """Returns the day of a moment in the present zone: in English `2026-12-02`, in German `02.12.2026`."""
    at = in_present_zone(moment)
    return f"{at:%Y-%m-%d}" if _is_plain() else format_date(at)


def _is_plain() -> bool:
    return present_language() is Language.ENGLISH or not knows_languages()
