"""The API as it is served, its errors, and where it lies below the site."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any, Final

from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, URLResolver, path, re_path
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from tournament.arena.api.monitoring import healthz, metrics
from tournament.arena.api.own_calls import ALL_CALLS
from tournament.arena.files import format_moment
from tournament.arena.places import arena_folder
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.errors import TournamentError

LOG: Final = logging.getLogger(__name__)
FAILED: Final = "failed"
AWAY: Final = "away"

api: Final = NinjaAPI(
    title="Arena",
    version="1",
    description="Competitions of bots: see the ladder and rounds, hand in versions, follow their checks, challenge. "
    "Calls with a token take it as `Authorization: Bearer TOKEN`; errors are JSON with a sentence.",
    docs_url="/docs",
    urls_namespace="arena-api",
)
api.add_router("", ALL_CALLS)


@api.exception_handler(RefusedError)
def refused(request: HttpRequest, error: RefusedError) -> HttpResponse:
    """Answers a refusal."""
    answer = _answer(str(error), error.kind.value, error.status, free_at=error.free_at)
    if error.kind is RefusalKind.NOT_LOGGED_IN:
        answer["WWW-Authenticate"] = "Bearer"
    return answer


@api.exception_handler(AuthenticationError)
def not_logged_in(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    """Answers a call without a token."""
    told = "This call needs a token. Make one under My bots, and send it as Authorization: Bearer TOKEN."
    answer = _answer(told, RefusalKind.NOT_LOGGED_IN.value, 401)
    answer["WWW-Authenticate"] = "Bearer"
    return answer


@api.exception_handler(ValidationError)
def wrong(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Answers a call whose words or body are not as they have to be."""
    parts = [f"{'.'.join(map(str, one['loc'][1:]))}: {one['msg']}" for one in error.errors]
    return _answer(f"{'; '.join(parts)}. See /api/docs for what this call takes.", RefusalKind.WRONG.value, 422)


@api.exception_handler(HttpError)
def unparsed(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Answers a call whose body is no JSON at all."""
    told = "The body of this call is not JSON that can be read. See /api/docs for what this call takes."
    return _answer(told, RefusalKind.WRONG.value, error.status_code)


@api.exception_handler(DataError)
def unreadable(request: HttpRequest, error: DataError) -> HttpResponse:
    """Answers a call with a text that the database does not take, such as one with the character NUL."""
    return _answer("This call has characters that no name here has. Leave them out.", RefusalKind.WRONG.value, 422)


@api.exception_handler(Http404)
def unknown(request: HttpRequest, error: Http404) -> HttpResponse:
    """Answers a call that there is not."""
    return no_call(request)


@api.exception_handler(InterfaceError)
@api.exception_handler(OperationalError)
def away(request: HttpRequest, error: Exception) -> HttpResponse:
    """Answers while the database is away or takes nothing: programs that follow a check ask again."""
    reason = arena_folder().database_failure(next(iter(str(error).splitlines()), ""))
    LOG.error("%s %s failed: the database does not answer: %s", request.method, request.path, reason)
    return _answer("The arena cannot answer just now. Try again in a while.", AWAY, 503)


@api.exception_handler(Exception)
def failed(request: HttpRequest, error: Exception) -> HttpResponse:
    """Answers what the machine could not do; what it was is in the log of the host, and tells no path to others."""
    LOG.error("%s %s failed", request.method, request.path, exc_info=error)
    kind = "a file of the arena" if isinstance(error, TournamentError) else "the arena"
    return _answer(f"Something is wrong with {kind}, and its host can see what. Try again later.", FAILED, 500)


def no_call(request: HttpRequest, **rest: Any) -> JsonResponse:
    """Answers an address below the API where nothing is."""
    return _answer("There is no such call. See /api/docs for all there are.", RefusalKind.UNKNOWN.value, 404)


def _answer(text: str, kind: str, status: int, *, free_at: datetime | None = None) -> JsonResponse:
    values = {"error": text, "kind": kind} | ({} if free_at is None else {"free_at": format_moment(free_at)})
    return JsonResponse(values, status=status)


urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", api.urls),
    re_path("^api/", no_call),
    path("healthz", healthz),
    path("metrics", metrics),
]
