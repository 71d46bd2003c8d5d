"""Handing in: an upload becomes a version that waits for its check, on the disk before anybody is told.

What was handed in is never unpacked, imported or started here: that is for the referee.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import uuid
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import transaction

from tournament.arena.acts import Disqualified, read_acts
from tournament.arena.checks.defects import SubmissionError
from tournament.arena.checks.submissions import form_of
from tournament.arena.files import (
    MOST_UPLOAD_BYTES,
    VERSION_FILE,
    CompetitionFile,
    StateChange,
    VersionFile,
    format_moment,
    parse_moment,
    write_json,
)
from tournament.arena.folder import UNFINISHED, VersionFolder
from tournament.arena.models import BotRow, CompetitionRow, Participant, VersionRow
from tournament.arena.places import arena_folder, competition_folder
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.rules import read_rules
from tournament.arena.states import StateError, activate, locked
from tournament.arena.taking_part.joining import require_consent
from tournament.arena.taking_part.permissions import Call, no_such, require, the_participant
from tournament.arena.taking_part.quotas import quotas_of, require_version
from tournament.arena.transitions import CompetitionState, VersionState, state_word
from tournament.languages import format_number, gettext, gettext_noop
from tournament.store.files import sync_folder

if TYPE_CHECKING:
    from tournament.arena.taking_part.permissions import Account

FILE_NAME_CHARACTERS: Final = 120
MARK_BYTES: Final = 4
"""So many of the first bytes of a file tell an archive."""

TAKING: Final = frozenset({CompetitionState.OPEN, CompetitionState.PAUSED})
_WAITING: Final = frozenset({VersionState.RECEIVED, VersionState.CHECKING, VersionState.ACCEPTED})
_CAN_PLAY_AGAIN: Final = frozenset({VersionState.RETIRED, VersionState.PARKED})


class HandedIn(NamedTuple):
    """What became of an upload."""

    version: VersionRow
    is_new: bool
    """False: the bot has this program already, and that version is active again, or still waits."""


class Received(NamedTuple):
    """An upload that is whole on the disk, in a place of its own."""

    path: Path
    size_bytes: int
    digest: str


def require_taking(competition: CompetitionRow, rules: CompetitionFile, *, now: datetime) -> None:
    """Raises `RefusedError` when versions are not taken or chosen: before opening, from the freeze on."""
    state = CompetitionState(competition.state)
    if state not in TAKING:
        raise RefusedError(
            RefusalKind.STATE,
            gettext(
                "{title} is {state}, and takes no versions now. Look at its dates.",
                title=competition.title,
                state=state_word(state),
            ),
        )
    for state, moment in ((CompetitionState.FROZEN, rules.freezes), (CompetitionState.CLOSED, rules.closes)):
        if moment is not None and now >= parse_moment(moment):
            raise RefusedError(
                RefusalKind.STATE,
                gettext(
                    "{title} is {state} since {moment}, and takes no versions any more. Look at its ladder.",
                    title=competition.title,
                    state=state_word(state),
                    moment=moment,
                ),
            )


def hand_in(
    account: Account,
    bot: BotRow,
    *,
    file_name: str,
    chunks: Iterable[bytes],
    now: datetime,
    check_only: bool = False,
) -> HandedIn:
    """Returns the version that an upload is: on the disk, and waiting for its check.

    A file that was handed in before makes that version active again, and asked for twice it is one version; the
    referee sees to other files with the same program. `check_only`: the program is checked, and does not take part.
    Raises `RefusedError`; who is refused for a quota or a state is told before anything is read.
    """
    competition = bot.competition
    require(Call.HAND_IN, account, competition, bot)
    participant = the_participant(account, competition)
    rules = read_rules(competition_folder(competition))
    _require_turn(participant, bot, rules, now=now, check_only=True)  # whose file is here already needs no new version
    received = _receive(chunks, file_name)
    try:
        folder = competition_folder(competition).bots
        (folder / bot.name).mkdir(parents=True, exist_ok=True)
        with locked(folder):
            earlier = _earlier(bot, received, check_only=check_only)
            if earlier is not None:
                return _again(earlier, now=now)
            competition.refresh_from_db()
            _require_turn(participant, bot, rules, now=now, check_only=check_only)
            number = _next_number(bot, folder / bot.name)
            file = VersionFile(
                competition=competition.name,
                bot=bot.name,
                number=number,
                received=format_moment(now),
                file_name=clean_file_name(file_name),
                size_bytes=received.size_bytes,
                upload_digest=received.digest,
                check_only=check_only,
                changes=(StateChange(at=format_moment(now), state=VersionState.RECEIVED),),
            )
            _write_folder(folder / bot.name, file, received)
            return HandedIn(_write_row(bot, participant, file, now=now), True)
    finally:
        received.path.unlink(missing_ok=True)


def _require_turn(
    participant: Participant, bot: BotRow, rules: CompetitionFile, *, now: datetime, check_only: bool
) -> None:
    require_consent(participant, rules)
    require_taking(bot.competition, rules, now=now)
    reason = Disqualified(read_acts(competition_folder(bot.competition))).reason(bot.name, None)
    if reason is not None:
        raise RefusedError(
            RefusalKind.STATE,
            gettext("{bot} is disqualified: {reason} Ask the host about it.", bot=bot.name, reason=reason),
        )
    require_version(quotas_of(participant, rules, now=now), rules, check_only=check_only)


def _receive(chunks: Iterable[bytes], file_name: str) -> Received:
    folder = arena_folder().incoming
    folder.mkdir(exist_ok=True)
    path = folder / f"{uuid.uuid4().hex}.upload"
    size_bytes, digest, start = 0, hashlib.sha256(), b""
    try:
        with path.open("xb") as file:
            for chunk in chunks:
                size_bytes += len(chunk)
                if size_bytes > MOST_UPLOAD_BYTES:
                    raise RefusedError(
                        RefusalKind.TOO_LARGE,
                        gettext(
                            "The file has more than {most} bytes, the most that is taken. Leave out what the bot does "
                            "not need.",
                            most=format_number(MOST_UPLOAD_BYTES),
                        ),
                    )
                if len(start) < MARK_BYTES:
                    start += chunk[:MARK_BYTES]
                digest.update(chunk)
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        if not size_bytes:
            raise RefusedError(
                RefusalKind.WRONG, gettext("The file is empty. Choose the file of the bot, and send it again.")
            )
        try:
            form_of(start, clean_file_name(file_name))
        except SubmissionError as error:  # told at once, and not after waiting for a check
            raise RefusedError(RefusalKind.WRONG, str(error)) from None
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return Received(path, size_bytes, digest.hexdigest())


def clean_file_name(text: str) -> str:
    """Returns what an upload is called, without folders and without what could steer a terminal or hide text."""
    last = re.split(r"[/\\]", text)[-1]
    kept = "".join(character for character in last if character.isprintable())
    return kept[-FILE_NAME_CHARACTERS:] or "upload"


def _earlier(bot: BotRow, received: Received, *, check_only: bool) -> VersionRow | None:
    same = VersionRow.objects.filter(bot=bot, upload_digest=received.digest, check_only=check_only)
    states = _WAITING if check_only else frozenset(VersionState) - {VersionState.REFUSED}
    return same.filter(state__in=states).select_related("bot__competition").order_by("-number").first()


def _again(version: VersionRow, *, now: datetime) -> HandedIn:
    if version.state == VersionState.DISQUALIFIED:
        raise RefusedError(
            RefusalKind.STATE,
            gettext("This program is version {number}, which is disqualified. Hand in another.", number=version.number),
        )
    if version.state in _CAN_PLAY_AGAIN:
        _activate(version, now=now, why=gettext_noop("Handed in again."))
    return HandedIn(version, False)


def _next_number(bot: BotRow, folder: Path) -> int:
    bot.refresh_from_db()
    there = [int(path.name) for path in folder.iterdir() if path.name.isdecimal()]
    return max([bot.versions_made, *there]) + 1


def _write_folder(bots: Path, file: VersionFile, received: Received) -> None:
    """Writes the folder of a version beside its place, and moves it there when everything is on the disk."""
    beside = bots / f"{UNFINISHED}{uuid.uuid4().hex}"
    beside.mkdir()
    try:
        received.path.replace(VersionFolder(beside).upload)
        write_json(beside / VERSION_FILE, file)
        beside.rename(bots / str(file.number))
        sync_folder(bots)
        sync_folder(bots.parent)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def _write_row(bot: BotRow, participant: Participant, file: VersionFile, *, now: datetime) -> VersionRow:
    with transaction.atomic():
        version = VersionRow.objects.create(
            bot=bot,
            number=file.number,
            received=now,
            changed=now,
            handed_in_by=participant,
            upload_digest=file.upload_digest,
            check_only=file.check_only,
        )
        BotRow.objects.filter(pk=bot.pk).update(versions_made=file.number)
    bot.versions_made = file.number
    return version


def find_version(bot: BotRow, number: int) -> VersionRow:
    """Returns a version of a bot. Raises `RefusedError` where there is none."""
    version = VersionRow.objects.filter(bot=bot, number=number).select_related("bot__competition").first()
    if version is None:
        raise no_such(
            gettext(
                "There is no version of {bot} with the number {number}. Check how it is written.",
                bot=bot.name,
                number=number,
            )
        )
    return version


def activate_version(account: Account, version: VersionRow, *, now: datetime) -> None:
    """Lets an earlier or a parked version play for its bot from now on. Raises `RefusedError`."""
    bot = version.bot
    require(Call.ACTIVATE, account, bot.competition, bot)
    require_taking(bot.competition, read_rules(competition_folder(bot.competition)), now=now)
    if version.check_only:
        raise RefusedError(
            RefusalKind.STATE,
            gettext(
                "Version {number} was handed in for a check only. Hand it in again to let it take part.",
                number=version.number,
            ),
        )
    _activate(version, now=now, why=gettext_noop("Chosen by its owner."))


def _activate(version: VersionRow, *, now: datetime, why: str) -> None:
    try:
        activate(version, folder=competition_folder(version.bot.competition), at=now, why=why)
    except StateError as error:
        raise RefusedError(RefusalKind.STATE, str(error)) from None
