"""What hosts do about versions and rounds: check again, read logs, disqualify, reinstate, abandon."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from tournament.arena.files import VERSION_FILE, ActKind, VersionFile, read_json
from tournament.arena.folder import CheckFile
from tournament.arena.hosting.competitions import a_reason, note_act
from tournament.arena.models import BotRow, CompetitionRow, RoundRow, VersionRow
from tournament.arena.places import competition_folder, version_folder
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.states import StateError, activate, move_version
from tournament.arena.taking_part.handing_in import find_version
from tournament.arena.taking_part.own_files import check_file
from tournament.arena.taking_part.permissions import Call, no_such, require
from tournament.arena.transitions import ROUND_TRANSITIONS, RoundState, VersionState
from tournament.languages import gettext, gettext_noop

if TYPE_CHECKING:
    from tournament.arena.taking_part.permissions import Account

_BACK: Final = {
    VersionState.RECEIVED: VersionState.RECEIVED,
    VersionState.CHECKING: VersionState.RECEIVED,
    VersionState.REFUSED: VersionState.REFUSED,
}
"""Where a version goes back to that was taken out in this state; out of every other one to `retired`."""


def check_again(account: Account, version: VersionRow, *, now: datetime) -> None:
    """Lets a refused version be checked once more. Raises `RefusedError` for any other."""
    competition = version.bot.competition
    require(Call.CHECK_AGAIN, account, competition)
    if version.state != VersionState.REFUSED:
        raise RefusedError(
            RefusalKind.STATE,
            gettext(
                "Version {number} of {bot} is not refused, and only a refused one is checked again. Load its page "
                "again to see its state.",
                number=version.number,
                bot=version.bot.name,
            ),
        )
    note_act(competition, account, ActKind.CHECK_AGAIN, now=now, bot=version.bot.name, number=version.number)
    _move(version, VersionState.RECEIVED, now=now, why=gettext_noop("A host lets it be checked again."))


class CheckLogs(NamedTuple):
    """What the check of a version wrote."""

    log: bytes
    build: bytes


def read_check_logs(account: Account, bot: BotRow, number: int, *, now: datetime) -> CheckLogs:
    """Returns the logs of a check, at most 2 MB of each, for a host; that they were read stands among the acts.

    Raises `RefusedError` where there is no such version.
    """
    require(Call.READ_LOGS, account, bot.competition)
    version = find_version(bot, number)
    note_act(bot.competition, account, ActKind.READ_LOG, now=now, bot=bot.name, number=number)
    return CheckLogs(check_file(version, CheckFile.LOG), check_file(version, CheckFile.BUILD))


def disqualify(account: Account, bot: BotRow, number: int | None, *, reason: str, now: datetime) -> None:
    """Takes a version out, or all of a bot (`None`), also those to come: their games count for nothing.

    Raises `RefusedError`: no such version, or no reason.
    """
    require(Call.DISQUALIFY, account, bot.competition)
    told = a_reason(reason)
    versions = _versions(bot, number)
    note_act(bot.competition, account, ActKind.DISQUALIFY, now=now, bot=bot.name, number=number, text=told)
    for version in versions:
        if number is not None or version.state != VersionState.REFUSED:
            with suppress(StateError):  # it is out already
                move_version(
                    version, VersionState.DISQUALIFIED, folder=competition_folder(bot.competition), at=now, why=told
                )


def reinstate(account: Account, bot: BotRow, number: int | None, *, reason: str, now: datetime) -> None:
    """Takes a version back in, or all of a bot: their games count again.

    A version that played plays again, unless another one of its bot does by now. Raises `RefusedError`.
    """
    require(Call.DISQUALIFY, account, bot.competition)
    told = a_reason(reason)
    versions = _versions(bot, number)
    note_act(bot.competition, account, ActKind.REINSTATE, now=now, bot=bot.name, number=number, text=told)
    folder = competition_folder(bot.competition)
    for version in versions:
        before = _state_before(version)
        if version.state != VersionState.DISQUALIFIED or before is None:
            continue
        move_version(version, _BACK.get(before, VersionState.RETIRED), folder=folder, at=now, why=told)
        has_active = VersionRow.objects.filter(bot=bot, state=VersionState.ACTIVE.value).exists()
        if before is VersionState.ACTIVE and not has_active:
            activate(version, folder=folder, at=now, why=told)


def _versions(bot: BotRow, number: int | None) -> Iterable[VersionRow]:
    if number is not None:
        return [find_version(bot, number)]
    return list(VersionRow.objects.filter(bot=bot).select_related("bot__competition").order_by("-number"))


def _state_before(version: VersionRow) -> VersionState | None:
    """Returns in what state a version was taken out, as its file says."""
    changes = read_json(version_folder(version).path / VERSION_FILE, VersionFile).changes
    before = [change.state for change in changes if change.state is not VersionState.DISQUALIFIED]
    return before[-1] if before else None


def _move(version: VersionRow, after: VersionState, *, now: datetime, why: str) -> None:
    try:
        move_version(version, after, folder=competition_folder(version.bot.competition), at=now, why=why)
    except StateError as error:
        raise RefusedError(RefusalKind.STATE, str(error)) from None


def abandon(account: Account, competition: CompetitionRow, number: int, *, reason: str, now: datetime) -> None:
    """Lets a round count for nothing that has not ended: the referee stops it, and lists it with its commitment.

    Raises `RefusedError`: no such round, one that has ended, or no reason.
    """
    require(Call.ABANDON, account, competition)
    told = a_reason(reason)
    row = RoundRow.objects.filter(competition=competition, number=number).first()
    if row is None:
        raise no_such(gettext("There is no round {number}. Check how it is written.", number=number))
    if RoundState.ABANDONED not in ROUND_TRANSITIONS[RoundState(row.state)]:
        raise RefusedError(
            RefusalKind.STATE,
            gettext(
                "Round {number} has ended, and a round that has ended cannot be abandoned. Load its page again.",
                number=number,
            ),
        )
    note_act(competition, account, ActKind.ABANDON, now=now, round=number, text=told)
