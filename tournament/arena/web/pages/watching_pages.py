"""Pages for everybody who watches: featured games of complete blocks, one after the other."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.arena.files import RoundKind
from tournament.arena.models import RoundRow
from tournament.arena.transitions import RoundState
from tournament.arena.web.filters import share
from tournament.arena.web.happenings import happenings_of
from tournament.arena.web.languages import in_asked_language
from tournament.arena.web.makers import MAKER, BusyError
from tournament.arena.web.news import NewsKind, NewsSubject, stamp
from tournament.arena.web.pages.bot_pages import shown_ladder
from tournament.arena.web.pages.round_pages import REPORT_POLICY, cached_as_it_is, round_of
from tournament.arena.web.visits import Visit, for_everybody
from tournament.arena.web.wrappers.shared_pages import offer_page
from tournament.errors import TournamentError
from tournament.languages import format_moment, parse_language, present_language
from tournament.records.results import RESULTS_FILE
from tournament.report.live.featured import MOST_FEATURED, FeaturedGame, Merit, featured_games
from tournament.report.live.feeds import NewsFeed, format_atom, format_json_feed
from tournament.report.live.live_pages import WatchedGame, WatchPage, format_watch_page
from tournament.report.live.projector_pages import (
    MOST_ROWS,
    Board,
    ProjectedRow,
    ProjectorPage,
    format_projector_page,
    last_lines,
)
from tournament.report.shown.readers import LANGUAGE
from tournament.store.files import FileStamp, stamp_of

LAST_ROUNDS: Final = 12
"""So many rounds are looked at: the newest that count."""

FRAMED_POLICY: Final = REPORT_POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
"""A replay on the page of featured games stands in a frame of ours."""

_HAVE_GAMES: Final = (RoundState.COMPLETE, RoundState.PLAYING, RoundState.INTERRUPTED)


class FeaturedRound(NamedTuple):
    """A featured game, and the number of its round."""

    number: int
    game: FeaturedGame


@require_safe
@for_everybody
def watch(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Shows the featured games, one after the other."""
    subject = NewsSubject(NewsKind.GAMES, visit.row.pk)
    since = stamp(subject)  # before anything is read: what comes between is news
    found = featured_rounds(visit)
    page = WatchPage(
        title=visit.row.title,
        games=watched_games(found, root="../"),
        over_by=_over_by(visit, max(one.number for one in found)) if found else None,
        honest=_("A deal is secret until all its games have been played: no game is shown before."),
        nothing=why_nothing(visit),
        back="../",
        back_to=_("Competition"),
        events=f"events/?since={since}",
        projector="../projector/",
        news="../news/",
        language_page=_language_page(request),
    )
    return _shared(request, subject, format_watch_page(page))


