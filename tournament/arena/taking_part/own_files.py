"""What owners read: the steps and logs of checks, and what their bots printed and did wrong in rounds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from tournament.arena.files import version_name
from tournament.arena.folder import CheckFile
from tournament.arena.models import RoundRow, VersionRow
from tournament.arena.places import competition_folder, version_folder
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.taking_part.permissions import Call, no_such, require
from tournament.arena.transitions import RoundState
from tournament.languages import gettext
from tournament.records.results import FAULTS_FILE, TroubleLine
from tournament.store.files import open_regular
from tournament.store.layout import LOGS_FOLDER
from tournament.store.names import file_name

if TYPE_CHECKING:
    from tournament.arena.taking_part.permissions import Account

MOST_LOG_BYTES: Final = 2_000_000
MOST_FAULTS: Final = 200


def read_check_file(account: Account, version: VersionRow, name: CheckFile) -> bytes:
    """Returns a file of the check of an own version, at most its first 2 MB; empty until it is written."""
    require(Call.READ_CHECK, account, version.bot.competition, version.bot)
    return check_file(version, name)


def check_file(version: VersionRow, name: CheckFile) -> bytes:
    """Returns a file of the check of a version, as `read_check_file`, for whoever may read it."""
    return _beginning(version_folder(version).check / name)


def read_program(account: Account, version: VersionRow) -> Path:
    """Returns where the file lies that was handed in, for one of its owners."""
    require(Call.READ_CHECK, account, version.bot.competition, version.bot)
    path = version_folder(version).upload
    if not path.is_file():
        raise no_such(
            gettext(
                "There is no file of version {number} of {bot}. Check how it is written.",
                number=version.number,
                bot=version.bot.name,
            )
        )
    return path


def read_round_log(account: Account, version: VersionRow, round_row: RoundRow) -> bytes:
    """Returns what an own version printed in a round that has ended."""
    folder = _ended(account, version, round_row)
    return _beginning(folder / LOGS_FOLDER / f"{file_name(entrant_name(version))}.txt")


def read_round_faults(account: Account, version: VersionRow, round_row: RoundRow) -> list[TroubleLine]:
    """Returns what an own version did wrong in a round that has ended, with tracebacks; at most 200."""
    path = _ended(account, version, round_row) / FAULTS_FILE
    name = entrant_name(version)
    found: list[TroubleLine] = []
    try:
        with open_regular(path) as file:
            for line in file:
                if name.encode() not in line:
                    continue
                trouble = msgspec.json.decode(line, type=TroubleLine)
                if trouble.bot == name:
                    found.append(trouble)
                if len(found) == MOST_FAULTS:
                    break
    except (FileNotFoundError, msgspec.DecodeError):
        return found
    return found


def entrant_name(version: VersionRow) -> str:
    """Returns what a version is called in rounds, such as `keeper.v3`."""
    return version_name(version.bot.name, version.number)


def _ended(account: Account, version: VersionRow, round_row: RoundRow) -> Path:
    """Returns the folder of a round; while it goes on, what a bot printed could tell cards of it."""
    require(Call.READ_CHECK, account, version.bot.competition, version.bot)
    if round_row.competition_id != version.bot.competition_id or not round_row.versions.filter(pk=version.pk).exists():
        raise no_such(
            gettext(
                "There is no round of {entrant} with the number {number}. Check how it is written.",
                entrant=entrant_name(version),
                number=round_row.number,
            )
        )
    if round_row.state not in (RoundState.COMPLETE, RoundState.ABANDONED):
        raise RefusedError(
            RefusalKind.STATE,
            gettext(
                "Round {number} still goes on, and its cards are secret. Wait for its end.", number=round_row.number
            ),
        )
    return competition_folder(version.bot.competition).round(round_row.number)


def _beginning(path: Path) -> bytes:
    try:
        with open_regular(path) as file:
            return file.read(MOST_LOG_BYTES)
    except OSError:
        return b""
