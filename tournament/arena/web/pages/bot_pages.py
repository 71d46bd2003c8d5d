"""Pages for everybody: the ladder, and one bot on it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.template.loader import get_template
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.arena.folder import CompetitionFolder
from tournament.arena.ladder_file import FormerRow, LadderFile, LadderMeeting, LadderRow, read_ladder
from tournament.arena.models import BotRow, RoundRow
from tournament.arena.scheduling.paces import read_paces
from tournament.arena.transitions import HAVE_PLAYED, RoundState
from tournament.arena.web.news import NewsKind, NewsSubject, stamp
from tournament.arena.web.sparks import Line, Spot, bar, chart, spark
from tournament.arena.web.visits import Visit, for_everybody
from tournament.arena.web.wrappers.shared_pages import offer_page
from tournament.store.files import FileStamp, stamp_of

MOST_ROUNDS: Final = 30
"""So many rounds of a bot are listed on its page."""


class DrawnRow(NamedTuple):
    """A row of the ladder as markup, which is the same for all visitors."""

    bot: str
    provisional: bool
    house: bool
    cells: str
    """Safe: it comes from a template."""


class MetBot(NamedTuple):
    """How a bot did against another, from its own side."""

    other: LadderRow
    met: LadderMeeting
    lost: int
    claim: str


class Pace(NamedTuple):
    """How much a slow version plays."""

    deals_today: int
    deals_a_day: int
    """Of all others."""

    game_seconds: float


def ladder_of(folder: CompetitionFolder) -> LadderFile | None:
    """Returns the ladder of a competition, kept until its file changes; None before the first. Raises `RunError`."""
    return _read_ladder(folder, stamp_of(folder.ladder))


@lru_cache(maxsize=16)
def _read_ladder(folder: CompetitionFolder, stamp: FileStamp) -> LadderFile | None:
    return read_ladder(folder)


def shown_ladder(visit: Visit) -> LadderFile | None:
    """Returns the ladder as far as the visitor may see it."""
    return ladder_of(visit.folder) if visit.sees_standings else None


@require_safe
@for_everybody
def ladder(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Shows the ladder: who stands where, how certain that is, and who is provisional."""
    subject = NewsSubject(NewsKind.COMPETITION, visit.row.pk)
    since = stamp(subject)  # before anything is read: what comes between is news
    found = shown_ladder(visit)
    own = set() if visit.participant is None else set(visit.participant.bots.values_list("name", flat=True))
    rows: tuple[DrawnRow, ...] = ()
    if found is not None:
        rows = draw_rows(visit.folder, stamp_of(visit.folder.ladder), get_language() or "")
    values = visit.values(
        page="ladder",
        since=since,
        ladder=found,
        ranked=[row for row in rows if not row.provisional],
        provisional=[row for row in rows if row.provisional],
        own=own,
        playing=RoundRow.objects.filter(competition=visit.row, state=RoundState.PLAYING).order_by("number"),
    )
    offer_page(request, subject)
    return render(request, "arena/ladder.html", values)


@lru_cache(maxsize=32)
def draw_rows(folder: CompetitionFolder, stamp: FileStamp, language: str) -> tuple[DrawnRow, ...]:
    """Returns the rows of a ladder with their drawings, all on one scale; drawn once for all visitors of a language."""
    found = ladder_of(folder)
    if found is None:
        return ()
    ends = [
        end
        for row in found.rows
        if row.strength is not None and not row.provisional
        for end in (row.strength.low, row.strength.value, row.strength.high)
        if end is not None
    ]
    scale = (min(ends), max(ends)) if ends else (0.0, 1.0)
    template = get_template("arena/ladder_row.html")
    return tuple(
        DrawnRow(
            bot=row.bot,
            provisional=row.provisional,
            house=row.house,
            cells=template.render(
                {
                    "name": found.competition,
                    "row": row,
                    "bar": ""
                    if row.strength is None or row.provisional
                    else bar(row.strength.value, row.strength.low, row.strength.high, scale=scale),
                    "spark": spark(_spots(row)),
                }
            ),
        )
        for row in found.rows
    )


def _spots(row: LadderRow | FormerRow) -> list[Spot]:
    return [Spot(point.round, point.strength) for point in row.history]


@require_safe
@for_everybody
def bot(request: HttpRequest, visit: Visit, bot: str) -> HttpResponseBase:
    """Shows a bot: its strength over time by version, whom it met, its faults and its rounds."""
    known = BotRow.objects.filter(competition=visit.row, name=bot).first()
    found = shown_ladder(visit)
    row = None if found is None else found.row_of_bot(bot)
    if known is None and (row is None or not row.house):
        raise Http404(_("There is no such bot in this competition."))
    former = [] if found is None else [one for one in found.former if one.bot == bot]
    owned = known is not None and visit.owns(known)
    versions = [] if known is None else known.versions.order_by("-number")
    played: list[LadderRow | FormerRow] = [*former, *([] if row is None else [row])]
    lines = [Line(_version_name(one), _spots(one)) for one in played]
    rounds = (
        []
        if known is None
        else RoundRow.objects.filter(
            competition=visit.row, versions__bot=known, state__in=(RoundState.COMPLETE, RoundState.PLAYING)
        )
        .distinct()
        .order_by("-number")[:MOST_ROUNDS]
    )
    values = visit.values(
        page="bot",
        since=stamp(NewsSubject(NewsKind.COMPETITION, visit.row.pk)),
        bot=known,
        bot_name=bot,
        house=row is not None and row.house,
        owned=owned,
        owners=[] if known is None else known.owners.order_by("public_name"),
        row=row,
        former=former,
        pace=None if row is None else _pace(visit, row),
        versions=[one for one in versions if owned or visit.is_host or one.state in HAVE_PLAYED],
        chart=chart(lines),
        meetings=[] if found is None or row is None else _meetings(found, row),
        rounds=rounds,
    )
    return render(request, "arena/bot.html", values)


def _pace(visit: Visit, row: LadderRow) -> Pace | None:
    """Returns how much a slow version plays; None where it plays as much as others."""
    paces = read_paces(visit.folder)
    slow = None if paces is None else paces.pace_of(row.name)
    return None if paces is None or slow is None else Pace(slow.deals_today, paces.deals_a_day, slow.game_ms / 1000)


def _version_name(row: LadderRow | FormerRow) -> str:
    return row.name if row.number is None else f"v{row.number}"


def _meetings(ladder: LadderFile, row: LadderRow) -> list[MetBot]:
    met = ladder.meetings_of(row.name)
    found = []
    for other in ladder.rows:
        one = met.get(other.name)
        if one is not None:
            claim = "better" if other.name in row.above else "worse" if row.name in other.above else ""
            found.append(MetBot(other=other, met=one, lost=one.games - one.won - one.level, claim=claim))
    return found
