"""What happened, as a page lists it and as feeds tell it to other programs: Atom (RFC 4287) and JSON Feed 1.1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urljoin
from xml.etree import ElementTree

import msgspec

from tournament.records.codec import canonical_bytes
from tournament.text import printable

ATOM: Final = "http://www.w3.org/2005/Atom"
JSON_FEED: Final = "https://jsonfeed.org/version/1.1"

MOST_TOLD: Final = 100
"""So many happenings a page or a feed has, the newest."""


class Happening(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened."""

    id: str
    """Within its feed; the same as long as it is told."""

    at: datetime
    text: str
    """A sentence."""

    address: str
    """Where more is told, seen from the address of the feed."""


class NewsFeed(msgspec.Struct, frozen=True, kw_only=True):
    """What happened somewhere."""

    title: str
    address: str
    """The whole address of the feed itself."""

    page: str
    """The page with the same, seen from the feed."""

    language: str
    happenings: tuple[Happening, ...]
    """The newest first."""


def newest(happenings: Iterable[Happening]) -> tuple[Happening, ...]:
    """Returns the newest happenings, the newest first."""
    return tuple(sorted(happenings, key=lambda one: (one.at, one.id), reverse=True)[:MOST_TOLD])


def format_atom(feed: NewsFeed) -> bytes:
    """Returns a feed as Atom."""
    root = ElementTree.Element("feed", {"xmlns": ATOM, "xml:lang": feed.language})
    _add(root, "id", feed.address)
    _add(root, "title", printable(feed.title))
    _add(root, "updated", _moment(_updated(feed.happenings)))
    _add(_add(root, "author"), "name", printable(feed.title))
    _add(root, "link", rel="self", type="application/atom+xml", href=feed.address)
    _add(root, "link", rel="alternate", type="text/html", href=urljoin(feed.address, feed.page))
    for one in feed.happenings:
        entry = _add(root, "entry")
        _add(entry, "id", f"{feed.address}#{one.id}")
        _add(entry, "title", printable(one.text))
        _add(entry, "updated", _moment(one.at))
        _add(entry, "link", rel="alternate", type="text/html", href=urljoin(feed.address, one.address))
        _add(entry, "content", printable(one.text), type="text")
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _add(parent: ElementTree.Element, name: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    element = ElementTree.SubElement(parent, name, attributes)
    element.text = text
    return element


def _updated(happenings: Sequence[Happening]) -> datetime:
    return happenings[0].at if happenings else datetime.fromtimestamp(0, UTC)


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def format_json_feed(feed: NewsFeed) -> bytes:
    """Returns a feed as JSON Feed."""
    items: list[dict[str, Any]] = [
        {
            "id": f"{feed.address}#{one.id}",
            "url": urljoin(feed.address, one.address),
            "content_text": printable(one.text),
            "date_published": _moment(one.at),
        }
        for one in feed.happenings
    ]
    values = {
        "version": JSON_FEED,
        "title": printable(feed.title),
        "home_page_url": urljoin(feed.address, feed.page),
        "feed_url": feed.address,
        "language": feed.language,
        "items": items,
    }
    return canonical_bytes(values) + b"\n"
