"""What templates can do beyond Django's own: texts of others made printable, moments, sizes, drawings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.arena.files import ActKind
from tournament.arena.transitions import state_word
from tournament.lab.check.report import format_step_name
from tournament.languages import (
    format_day,
    format_decimal,
    format_moment,
    format_number,
    gettext,
    pgettext,
    showing_times_in,
    with_unit,
)
from tournament.records.settings import Isolation
from tournament.report.shown.words import format_isolation, format_kind, format_kinds
from tournament.text import printable, printable_lines

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

register = template.Library()


@register.filter
def shown(text: object) -> str:
    """Returns one line of a text with everything that could hide or turn it written out."""
    return printable(str(text))


@register.filter
def shown_lines(text: object) -> str:
    """Returns a text of several lines with everything that could hide or turn it written out."""
    return printable_lines(str(text))


_HEADINGS: Final = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6", "h6": "h6"}
"""A page has a heading above what a host wrote."""

_LED_TO: Final = frozenset({"", "http", "https", "mailto"})
"""The schemes to which a link of a host may lead; without one it leads to a page of the site."""


def _may_lead(address: str) -> bool:
    try:
        return urlsplit(address).scheme.lower() in _LED_TO
    except ValueError:  # no address at all
        return False


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    made = MarkdownIt("js-default", {"html": False}).disable("image")
    made.validateLink = _may_lead  # type: ignore[method-assign, assignment]
    return made


@register.filter
@lru_cache(maxsize=64)
def markdown(text: str) -> SafeString:
    """Returns what a host wrote as HTML: tags in it are text, pictures are links, and no link runs anything."""
    made = _markdown()
    tokens = made.parse(printable_lines(text))
    for token in tokens:
        token.tag = _HEADINGS.get(token.tag, token.tag)
    return SafeString(made.renderer.render(tokens, made.options, {}))


@register.filter
def moment(value: datetime | str | None) -> str | SafeString:
    """Returns a moment as an element that shows it in the present zone; a dash for none."""
    if value is None or value == "":
        return "–"
    at = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return _time_element(at, format_moment(at))


@register.filter
def moment_in(value: datetime | None, zone: tzinfo) -> str | SafeString:
    """Returns a moment as `moment` does, in a zone of its own."""
    with showing_times_in(zone):
        return moment(value)


def _time_element(at: datetime, told: str) -> SafeString:
    return format_html('<time datetime="{}">{}</time>', f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", told)


@register.filter
def day(value: str | None) -> str | SafeString:
    """Returns the day of a moment as an element that shows it in the present zone; a dash for none."""
    if value is None:
        return "–"
    at = datetime.fromisoformat(value)
    return _time_element(at, format_day(at))


@register.filter
def ago(value: datetime | None) -> str:
    """Returns how long ago a moment was, in its largest unit."""
    if value is None:
        return "–"
    seconds = max(0, int((now() - value).total_seconds()))
    for size, name in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            return _duration(seconds // size, name)
    return _duration(seconds, "second")


def _duration(count: int, unit: str) -> str:
    words = {
        "day": ngettext("%(count)d day", "%(count)d days", count),
        "hour": ngettext("%(count)d hour", "%(count)d hours", count),
        "minute": ngettext("%(count)d minute", "%(count)d minutes", count),
        "second": ngettext("%(count)d second", "%(count)d seconds", count),
    }
    return words[unit] % {"count": count}


@register.filter
def size(bytes_: int) -> str:
    """Returns a number of bytes in its largest unit."""
    amount = float(bytes_)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000:
            return with_unit(format_decimal(amount, 0 if unit == "B" else 1), unit)
        amount /= 1000
    return with_unit(format_decimal(amount, 1), "TB")


@register.filter
def grouped(number: int) -> str:
    """Returns a whole number with its groups apart, as the reader's language has it."""
    return format_number(number)


@register.filter
def points(value: float | None) -> str:
    """Returns a number without decimals, with the minus that typography wants; a dash for none."""
    return "–" if value is None else f"{value:.0f}".replace("-", "−")


@register.filter
def share(value: float | None) -> str:
    """Returns a share of points with two decimals; a dash for none."""
    return "–" if value is None else format_decimal(value, 2)


@register.filter
def item(values: Any, key: Any) -> Any:
    """Returns what a mapping has under a key; None where it has nothing."""
    return values.get(key)


register.filter("state_word", state_word)


@register.filter
def ours(text: str) -> str:
    """Returns a sentence of ours that is kept in English in the reader's language; one of somebody else as it is."""
    return gettext(text) if text else ""


@register.filter
def fault_word(kind: str) -> str:
    """Returns a kind of faults in the language of the reader."""
    return format_kind(kind)


@register.filter
def fault_counts(counts: Mapping[str, int]) -> str:
    """Returns how many faults of each kind there are in the language of the reader."""
    return format_kinds(counts)


@register.filter
def isolation_word(isolation: Isolation) -> str:
    """Returns what keeps bots apart in the language of the reader."""
    return format_isolation(isolation)


@register.filter
def act_word(kind: ActKind) -> str:
    """Returns what a host did in the language of the reader."""
    return {
        ActKind.CREATE: pgettext("what a host did", "create"),
        ActKind.CHANGE: pgettext("what a host did", "change"),
        ActKind.OPEN: pgettext("what a host did", "open"),
        ActKind.PAUSE: pgettext("what a host did", "pause"),
        ActKind.FREEZE: pgettext("what a host did", "freeze"),
        ActKind.CLOSE: pgettext("what a host did", "close"),
        ActKind.CHECK_AGAIN: pgettext("what a host did", "check again"),
        ActKind.READ_LOG: pgettext("what a host did", "read log"),
        ActKind.DISQUALIFY: pgettext("what a host did", "disqualify"),
        ActKind.REINSTATE: pgettext("what a host did", "reinstate"),
        ActKind.ANNOUNCE: pgettext("what a host did", "announce"),
        ActKind.SEASON: pgettext("what a host did", "season"),
        ActKind.ABANDON: pgettext("what a host did", "abandon"),
        ActKind.ENTER: pgettext("what a host did", "enter"),
    }[kind]


register.filter("step_name", format_step_name)


@register.filter
def step_word(verdict: str) -> str:
    """Returns how a step of a check went, in the language of the reader."""
    words = {
        "passed": _("passed"),
        "failed": _("failed"),
        "skipped": _("skipped"),
        "running": _("now"),
        "to come": _("to come"),
    }
    return words.get(verdict, verdict)
