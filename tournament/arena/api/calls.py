"""The calls of the API that need no token: competitions, ladders, bots, versions and rounds."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from django.http import FileResponse, HttpRequest, HttpResponse
from django.utils.timezone import now as present
from ninja import Router
from ninja.params.functions import Query

from tournament.arena.api.access import competition_for, shown_token
from tournament.arena.api.answers import (
    BotAnswer,
    CompetitionAnswer,
    RoundAnswer,
    RulesAnswer,
    VersionAnswer,
    bot_answer,
    competition_answer,
    round_answer,
    version_answer,
)
from tournament.arena.api.downloads import public_zip, zip_name
from tournament.arena.files import RoundKind, parse_moment
from tournament.arena.ladder_file import format_ladder, read_ladder
from tournament.arena.models import BotRow, CompetitionRow, RoundRow, VersionRow
from tournament.arena.places import competition_folder
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.rules import read_rules
from tournament.arena.taking_part import Call, find_bot, may
from tournament.arena.taking_part.permissions import no_such
from tournament.arena.transitions import HAVE_PLAYED, CompetitionState, RoundState
from tournament.languages import gettext

MOST_ROUNDS: Final = 200

router: Final = Router(tags=["for everybody"])


@router.get("/competitions", response=list[CompetitionAnswer])
def competitions(request: HttpRequest) -> Any:
    """Returns all competitions, drafts left out, the newest first."""
    rows = CompetitionRow.objects.exclude(state=CompetitionState.DRAFT.value).order_by("-created", "-pk")
    return [competition_answer(row) for row in rows]


@router.get("/competitions/{competition}", response=RulesAnswer)
def competition(request: HttpRequest, competition: str) -> Any:
    """Returns a competition with its rules."""
    row = competition_for(request, competition)
    rules = read_rules(competition_folder(row))
    told = {name: msgspec.to_builtins(getattr(rules, name)) for name in rules.__struct_fields__}  # defaults, too
    return {**competition_answer(row), "rules": told}


@router.get("/competitions/{competition}/ladder", response=dict[str, Any])
def ladder(request: HttpRequest, competition: str) -> Any:
    """Returns the ladder as it is shown, refused until the date from which on standings are shown."""
    row = competition_for(request, competition)
    require_standings(request, row)
    found = read_ladder(competition_folder(row))
    if found is None:
        raise RefusedError(RefusalKind.STATE, "There is no ladder yet: nothing has been played. Ask again later.")
    return HttpResponse(format_ladder(found), content_type="application/json")


def require_standings(request: HttpRequest, row: CompetitionRow) -> None:
    """Raises `RefusedError` while the standings, and the games that give them, are hidden."""
    since = read_rules(competition_folder(row)).standings_from
    if since is None or present() >= parse_moment(since):
        return
    token = shown_token(request)
    if not may(Call.LOOK_AT_HIDDEN, None if token is None else token.owner.account, row):
        raise RefusedError(
            RefusalKind.STATE,
            f"Standings and games are hidden until {since}. Ask again then.",
            free_at=parse_moment(since),
        )


@router.get("/competitions/{competition}/bots", response=list[BotAnswer])
def bots(request: HttpRequest, competition: str) -> Any:
    """Returns all bots in order of their names."""
    row = competition_for(request, competition)
    found = BotRow.objects.filter(competition=row).prefetch_related("owners", "versions").order_by("name")
    return [bot_answer(bot) for bot in found]


@router.get("/competitions/{competition}/bots/{bot}", response=BotAnswer)
def bot(request: HttpRequest, competition: str, bot: str) -> Any:
    """Returns a bot."""
    return bot_answer(find_bot(competition_for(request, competition), bot))


@router.get("/competitions/{competition}/bots/{bot}/versions", response=list[VersionAnswer])
def versions(request: HttpRequest, competition: str, bot: str) -> Any:
    """Returns the versions of a bot that were accepted once; with its own token all of them, the newest first."""
    row = find_bot(competition_for(request, competition), bot)
    found = VersionRow.objects.filter(bot=row).select_related("bot").order_by("-number")
    token = shown_token(request)
    if token is None or token.bot_id != row.pk:
        found = found.filter(state__in=HAVE_PLAYED, check_only=False)
    return [version_answer(version) for version in found]


@router.get("/competitions/{competition}/rounds", response=list[RoundAnswer])
def rounds(
    request: HttpRequest,
    competition: str,
    kind: RoundKind | None = None,
    before: int | None = Query(None, description="Only rounds with smaller numbers.", ge=1, lt=1 << 31),
    most: int = Query(50, description="At most so many.", ge=1, le=MOST_ROUNDS),
) -> Any:
    """Returns the last rounds, the newest first; ask for those before the last answer's smallest number for more."""
    row = competition_for(request, competition)
    found = RoundRow.objects.filter(competition=row)
    if kind is not None:
        found = found.filter(kind=kind.value)
    if before is not None:
        found = found.filter(number__lt=before)
    found = found.prefetch_related("versions__bot").order_by("-number")[:most]
    return [round_answer(one) for one in found]


def find_round(row: CompetitionRow, number: int) -> RoundRow:
    """Returns a round of a competition. Raises `RefusedError` where there is none."""
    found = RoundRow.objects.filter(competition=row, number=number).first()
    if found is None:
        raise no_such(gettext("There is no round {number}. Check how it is written.", number=number))
    return found


@router.get("/competitions/{competition}/rounds/{number}", response=RoundAnswer)
def one_round(request: HttpRequest, competition: str, number: int) -> Any:
    """Returns a round."""
    return round_answer(find_round(competition_for(request, competition), number))


@router.get("/competitions/{competition}/rounds/{number}/download")
def download(request: HttpRequest, competition: str, number: int) -> Any:
    """Returns the public copy of a complete round as a zip: `tournament audit` finds nothing wrong in it."""
    row = competition_for(request, competition)
    found = find_round(row, number)
    require_standings(request, row)
    if found.state != RoundState.COMPLETE:
        raise RefusedError(
            RefusalKind.STATE, f"Round {number} is {found.state}, and its deals are secret. Wait until it is complete."
        )
    name = f"{zip_name(row, found)}.zip"
    return FileResponse(open(public_zip(row, found), "rb"), as_attachment=True, filename=name)
