"""The site as an application of ASGI; to be imported once Django is set up."""

from __future__ import annotations

from django.core.asgi import get_asgi_application

from tournament.arena.web.wrappers.limiting import Application, limited
from tournament.arena.web.wrappers.shared_pages import sharing_pages
from tournament.arena.web.wrappers.threads import sharing_a_thread


def make_application() -> Application:
    """Returns the site, with a thread of its own for its event streams, and pages that are made once for many."""
    return limited(sharing_pages(sharing_a_thread(get_asgi_application())))


application = make_application()
