"""What happened in a competition, as far as everybody may know it: for its pages, for feeds and for the projector."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from django.utils.translation import gettext as _

from tournament.arena.files import RoundKind
from tournament.arena.models import RoundRow, VersionRow
from tournament.arena.season.leads import read_leads
from tournament.arena.transitions import RoundState, VersionState, state_word
from tournament.arena.web.visits import Visit
from tournament.errors import RunError
from tournament.languages import ngettext
from tournament.report.live.feeds import MOST_TOLD, Happening, newest

_VERSIONS: Final = (VersionState.ACTIVE, VersionState.PARKED, VersionState.DISQUALIFIED)
"""States of a version that are told."""


def happenings_of(visit: Visit) -> tuple[Happening, ...]:
    """Returns what happened, the newest first; addresses are seen from the page of the competition."""
    return newest((*_rounds(visit), *_finals(visit), *_versions(visit), *_announcements(visit), *_leads(visit)))


def _rounds(visit: Visit) -> Iterator[Happening]:
    rows = RoundRow.objects.filter(competition=visit.row, state=RoundState.COMPLETE)
    for row in rows.order_by("-ended")[:MOST_TOLD]:
        if row.ended is None:
            continue
        games = ngettext("{count} game", "{count} games", row.games)
        text = _("Round {number} ({kind}): {games}").format(number=row.number, kind=state_word(row.kind), games=games)
        yield Happening(id=f"round-{row.number}", at=row.ended, text=text, address=f"rounds/{row.number}/")


def _finals(visit: Visit) -> Iterator[Happening]:
    rows = RoundRow.objects.filter(competition=visit.row, kind=RoundKind.FINAL)
    for row in rows.order_by("-started")[:MOST_TOLD]:
        if row.started is None:
            continue
        text = _("The final of season {season} began.").format(season=row.season)
        yield Happening(id=f"final-{row.number}", at=row.started, text=text, address=f"rounds/{row.number}/")


def _versions(visit: Visit) -> Iterator[Happening]:
    rows = VersionRow.objects.filter(bot__competition=visit.row, state__in=_VERSIONS, check_only=False)
    for row in rows.select_related("bot").order_by("-changed")[:MOST_TOLD]:
        sentence = {
            VersionState.ACTIVE: _("{bot} plays with version {number}"),
            VersionState.PARKED: _("{bot} rests: its version {number} failed and was withdrawn in two rounds"),
            VersionState.DISQUALIFIED: _("{bot}: version {number} is disqualified"),
        }[VersionState(row.state)]
        yield Happening(
            id=f"version-{row.bot.name}-{row.number}-{row.changed:%Y%m%dT%H%M%S}",
            at=row.changed,
            text=sentence.format(bot=row.bot.name, number=row.number),
            address=f"bots/{row.bot.name}/",
        )


def _announcements(visit: Visit) -> Iterator[Happening]:
    for row in visit.row.announcements.order_by("-at")[:MOST_TOLD]:
        text = _("The host announces: {text}").format(text=row.text.replace("\r", "").replace("\n", " "))
        yield Happening(id=f"announcement-{row.pk}", at=row.at, text=text, address="#announcements")


def _leads(visit: Visit) -> Iterator[Happening]:
    """Yields who took the lead, where the visitor may see who stands where."""
    if not visit.sees_standings:
        return
    try:
        changes = read_leads(visit.folder)
    except RunError:
        return  # it is told elsewhere; the rest is shown
    for number, change in enumerate(changes, start=1):
        names = ", ".join(change.bots)
        at = datetime.fromisoformat(change.at).astimezone(UTC)
        text = _("First on the ladder: {names}").format(names=names)
        yield Happening(id=f"lead-{number}", at=at, text=text, address="ladder/")
