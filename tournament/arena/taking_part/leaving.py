"""Taking one's data away, and leaving: the account, its programs and logs go; public names and records stay."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import msgspec
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth import get_user_model
from django.db import transaction

from tournament.arena.files import VERSION_FILE, format_moment, write_synced
from tournament.arena.models import BotRow, Challenge, Host, Participant, RoundRow, VersionRow
from tournament.arena.places import competition_folder, version_folder
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.states import StateError, move_version
from tournament.arena.taking_part.joining import give_up
from tournament.arena.taking_part.own_files import entrant_name
from tournament.arena.taking_part.permissions import Call, require
from tournament.arena.transitions import RoundState, VersionState
from tournament.languages import gettext
from tournament.store.layout import LOGS_FOLDER
from tournament.store.names import file_name

if TYPE_CHECKING:
    from tournament.arena.taking_part.permissions import Account

_UNFINISHED: Final = tuple(state.value for state in (RoundState.PLANNED, RoundState.PLAYING, RoundState.INTERRUPTED))
_GONE: Final = "Its owner has left."
_AFTER_LEAVING: Final = {
    VersionState.RECEIVED: VersionState.REFUSED,
    VersionState.CHECKING: VersionState.REFUSED,
    VersionState.ACCEPTED: VersionState.RETIRED,
    VersionState.ACTIVE: VersionState.RETIRED,
    VersionState.PARKED: VersionState.RETIRED,
}


def write_data(account: Account, out: IO[bytes]) -> None:
    """Writes a zip with everything that is kept about an account: what is known of it, its programs, checks and logs.

    Of bots with several owners, too. Not the records of rounds: everybody can download these.
    """
    require(Call.TAKE_DATA, account)
    assert account is not None
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("account.json", msgspec.json.format(msgspec.json.encode(_facts(account)), indent=2))
        for version in _versions_of(account):
            where = f"{version.bot.competition.name}/{version.bot.name}/{version.number}"
            folder = version_folder(version)
            for path in (folder.path / VERSION_FILE, folder.upload, *sorted(folder.check.glob("*"))):
                if path.is_file() and not path.is_symlink():
                    archive.write(path, f"{where}/{path.name}")
            for round_row in version.rounds.exclude(state__in=_UNFINISHED).order_by("number"):
                for path in _logs(version, round_row):
                    archive.write(path, f"{where}/rounds/{round_row.number:06d}/{path.name}")


def _facts(account: Any) -> dict[str, Any]:
    return {
        "username": account.get_username(),
        "email": account.email,
        "joined": format_moment(account.date_joined),
        "last_login": None if account.last_login is None else format_moment(account.last_login),
        "signs_in_elsewhere": [
            {"server": one.provider, "as": one.uid, "told": one.extra_data, "joined": format_moment(one.date_joined)}
            for one in SocialAccount.objects.filter(user=account).order_by("pk")
        ],
        "hosts": [host.competition.name for host in Host.objects.filter(account=account)],
        "takes_part": [
            {
                "competition": participant.competition.name,
                "public_name": participant.public_name,
                "joined": format_moment(participant.joined),
                "consented": None if participant.consented is None else format_moment(participant.consented),
                "bots": [bot.name for bot in participant.bots.order_by("name")],
                "tokens": [
                    {"bot": token.bot.name, "label": token.label, "expires": format_moment(token.expires)}
                    for token in participant.tokens.order_by("pk")
                ],
                "challenges": [
                    {"asked": format_moment(challenge.asked), "version": entrant_name(challenge.version)}
                    for challenge in Challenge.objects.filter(asked_by=participant).order_by("pk")
                ],
            }
            for participant in Participant.objects.filter(account=account).order_by("pk")
        ],
    }


def _versions_of(account: Any) -> Iterator[VersionRow]:
    own = VersionRow.objects.filter(bot__owners__account=account).select_related("bot__competition")
    yield from own.order_by("bot__competition__name", "bot__name", "number")


def _logs(version: VersionRow, round_row: RoundRow) -> Iterator[Path]:
    folder = competition_folder(version.bot.competition).round(round_row.number) / LOGS_FOLDER
    for ending in (".txt", ".trace.jsonl"):
        path = folder / f"{file_name(entrant_name(version))}{ending}"
        if path.is_file() and not path.is_symlink():
            yield path


def delete_account(account: Account, *, now: datetime) -> None:
    """Deletes an account; public names and records stay, and bots that others own stay with them.

    A bot without owners plays no more, and its programs and logs go as soon as no round that goes on needs them. Raises
    `RefusedError` for the last host of a competition.
    """
    require(Call.DELETE_ACCOUNT, account)
    assert account is not None and account.pk is not None  # noqa: PT018 (`require` has asked)
    for host in Host.objects.filter(account_id=account.pk).select_related("competition"):
        if host.competition.hosts.count() == 1:
            raise RefusedError(
                RefusalKind.STATE,
                gettext("You are the only host of {title}. Name another one first.", title=host.competition.title),
            )
    left: list[BotRow] = []
    with transaction.atomic():
        for participant in Participant.objects.filter(account_id=account.pk):
            for bot in participant.bots.select_related("competition"):
                give_up(participant, bot)
                if not bot.owners.exists():
                    left.append(bot)
            participant.tokens.all().delete()
        get_user_model().objects.filter(pk=account.pk).delete()
    for bot in left:
        _mark_left(bot)
        _retire_all(bot, now=now)
    remove_left_files()


def _mark(bot: BotRow) -> Path:
    """Returns the file that says that a bot was left; one whose owners the database only forgot has none."""
    return competition_folder(bot.competition).path / "left" / bot.name


def _mark_left(bot: BotRow) -> None:
    _mark(bot).parent.mkdir(exist_ok=True)
    write_synced(_mark(bot), b"")


def _retire_all(bot: BotRow, *, now: datetime) -> None:
    folder = competition_folder(bot.competition)
    for version in VersionRow.objects.filter(bot=bot).select_related("bot__competition"):
        after = _AFTER_LEAVING.get(VersionState(version.state))
        if after is not None:
            with suppress(StateError):  # its check ended just now: the referee takes out whose bot nobody owns
                move_version(version, after, folder=folder, at=now, why=_GONE)


def remove_left_files() -> int:
    """Removes programs, uploads, checks and logs of bots whose owners have left; returns of how many versions.

    Those of versions in rounds that go on stay until the next call; the referee calls it once in a while.
    """
    removed = 0
    for bot in BotRow.objects.filter(owners=None).select_related("competition"):
        if not _mark(bot).exists():
            continue
        for version in VersionRow.objects.filter(bot=bot).select_related("bot__competition"):
            folder = version_folder(version)
            is_gone = not (folder.upload.exists() or folder.program.exists() or folder.check.exists())
            is_needed = version.rounds.filter(state__in=_UNFINISHED).exists()
            if is_gone or is_needed or version.state in (VersionState.ACTIVE, VersionState.CHECKING):
                continue
            for round_row in version.rounds.all():
                for path in _logs(version, round_row):
                    path.unlink(missing_ok=True)
            shutil.rmtree(folder.program, ignore_errors=True)
            shutil.rmtree(folder.check, ignore_errors=True)
            folder.upload.unlink(missing_ok=True)
            removed += 1
    return removed
