"""The language that a reader of the site chose, or whose browser asks for: for the texts of Django, and for ours."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.languages import Language, language_of_header, parse_language, showing_times_in, speaking
from tournament.report.shown.readers import LANGUAGE

FOR_PROGRAMS: Final = ("/api/", "/healthz", "/metrics")
"""How addresses begin whose answers programs read: in English, whoever asks."""


def language_chosen(cookie: str | None, header: str) -> Language:
    """Returns the language that a cookie names, or else the one of ours that an `Accept-Language` prefers."""
    return Language(cookie) if cookie in set(Language) else language_of_header(header)


class ReaderLanguage:
    """Middleware: pages are in the language of their reader, and have times in the zone of the arena."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Returns the answer to a request."""
        if request.path_info.startswith(FOR_PROGRAMS):
            with override(Language.ENGLISH), speaking(Language.ENGLISH):
                return self._get_response(request)
        cookie = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
        language = language_chosen(cookie, request.headers.get("accept-language", ""))
        with override(language), speaking(language), showing_times_in(ZoneInfo(settings.ARENA.time_zone)):
            answer = self._get_response(request)
        answer.headers.setdefault("Content-Language", language.value)
        patch_vary_headers(answer, ("Accept-Language", "Cookie"))
        return answer


View = Callable[..., HttpResponseBase]


def in_asked_language(view: View) -> View:
    """Returns a view whose address may name its language, as `?language=de`, whatever its reader has chosen."""

    @wraps(view)
    def answer(request: HttpRequest, *arguments: object, **named: object) -> HttpResponseBase:
        asked = parse_language(request.GET.get(LANGUAGE, ""))
        if asked is None:
            return view(request, *arguments, **named)
        with override(asked), speaking(asked):
            made = view(request, *arguments, **named)
        made.headers["Content-Language"] = asked
        return made

    return answer


@require_safe
@never_cache
def choose(request: HttpRequest) -> HttpResponseBase:
    """Lets a reader choose a language, and leads back to the page that the reader came from."""
    place = request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(place, allowed_hosts={request.get_host()}, require_https=False)
    return render(request, "arena/language.html", {"languages": tuple(Language), "place": place if is_ours else "/"})
