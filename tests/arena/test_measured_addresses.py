"""Whatever address the site has, its page is measured, or it shows none."""

from __future__ import annotations

import re

import pytest
from arena.made_site import client_of
from arena.pages_of_site import (
    EVERYBODY,
    EXPIRED,
    GAME,
    HOST,
    IN_A_FRAME,
    OWNER,
    PAGES_OF_SIGNING_IN,
    PROJECTOR,
    WITHOUT_PASSWORD,
)
from django.urls import URLPattern, get_resolver, resolve

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

OF_THE_API = "api/docs"
"""Django Ninja's own page."""

VALUES = {
    "name": "cup",
    "bot": "breaker",
    "number": "1",
    "played": "1",
    "game": GAME,
    "seat": "0",
    "key": "1",
    "page": "data/games-0.js",
    "provider_id": "university",
    "uidb36": "1",
}


def addresses(patterns=None, before=""):
    """Gives the route of every address of the site, and such an address."""
    for one in get_resolver("tournament.arena.web.urls").url_patterns if patterns is None else patterns:
        route = before + str(one.pattern)
        if isinstance(one, URLPattern):
            filled = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: VALUES.get(found[1], "x"), route)
            yield route, "/" + filled
        else:
            yield from addresses(one.url_patterns, route)


def test_every_address_is_measured_or_shows_no_page(site):
    """A page that nothing measures fails here by its route."""
    measured = {
        resolve(path).route
        for path in (
            *(*EVERYBODY, *OWNER, *HOST, *WITHOUT_PASSWORD, *EXPIRED, PROJECTOR, IN_A_FRAME),
            *PAGES_OF_SIGNING_IN,
        )
    }
    visitors = [client_of(account) for account in (None, site.stranger, site.breaker_owner, site.host)]
    shown = set()
    for route, path in addresses():
        if route in measured:
            continue
        for visitor in visitors:
            answer = visitor.get(path)
            if answer.status_code == 200 and "text/html" in answer.headers["content-type"]:
                shown.add(route)

    assert {OF_THE_API} == shown
