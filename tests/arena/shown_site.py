"""The site of an arena, served to a browser. Import `address` and `beside_a_loop` as fixtures."""

from __future__ import annotations

import pytest
from arena.made_site import client_of
from served_runs import served

PATIENCE_MS = 120_000
"""Only ends a test whose page never comes. On a busy machine a page with a game may take more than ten seconds: the
process that makes reports is started for the first of them."""


@pytest.fixture(scope="module", autouse=True)
def beside_a_loop():
    """Playwright keeps an event loop in this thread, and Django would refuse to work beside it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture
def address(site):
    """Where the site is served."""
    from tournament.arena.web.asgi import make_application

    with served(make_application(), timeout_graceful_shutdown=1) as place:
        yield place


def log_in(page, address: str, account) -> None:
    """Gives the browser the session of an account."""
    session = client_of(account).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
