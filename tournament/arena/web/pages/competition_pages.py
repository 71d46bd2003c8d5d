"""Pages for everybody: the competitions, and one of them with its rules, dates and news."""

from __future__ import annotations

from datetime import tzinfo
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.arena.files import Joining
from tournament.arena.models import CompetitionRow
from tournament.arena.places import competition_folder
from tournament.arena.rules import zone_of
from tournament.arena.taking_part import Call, may
from tournament.arena.transitions import CompetitionState
from tournament.arena.web.happenings import happenings_of
from tournament.arena.web.news import NewsKind, NewsSubject, stamp
from tournament.arena.web.visits import Visit, for_everybody, rules_of
from tournament.arena.web.wrappers.shared_pages import offer_page
from tournament.errors import TournamentError
from tournament.games import load_game, subtitle_of
from tournament.languages import present_zone
from tournament.records.settings import Limits, TimeControl, with_entry

NEWS: Final = 20
"""How many lines the feed has."""


@require_safe
def home(request: HttpRequest) -> HttpResponseBase:
    """Shows the competitions: those that are open first; to hosts also their drafts."""
    rows = CompetitionRow.objects.exclude(state=CompetitionState.DRAFT)
    if request.user.is_authenticated:
        rows = rows | CompetitionRow.objects.filter(hosts__account=request.user)
    order = list(CompetitionState)
    listed = sorted(rows.distinct(), key=lambda row: (order.index(CompetitionState(row.state)), row.title))
    zones = {row.name: _zone_shown(row) for row in listed}
    values = {"competitions": listed, "zones": zones, "may_create": may(Call.CREATE, request.user)}
    return render(request, "arena/home.html", values)


def _zone_shown(row: CompetitionRow) -> tzinfo:
    """Returns the zone in which the dates of a competition are shown; that of the arena where its rules are damaged."""
    try:
        return zone_of(rules_of(competition_folder(row)))
    except (TournamentError, OSError):
        return present_zone()


@require_safe
@for_everybody
def competition(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Shows a competition: what it is about, how to take part, and what happened last."""
    subject = NewsSubject(NewsKind.COMPETITION, visit.row.pk)
    values = visit.values(
        page="about",
        since=stamp(subject),
        address=settings.ARENA.address,
        groups=groups_of(visit),
        clock=with_entry(TimeControl(), visit.rules.clock),
        limits=with_entry(Limits(), visit.rules.limits),
        announcements=visit.row.announcements.order_by("-at")[:10],
        by_code=visit.rules.joining is Joining.CODE,
        invited=visit.rules.joining is Joining.INVITED,
        news=happenings_of(visit)[:NEWS],
        root="",
    )
    offer_page(request, subject)
    return render(request, "arena/competition.html", values)


def groups_of(visit: Visit) -> list[dict[str, Any]]:
    """Returns what is played: each game with its title, its numbers of players, and its weight."""
    rules = visit.rules
    weights = rules.weights or {}
    return [
        {
            "game": entry.game,
            "title": load_game(entry.game).title,
            "subtitle": subtitle_of(entry.game),
            "players": (entry.players,) if isinstance(entry.players, int) else entry.players,
            "weight": weights.get(entry.game),
        }
        for entry in rules.games
    ]
