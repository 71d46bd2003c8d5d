"""What forms do: the rules stand in `taking_part` and `hosting`; here a refusal becomes a message on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.views import redirect_to_login
from django.db import DataError, IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.states import StateError
from tournament.arena.web.error_pages import not_understood
from tournament.errors import ConfigurationError, TournamentError

IN_ENGLISH: Final = "english"
"""The tag of a message that is English whatever its reader speaks."""

_SIGNING_UP: Final = frozenset({"account_signup", "socialaccount_signup"})


def act(request: HttpRequest, call: Callable[[], object], *, told: str, then: str, **place: Any) -> HttpResponse:
    """Does something that a form asks for, says how it went, and goes on to a page.

    `then` is the name of the page's address, and `place` what the address needs.
    """
    try:
        call()
    except (RefusedError, StateError, ConfigurationError) as error:
        if isinstance(error, RefusedError) and error.kind is RefusalKind.NOT_ALLOWED:
            raise  # a page of its own, with its status
        tell_refusal(request, error)
    else:
        messages.success(request, told)
    answer: HttpResponse = redirect(then, **place)
    return answer


def tell_refusal(request: HttpRequest, error: TournamentError) -> None:
    """Tells a visitor on the next page why something was refused; what is wrong with rules is told in English."""
    tags = IN_ENGLISH if isinstance(error, ConfigurationError) else ""
    messages.error(request, str(error), extra_tags=tags)


class RefusalPages:
    """Middleware: whatever else the arena refuses is a page that says so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Returns the answer to a request."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Returns a page for what a view raised; None for what is no refusal."""
        if isinstance(error, RefusedError):
            if error.kind is RefusalKind.NOT_LOGGED_IN:
                return redirect_to_login(request.get_full_path())
            values = {"heading": _("That cannot be done"), "text": str(error)}
            return render(request, "arena/message.html", values, status=error.status)
        if isinstance(error, IntegrityError) and _signs_up(request):  # somebody took the name at the same moment
            messages.error(request, get_user_model()._meta.get_field("username").error_messages["unique"])
            return redirect(request.get_full_path())
        if isinstance(error, DataError):  # such as the character NUL, which PostgreSQL takes in no text
            return not_understood(request, error)
        if isinstance(error, TournamentError):
            values = {"heading": _("The arena cannot show this"), "text": _("Tell its host when it was.")}
            return render(request, "arena/message.html", values, status=500)
        return None


def _signs_up(request: HttpRequest) -> bool:
    match = request.resolver_match
    return match is not None and match.view_name in _SIGNING_UP
