"""Pages that say why there is nothing to see."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _


def _say(request: HttpRequest, heading: str, text: str, *, status: int) -> HttpResponse:
    return render(request, "arena/message.html", {"heading": heading, "text": text}, status=status)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Says that there is nothing at an address."""
    told = exception.args[0] if exception.args and isinstance(exception.args[0], str) else ""
    return _say(request, _("Nothing here"), told or _("Look for it from the first page."), status=404)


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Says that the visitor may not see or do something."""
    return _say(request, _("Not for you"), str(exception) or _("Sign in with another account."), status=403)


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Says that a request cannot be read."""
    return _say(request, _("Not understood"), _("Go back, load the page again, and try once more."), status=400)


def no_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Says that a form was not sent from a page of this site, or its page is too old."""
    text = _("This form was sent from elsewhere, or you signed in since it was shown. Load its page again.")
    return _say(request, _("Sent from elsewhere"), text, status=403)


def broken(request: HttpRequest) -> HttpResponse:
    """Says that the arena failed; the log of the web process says how."""
    return _say(request, _("The arena failed"), _("Its log says how: tell its host when it was."), status=500)
