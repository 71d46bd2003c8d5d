"""The control room: what is played and what waits, and what hosts do about it."""

from __future__ import annotations

import fcntl
import os
import shutil
from datetime import timedelta
from itertools import islice
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models import Count, Min, Sum
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.arena.folder import LEAST_FREE_SHARE
from tournament.arena.hosting import codes_of, read_trail
from tournament.arena.models import RoundRow, Trouble, VersionRow
from tournament.arena.operating.fitness_file import registration_problem
from tournament.arena.places import arena_folder, competition_folder
from tournament.arena.transitions import COMPETITION_TRANSITIONS, CompetitionState, RoundState, VersionState
from tournament.arena.web.news import NewsKind, NewsSubject, stamp
from tournament.arena.web.visits import Visit, for_hosts

MOST_ACTS: Final = 200
MOST_TROUBLES: Final = 20
MEASURED_ROUNDS: Final = 20
"""So many of the last rounds say how much a round takes on the disk."""

YEAR_DAYS: Final = 365
"""Nobody plans for longer, and the rounds of one day tell nothing of it."""


class Disk(NamedTuple):
    """What is left of the disk."""

    free: int
    """In bytes."""

    percent: int
    low: bool
    days: int | None
    """Until play pauses, if it goes on as on the last day; None while that cannot be told."""

    @property
    def lasts_a_year(self) -> bool:
        """Whether it is enough for longer than a year, of which the page does not say how much longer."""
        return self.days is not None and self.days > YEAR_DAYS


@require_safe
@for_hosts
def control(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Shows what goes on in a competition, to its hosts."""
    since = stamp(NewsSubject(NewsKind.CONTROL, visit.row.pk))
    versions = VersionRow.objects.filter(bot__competition=visit.row)
    waiting = versions.filter(state=VersionState.RECEIVED)
    rounds = RoundRow.objects.filter(competition=visit.row)
    last_hour = rounds.filter(state=RoundState.COMPLETE, ended__gte=now() - timedelta(hours=1))
    values = visit.values(
        page="control",
        since=since,
        referee=is_referee_there(),
        queue={
            **waiting.aggregate(waiting=Count("pk"), oldest=Min("received")),
            "unplaced": versions.filter(state=VersionState.ACTIVE, placed=False).count(),
            "challenges": visit.row.challenges.filter(round=None).count(),
        },
        rates={name: value or 0 for name, value in last_hour.aggregate(rounds=Count("pk"), games=Sum("games")).items()},
        disk=disk_of(visit),
        playing=rounds.exclude(state__in=(RoundState.COMPLETE, RoundState.ABANDONED)).order_by("number"),
        checking=versions.filter(state=VersionState.CHECKING).select_related("bot"),
        troubles=_troubles(visit),
        versions=versions.exclude(state=VersionState.REFUSED)
        .select_related("bot")
        .prefetch_related("bot__owners")
        .order_by("bot__name", "-number"),
        participants=visit.row.participants.select_related("account").order_by("public_name"),
        hosts=visit.row.hosts.select_related("account").order_by("account__username"),
        codes=codes_of(request.user, visit.row),
        acts=list(islice(reversed(read_trail(request.user, visit.row)), MOST_ACTS)),
        moves=_moves(visit),
        signing_up=registration_problem(arena_folder(), settings.ARENA),
    )
    return render(request, "arena/control.html", values)


def _moves(visit: Visit) -> list[tuple[str, str]]:
    """Returns the states that may follow the present one, each with the words of its button."""
    words = {
        CompetitionState.OPEN: _("Open"),
        CompetitionState.PAUSED: _("Pause"),
        CompetitionState.FROZEN: _("Freeze"),
        CompetitionState.CLOSED: _("Close for good"),
    }
    following = COMPETITION_TRANSITIONS[CompetitionState(visit.row.state)]
    return [(state.value, word) for state, word in words.items() if state in following]


def _troubles(visit: Visit) -> Any:
    """Returns what went wrong on the machine, in this competition or in none, the newest first."""
    own = Trouble.objects.filter(competition=visit.row) | Trouble.objects.filter(competition=None)
    return own.order_by("-at")[:MOST_TROUBLES]


def is_referee_there() -> bool:
    """Returns whether a referee holds its lock on the arena's folder."""
    try:
        descriptor = os.open(arena_folder().lock, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)  # it frees the lock, too
    return False


def disk_of(visit: Visit) -> Disk:
    """Returns what is left of the disk, and for how long that is enough."""
    usage = shutil.disk_usage(arena_folder().path)
    share = usage.free / usage.total if usage.total else 0.0
    room = usage.free - LEAST_FREE_SHARE * usage.total
    a_day = _bytes_a_day(visit)
    days = int(room / a_day) if a_day and room > 0 else None
    return Disk(free=usage.free, percent=round(100 * share), low=share < LEAST_FREE_SHARE, days=days)


def _bytes_a_day(visit: Visit) -> float:
    """Returns how many bytes the rounds of the last day take, from the mean of the last ones; 0.0 without any."""
    complete = RoundRow.objects.filter(competition=visit.row, state=RoundState.COMPLETE)
    last = list(complete.order_by("-number").values_list("number", flat=True)[:MEASURED_ROUNDS])
    if not last:
        return 0.0
    folder = competition_folder(visit.row)
    sizes = [sum(path.lstat().st_size for path in folder.round(number).rglob("*") if path.is_file()) for number in last]
    today = complete.filter(ended__gte=now() - timedelta(days=1)).count()
    return today * sum(sizes) / len(sizes)