@require_safe
@for_everybody
def projector(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Turns through the ladder and featured games in large type."""
    subject = NewsSubject(NewsKind.GAMES, visit.row.pk)
    since = stamp(subject)
    page = ProjectorPage(
        title=visit.row.title,
        boards=_boards(visit),
        brackets=(),
        games=watched_games(featured_rounds(visit), root="../"),
        news=last_lines(happenings_of(visit)),
        nothing=why_nothing(visit),
        events=f"../watch/events/?since={since}",
        language_page=_language_page(request),
    )
    return _shared(request, subject, format_projector_page(page))


def _language_page(request: HttpRequest) -> str:
    """Returns where a reader chooses a language, and comes back from."""
    return f"{reverse('language')}?{urlencode({'next': request.get_full_path()})}"


def _shared(request: HttpRequest, subject: NewsSubject, page: str) -> HttpResponse:
    """Returns a page made for all readers, which is kept until there is news of its subject."""
    offer_page(request, subject)
    answer = HttpResponse(page)
    answer["Content-Security-Policy"] = REPORT_POLICY
    return answer


@require_safe
@for_everybody
def news(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Lists what happened, the newest first."""
    subject = NewsSubject(NewsKind.COMPETITION, visit.row.pk)
    values = visit.values(page="news", since=stamp(subject), news=happenings_of(visit), root="../")
    offer_page(request, subject)
    return render(request, "arena/news.html", values)


@require_safe
@in_asked_language
@for_everybody
def atom_feed(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Tells feed readers what happened."""
    return HttpResponse(format_atom(_feed(request, visit)), content_type="application/atom+xml; charset=utf-8")


@require_safe
@in_asked_language
@for_everybody
def json_feed(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Tells programs what happened."""
    return HttpResponse(format_json_feed(_feed(request, visit)), content_type="application/feed+json")


def _feed(request: HttpRequest, visit: Visit) -> NewsFeed:
    asked = parse_language(request.GET.get(LANGUAGE, ""))
    query = "" if asked is None else f"?{LANGUAGE}={asked}"
    return NewsFeed(
        title=visit.row.title,
        # A feed that names its language is one of its own, and so are its entries.
        address=request.build_absolute_uri(f"{request.path}{query}"),
        page="news/",
        language=present_language(),
        happenings=happenings_of(visit),
    )


def _boards(visit: Visit) -> tuple[Board, ...]:
    """Returns the ranked of the ladder, as far as the visitor may see it."""
    ladder = shown_ladder(visit)
    rows = () if ladder is None else [row for row in ladder.rows if row.rank is not None]
    shown = tuple(
        ProjectedRow(place=str(row.rank), name=row.bot, points=share(None if row.points is None else row.points.value))
        for row in rows[:MOST_ROWS]
    )
    return (Board(title=_("Ladder"), rows=shown),) if shown else ()


def watched_games(found: list[FeaturedRound], *, root: str) -> tuple[WatchedGame, ...]:
    """Returns featured games with their addresses; `root` leads to the page of the competition."""
    return tuple(
        WatchedGame(
            game=game,
            address=f"{root}rounds/{number}/report/games/{game.id}.html",
            frame=f"{root}watch/{number}/{game.id}/",
        )
        for number, game in found
    )


def why_nothing(visit: Visit) -> str:
    """Returns what is said where there is no game to be watched."""
    if not visit.sees_standings and visit.rules.standings_from is not None:
        until = format_moment(datetime.fromisoformat(visit.rules.standings_from))
        return _("Games are hidden until {time}.").format(time=until)
    return _("No deal has been played out yet. The first game appears here by itself.")


def featured_rounds(visit: Visit) -> list[FeaturedRound]:
    """Returns what is featured of the last rounds, as far as the visitor may see it; challenges are not."""
    if not visit.sees_standings:
        return []
    ladder = shown_ladder(visit)
    leaders = frozenset() if ladder is None else frozenset(row.name for row in ladder.rows if row.rank == 1)
    rows = RoundRow.objects.filter(competition=visit.row, state__in=_HAVE_GAMES).exclude(kind=RoundKind.CHALLENGE)
    found = []
    for row in rows.order_by("-number")[:LAST_ROUNDS]:
        folder = visit.folder.round(row.number)
        games = _of_round(folder, stamp_of(folder / RESULTS_FILE), leaders, is_final=row.kind == RoundKind.FINAL)
        found += [FeaturedRound(row.number, game) for game in games]
    order = list(Merit)
    return sorted(found, key=lambda one: order.index(one.game.merit))[:MOST_FEATURED]


@lru_cache(maxsize=64)
def _of_round(folder: Path, results: FileStamp, leaders: frozenset[str], *, is_final: bool) -> tuple[FeaturedGame, ...]:
    try:
        return tuple(featured_games(folder, leaders=leaders, is_final=is_final))
    except TournamentError:
        return ()  # a round without a game so far, or one that cannot be read


def _over_by(visit: Visit, number: int) -> datetime:
    row = round_of(visit, number)
    if row.ended is not None:
        return row.ended
    return datetime.fromtimestamp((visit.folder.round(number) / RESULTS_FILE).stat().st_mtime, UTC)


@require_safe
@for_everybody
def watched_game(request: HttpRequest, visit: Visit, number: int, game: str) -> HttpResponseBase:
    """Shows a game of a complete block that plays by itself, in a frame of our own pages."""
    row = round_of(visit, number)
    if not visit.sees_standings:
        raise Http404(_("The results are hidden for now."))
    complete = row.state == RoundState.COMPLETE
    run = visit.folder.round(number)
    try:
        made = MAKER.make(
            "make_watched_game",
            *(run, cached_as_it_is(visit, row), game),
            complete=complete,
            language=present_language(),
        )
    except BusyError as error:
        return render(request, "arena/message.html", {"heading": _("Busy"), "text": str(error)}, status=503)
    if made is None:
        raise Http404(_("There is no such game to watch. Games are shown once their deal is played out."))
    answer = HttpResponse(made)
    answer["Content-Security-Policy"] = FRAMED_POLICY
    answer["X-Frame-Options"] = "SAMEORIGIN"
    answer["Cache-Control"] = "private, max-age=3600" if complete else "no-store"
    return answer
