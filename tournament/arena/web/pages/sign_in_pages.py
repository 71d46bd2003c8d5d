"""The way to a server of others at which people sign in, and back."""

from __future__ import annotations

from typing import Any, Final

from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render

from tournament.arena.places import server_of

_BAD_GATEWAY: Final = 502


def begin(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Sends a visitor to a server to sign in there, or tells that it does not answer."""
    from allauth.socialaccount.providers.oauth2.views import OAuth2LoginView

    return _visit(OAuth2LoginView, request, provider_id)


def come_back(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Signs in a visitor who comes back from a server, or tells why not."""
    from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView

    return _visit(OAuth2CallbackView, request, provider_id)


def _visit(view: Any, request: HttpRequest, provider_id: str) -> HttpResponseBase:
    if server_of(provider_id) is None:
        raise Http404
    from requests import RequestException

    from tournament.arena.web.pages.open_id import ArenaOpenIdAnswers, UnusableServerError

    try:
        return view.adapter_view(ArenaOpenIdAnswers(request, provider_id))(request)  # type: ignore[no-any-return]
    except IntegrityError:  # at the same moment an account came into being that has the name, or is the person's own
        return redirect("account_login")
    except (RequestException, UnusableServerError):  # no answer, or none that tells of OpenID Connect
        return render(request, "socialaccount/authentication_error.html", status=_BAD_GATEWAY)
