"""For machines that watch: `/healthz` says whether the site works, `/metrics` how much it has to do (Prometheus)."""

from __future__ import annotations

import hmac
import logging
import os
import shutil
from ipaddress import ip_address
from typing import Final

from django.db import DatabaseError, connection
from django.db.models import Count, Max, Min, Sum
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.http.request import split_domain_port, validate_host
from django.middleware.common import CommonMiddleware
from django.utils.timezone import now as present
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from tournament.arena.models import CompetitionRow, Participant, RoundRow, Trouble, VersionRow
from tournament.arena.places import arena_folder
from tournament.arena.transitions import CompetitionState, RoundState, VersionState

LOG: Final = logging.getLogger(__name__)
METRICS_TOKEN: Final = "TOURNAMENT_METRICS_TOKEN"
"""The variable of the environment with the token for `/metrics` from elsewhere."""

LOOPBACK_HOSTS: Final = ("127.0.0.1", "localhost", "[::1]")
"""How this machine calls itself in requests to the site."""


class CommonForMonitoring(CommonMiddleware):
    """Django's `CommonMiddleware`, for which whatever watches from this machine needs no public name of the site.

    Other pages are served under the public name alone: links in mails are made of it.
    """

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        """Returns None for a call that goes on. Raises `DisallowedHost` for a name that is not the site's."""
        if request.path in ("/healthz", "/metrics"):
            host, _ = split_domain_port(request.META.get("HTTP_HOST", ""))
            if validate_host(host, LOOPBACK_HOSTS):
                return None
        return super().process_request(request)


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Says whether the database answers and the folder can be written: status 200, or 503."""
    problems = []
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        LOG.exception("The database does not answer: %s", arena_folder().database_failure(str(error).strip()))
        problems.append("database")
    if not os.access(arena_folder().competitions, os.W_OK):
        problems.append("folder")
    return JsonResponse({"ok": not problems, "problems": problems}, status=503 if problems else 200)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Shows the figures of the arena to this machine, or to whoever has the token."""
    if not _may_see(request):
        return JsonResponse(
            {"error": "Metrics are for this machine, or with a token.", "kind": "not allowed"}, status=403
        )
    return HttpResponse(generate_latest(_figures()), content_type=CONTENT_TYPE_LATEST)


def _may_see(request: HttpRequest) -> bool:
    token = os.environ.get(METRICS_TOKEN, "")
    shown = request.headers.get("Authorization", "")
    if token and hmac.compare_digest(shown.encode(), f"Bearer {token}".encode()):
        return True
    # what came through a proxy came from elsewhere, whatever else it says
    if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
        return False
    try:
        return ip_address(str(request.META.get("REMOTE_ADDR", ""))).is_loopback
    except ValueError:
        return False


def _figures() -> CollectorRegistry:
    """Returns what the database says now: each process of the site would say the same."""
    registry = CollectorRegistry()
    now = present()
    versions = Gauge("arena_versions", "Versions", ["competition", "state"], registry=registry)
    counted = VersionRow.objects.values_list("bot__competition__name", "state").annotate(Count("pk"))
    for competition, state, count in counted:
        versions.labels(competition, state).set(count)
    rounds = Gauge("arena_rounds", "Rounds", ["competition", "kind", "state"], registry=registry)
    for competition, kind, state, count in RoundRow.objects.values_list("competition__name", "kind", "state").annotate(
        Count("pk")
    ):
        rounds.labels(competition, kind, state).set(count)
    games = Gauge("arena_games", "Games of complete rounds", ["competition"], registry=registry)
    for competition, count in RoundRow.objects.values_list("competition__name").annotate(Sum("games")):
        games.labels(competition).set(count or 0)
    participants = Gauge("arena_participants", "Participants", ["competition"], registry=registry)
    for competition, count in Participant.objects.values_list("competition__name").annotate(Count("pk")):
        participants.labels(competition).set(count)
    waiting = VersionRow.objects.filter(state__in=(VersionState.RECEIVED.value, VersionState.CHECKING.value))
    oldest = waiting.aggregate(Min("received"))["received__min"]
    longest = Gauge("arena_longest_wait_seconds", "How long the oldest unchecked version has waited", registry=registry)
    longest.set(0.0 if oldest is None else max(0.0, (now - oldest).total_seconds()))
    ended = RoundRow.objects.filter(state=RoundState.COMPLETE.value).aggregate(Max("ended"))["ended__max"]
    last = Gauge("arena_last_round_timestamp_seconds", "When the last round was complete", registry=registry)
    last.set(0.0 if ended is None else ended.timestamp())
    playing = Gauge("arena_open_competitions", "Competitions that are open", registry=registry)
    playing.set(CompetitionRow.objects.filter(state=CompetitionState.OPEN.value).count())
    troubles = Gauge("arena_troubles", "What went wrong on the machine so far", registry=registry)
    troubles.set(Trouble.objects.count())
    disk = shutil.disk_usage(arena_folder().path)
    Gauge("arena_disk_free_bytes", "Free on the arena's disk", registry=registry).set(disk.free)
    Gauge("arena_disk_bytes", "Size of the arena's disk", registry=registry).set(disk.total)
    return registry
