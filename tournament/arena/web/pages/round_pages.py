"""Pages for everybody: the rounds, one of them with its report and its games, and its public copy to take away."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.arena.api.downloads import cached_round, round_zip, zip_name
from tournament.arena.files import ROUND_FILE, RoundFile, read_json
from tournament.arena.models import RoundRow
from tournament.arena.transitions import RoundState
from tournament.arena.web.makers import MAKER, BusyError
from tournament.arena.web.news import NewsKind, NewsSubject, stamp
from tournament.arena.web.visits import Visit, for_everybody
from tournament.errors import RunError, TournamentError
from tournament.languages import present_language, present_zone
from tournament.records.results import RESULTS_FILE
from tournament.records.run import RunInfo
from tournament.store.files import stamp_of
from tournament.store.folder import read_run

ROUNDS_A_PAGE: Final = 50
_CHUNK_BYTES: Final = 65_536

REPORT_POLICY: Final = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"
"""A report or a replay carries a policy of its own, with the digests of its style and script: nothing else runs."""


@require_safe
@for_everybody
def rounds(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Lists the rounds, the newest first."""
    rows = RoundRow.objects.filter(competition=visit.row).order_by("-number")
    listed = Paginator(rows, ROUNDS_A_PAGE).get_page(request.GET.get("page"))
    values = visit.values(page="rounds", rounds=listed, since=stamp(NewsSubject(NewsKind.COMPETITION, visit.row.pk)))
    return render(request, "arena/rounds.html", values)


def round_of(visit: Visit, number: int) -> RoundRow:
    """Returns a round of a competition. Raises `Http404`."""
    row = RoundRow.objects.filter(competition=visit.row, number=number).select_related("asked_by").first()
    if row is None:
        raise Http404(_("There is no such round in this competition."))
    return row


@require_safe
@for_everybody
def round_page(request: HttpRequest, visit: Visit, number: int) -> HttpResponseBase:
    """Shows what a round is played for, who plays, and what vouches for its deals."""
    row = round_of(visit, number)
    folder = visit.folder.round(number)
    values = visit.values(
        page="round",
        since=stamp(NewsSubject(NewsKind.COMPETITION, visit.row.pk)),
        round=row,
        file=_file_of(folder),
        run=_run_of(folder),
        complete=row.state == RoundState.COMPLETE,
        shown=visit.sees_standings and (folder / RESULTS_FILE).is_file(),
        own=_own_entrants(visit, row),
    )
    return render(request, "arena/round.html", values)


def _own_entrants(visit: Visit, row: RoundRow) -> list[dict[str, Any]]:
    """Returns the visitor's own versions in a round."""
    if visit.participant is None:
        return []
    own = row.versions.filter(bot__owners=visit.participant).select_related("bot")
    return [{"bot": one.bot.name, "number": one.number} for one in own]


def _file_of(folder: Path) -> RoundFile | None:
    try:
        return read_json(folder / ROUND_FILE, RoundFile)
    except RunError:
        return None


def _run_of(folder: Path) -> RunInfo | None:
    try:
        return read_run(folder)
    except RunError:
        return None


@require_safe
@for_everybody
def report(request: HttpRequest, visit: Visit, number: int, page: str = "index.html") -> HttpResponseBase:
    """Shows a page of the report of a round, or a game of it, made from its public copy."""
    row = round_of(visit, number)
    run = visit.folder.round(number)
    if not visit.sees_standings:
        raise Http404(_("The results are hidden for now."))
    complete = row.state == RoundState.COMPLETE
    try:
        made = MAKER.make(
            "make_page",
            run,
            cached_as_it_is(visit, row),
            page,
            complete=complete,
            language=present_language(),
            zone=present_zone(),
        )
    except BusyError as error:
        return _busy(request, error)
    if made is None:
        raise Http404(_("There is no such page of this round. Its games are shown once their deal is played out."))
    content, media_type = made
    answer = HttpResponse(content, content_type=f"{media_type}; charset=utf-8")
    answer["Content-Security-Policy"] = REPORT_POLICY
    answer["Cache-Control"] = "private, max-age=3600" if complete else "no-store"
    return answer


def cached_as_it_is(visit: Visit, row: RoundRow) -> Path:
    """Returns the folder of the cache for a round as it is now: another once a block is added."""
    results = visit.folder.round(row.number) / RESULTS_FILE
    return cached_round(visit.row, row, None if row.state == RoundState.COMPLETE else stamp_of(results))


def _busy(request: HttpRequest, error: TournamentError) -> HttpResponse:
    values = {"heading": _("Busy"), "text": str(error)}
    return render(request, "arena/message.html", values, status=503)


@require_safe
@for_everybody
def download(request: HttpRequest, visit: Visit, number: int) -> HttpResponseBase:
    """Sends the public copy of a complete round as a zip file."""
    row = round_of(visit, number)
    if row.state != RoundState.COMPLETE or not visit.sees_standings:
        raise Http404(_("A round can be downloaded once it is complete: until then its deals are secret."))
    try:
        path = round_zip(visit.row, row)
    except TournamentError as error:
        return _busy(request, error)
    return send_file(path, name=f"{zip_name(visit.row, row)}.zip", media_type="application/zip")


def send_file(path: Path, *, name: str, media_type: str) -> StreamingHttpResponse:
    """Returns an answer that sends a file piece by piece, to be saved under a name."""
    answer = StreamingHttpResponse(Pieces(path), content_type=media_type)
    answer["Content-Length"] = str(path.stat().st_size)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


class Pieces:
    """The pieces of a file, for servers that wait and for those that do not."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            while piece := file.read(_CHUNK_BYTES):
                yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        file = await sync_to_async(lambda: self._path.open("rb"))()
        try:
            while piece := await sync_to_async(file.read)(_CHUNK_BYTES):
                yield piece
        finally:
            file.close()


def send_bytes(content: bytes, *, name: str, media_type: str) -> HttpResponse:
    """Returns an answer to be saved under a name, which nobody else keeps."""
    answer = HttpResponse(content, content_type=media_type)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer
