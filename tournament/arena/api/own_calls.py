"""The calls of the API that need a token, for its one bot: handing in, following a check, choosing, challenging."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.timezone import now as present
from ninja import Status
from ninja.params.functions import Query

from tournament.arena.api.access import TOKEN_ACCESS, own_bot
from tournament.arena.api.answers import (
    ChallengeAnswer,
    ChallengeInput,
    CheckAnswer,
    HandedInAnswer,
    OpponentInput,
    TokenAnswer,
    VersionAnswer,
    challenge_answer,
    quota_answers,
    version_answer,
)
from tournament.arena.api.calls import router
from tournament.arena.models import BotRow, Challenge, Token, VersionRow
from tournament.arena.places import competition_folder
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.rules import read_rules
from tournament.arena.taking_part import (
    CheckFile,
    activate_version,
    challenge,
    find_bot,
    find_version,
    hand_in,
    quotas_of,
    read_check_file,
)
from tournament.arena.transitions import VersionState

CHUNK_BYTES: Final = 65_536
MOST_CHALLENGES: Final = 100
_BOT: Final = "/competitions/{competition}/bots/{bot}"

ALL_CALLS: Final = router
"""With those that need no token: some have one address."""

_OWN: Final[dict[str, Any]] = {"auth": TOKEN_ACCESS, "tags": ["with a token"]}


@router.get("/token", response=TokenAnswer, **_OWN)
def token(request: HttpRequest) -> Any:
    """Returns what the token that is shown is for, and what is left of the quotas of its owner."""
    row: Token = request.auth  # type: ignore[attr-defined]
    rules = read_rules(competition_folder(row.bot.competition))
    return {
        "competition": row.bot.competition.name,
        "bot": row.bot.name,
        "owner": row.owner.public_name,
        "label": row.label,
        "expires": row.expires,
        **quota_answers(quotas_of(row.owner, rules, now=present())),
    }


@router.post(_BOT + "/versions", response={201: HandedInAnswer, 200: HandedInAnswer}, **_OWN)
def upload(
    request: HttpRequest,
    competition: str,
    bot: str,
    file_name: str = Query(..., description="What the file is called: its ending says what it is."),
    check_only: bool = Query(False, description="Only check it: this version does not play."),
) -> Any:
    """Hands in a version: the body is the file itself, as it is. 201: it is new; 200: the bot has it already."""
    handed = hand_in(
        _account(request),
        own_bot(request, competition, bot),
        file_name=file_name,
        chunks=_chunks(request),
        now=present(),
        check_only=check_only,
    )
    answer = {"version": version_answer(handed.version), "is_new": handed.is_new}
    return Status(201 if handed.is_new else 200, answer)


def _account(request: HttpRequest) -> Any:
    row: Token = request.auth  # type: ignore[attr-defined]
    return row.owner.account


def _chunks(request: HttpRequest) -> Iterator[bytes]:
    """Yields the body of a request piece by piece; who goes away before its end ends the request."""
    while chunk := request.read(CHUNK_BYTES):
        yield chunk


@router.get(_BOT + "/versions/{number}", response=CheckAnswer, **_OWN)
def version(request: HttpRequest, competition: str, bot: str, number: int) -> Any:
    """Returns a version of one's own with the steps of its check as far as they have come."""
    row = find_version(own_bot(request, competition, bot), number)
    steps = read_check_file(_account(request), row, CheckFile.STEPS)
    return {
        **version_answer(row),
        "why": row.why or None,
        "check": msgspec.json.decode(steps) if steps else None,
    }


@router.get(_BOT + "/versions/{number}/log", **_OWN)
def log(request: HttpRequest, competition: str, bot: str, number: int) -> Any:
    """Returns the whole log of the check of a version of one's own, as plain text."""
    row = find_version(own_bot(request, competition, bot), number)
    return _plain(read_check_file(_account(request), row, CheckFile.LOG))


@router.get(_BOT + "/versions/{number}/build", **_OWN)
def build(request: HttpRequest, competition: str, bot: str, number: int) -> Any:
    """Returns what building a version of one's own printed, as plain text."""
    row = find_version(own_bot(request, competition, bot), number)
    return _plain(read_check_file(_account(request), row, CheckFile.BUILD))


def _plain(data: bytes) -> HttpResponse:
    """Returns a text that no browser takes for a page, whatever a bot wrote into it."""
    answer = HttpResponse(data, content_type="text/plain; charset=utf-8")
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


@router.post(_BOT + "/versions/{number}/activate", response=VersionAnswer, **_OWN)
def activate(request: HttpRequest, competition: str, bot: str, number: int) -> Any:
    """Lets an earlier or a parked version play for the bot from now on."""
    row = find_version(own_bot(request, competition, bot), number)
    activate_version(_account(request), row, now=present())
    return version_answer(row)


@router.get(_BOT + "/challenges", response=list[ChallengeAnswer], **_OWN)
def challenges(request: HttpRequest, competition: str, bot: str) -> Any:
    """Returns the last challenges of the bot, the newest first."""
    row = own_bot(request, competition, bot)
    found = Challenge.objects.filter(version__bot=row).select_related("version__bot", "round").order_by("-pk")
    return [challenge_answer(one) for one in found[:MOST_CHALLENGES]]


@router.post(_BOT + "/challenges", response={201: ChallengeAnswer}, **_OWN)
def ask_for_challenge(request: HttpRequest, competition: str, bot: str, asked: ChallengeInput) -> Any:
    """Asks for a challenge: a round that counts for nothing, to look at its games."""
    row = own_bot(request, competition, bot)
    challenger = _active(row) if asked.version is None else find_version(row, asked.version)
    bots = set(BotRow.objects.filter(competition=row.competition).values_list("name", flat=True))
    house = [one.bot for one in asked.opponents if one.bot not in bots and one.version is None]
    opponents = [_opponent(row, one) for one in asked.opponents if one.bot in bots or one.version is not None]
    made = challenge(_account(request), challenger, opponents, house=house, now=present())
    return Status(201, challenge_answer(made))


def _opponent(row: BotRow, asked: OpponentInput) -> VersionRow:
    other = find_bot(row.competition, asked.bot)
    return _active(other) if asked.version is None else find_version(other, asked.version)


def _active(row: BotRow) -> VersionRow:
    found = (
        VersionRow.objects.filter(bot=row, state=VersionState.ACTIVE.value).select_related("bot__competition").first()
    )
    if found is None:
        raise RefusedError(RefusalKind.STATE, f"No version of {row.name} is active. Choose another bot, or a version.")
    return found
