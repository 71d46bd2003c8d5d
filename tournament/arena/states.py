"""Changes of state: by the tables only, written to the folder first, then to the row, by one process at a time.

A row changes by a conditional update. Where a process was killed between file and row, the file is right, and the next
change brings the row there first.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tournament.arena.files import (
    ROUND_FILE,
    VERSION_FILE,
    ChangeReason,
    ReasonKind,
    RoundFile,
    StateChange,
    VersionFile,
    format_moment,
    parse_moment,
    read_json,
    write_json,
)
from tournament.arena.folder import CompetitionFolder
from tournament.arena.transitions import (
    COMPETITION_TRANSITIONS,
    ROUND_TRANSITIONS,
    VERSION_TRANSITIONS,
    CompetitionState,
    RoundState,
    VersionState,
    may_follow,
)
from tournament.errors import RunError
from tournament.languages import Language, gettext, gettext_noop, speaking

if TYPE_CHECKING:  # models want Django's settings, which an arena has only once it is set up
    from tournament.arena.models import CompetitionRow, RoundRow, VersionRow

WHY_CHARACTERS: Final = 500


_COMPETITION: Final = gettext_noop(
    "The competition {name} is {before}, and cannot become {after}. Load its page again."
)
_VERSION: Final = gettext_noop("Version {number} of {bot} is {before}, and cannot become {after}. Load its page again.")
_ROUND: Final = gettext_noop("Round {number} is {before}, and cannot become {after}. Load its page again.")
_OTHER_COMPETITION: Final = gettext_noop(
    "The competition {name} was changed by somebody else meanwhile. Load its page again."
)
_OTHER_VERSION: Final = gettext_noop("Version {number} was changed by somebody else meanwhile. Load its page again.")
_OTHER_ROUND: Final = gettext_noop("Round {number} was changed by somebody else meanwhile. Load its page again.")


class StateError(RunError):
    """Something that cannot be done in the state that a competition, a version or a round is in by now."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps every other process from changing what a folder says, until the end of the block."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def move_competition(row: CompetitionRow, after: CompetitionState) -> None:
    """Changes the state of a competition. Raises `StateError` when it may not follow the present one."""
    before = CompetitionState(row.state)
    if not may_follow(COMPETITION_TRANSITIONS, before, after):
        raise _refused(_COMPETITION, before, after, name=row.name)
    if type(row).objects.filter(pk=row.pk, state=before.value).update(state=after.value) != 1:
        raise _overtaken(_OTHER_COMPETITION, name=row.name)
    row.state = after.value


def move_version(
    row: VersionRow,
    after: VersionState,
    *,
    folder: CompetitionFolder,
    at: datetime,
    why: str | ChangeReason = "",
    machine_failed: bool = False,
    **changes: Any,
) -> VersionFile:
    """Changes the state of a version, and returns its file as it is then.

    `machine_failed` says that its check was ended by the machine, and is nobody's fault. `changes` are other fields of
    `version.json` that change with it. Raises `StateError` when the state may not follow the present one. To make a
    version active, use `activate`.
    """
    bot: Any = row.bot
    path = folder.version(bot.name, row.number).path
    with locked(path):
        file = read_json(path / VERSION_FILE, VersionFile)
        if file.state is after and _is_behind(row, after):
            follow_version(row, file)
            return file
        if not may_follow(VERSION_TRANSITIONS, file.state, after):
            raise _refused(_VERSION, file.state, after, number=row.number, bot=bot.name)
        reason = why if isinstance(why, ChangeReason) else None
        text = why if isinstance(why, str) else _in_english(why)
        change = StateChange(
            at=format_moment(at), state=after, why=text or None, reason=reason, machine_failed=machine_failed
        )
        file = msgspec.structs.replace(file, changes=(*file.changes, change), **changes)
        write_json(path / VERSION_FILE, file)
        follow_version(row, file)
    return file


def format_reason(reason: ChangeReason) -> str:
    """Returns why the arena changed the state of a version, in a sentence for its owner."""
    return gettext(
        {
            ReasonKind.REPLACED: gettext_noop("Version {number} plays instead."),
            ReasonKind.WITHDRAWN: gettext_noop(
                "It was withdrawn in {number} rounds, because it kept failing. Mend it, or activate it again."
            ),
            ReasonKind.SAME_AS_DISQUALIFIED: gettext_noop(
                "The same program as version {number}, which is disqualified."
            ),
            ReasonKind.SAME_AS_FORMER: gettext_noop(
                "The same program as version {number}, which plays again, with its games."
            ),
            ReasonKind.HANDED_IN_AGAIN: gettext_noop("Handed in again as version {number}."),
            ReasonKind.LATER_PLAYS: gettext_noop(
                "Version {number} was handed in later, and plays. Activate this one if you want it instead."
            ),
        }[reason.kind],
        number=reason.number,
    )


def _in_english(reason: ChangeReason) -> str:
    with speaking(Language.ENGLISH):  # it is kept, whoever asked for the change
        return format_reason(reason)


def values_of(file: VersionFile) -> dict[str, Any]:
    """Returns what the row of a version says of its state and its program, by column."""
    last = file.changes[-1]
    return {
        "state": last.state.value,
        "changed": parse_moment(last.at),
        "why": (last.why or "")[:WHY_CHARACTERS],
        "digest": file.digest or "",
        "machine_failures": sum(change.machine_failed for change in file.changes),
    }


def follow_version(row: VersionRow, file: VersionFile) -> None:
    """Brings the row of a version to what its file says."""
    values = values_of(file)
    if type(row).objects.filter(pk=row.pk).update(**values) != 1:
        raise _overtaken(_OTHER_VERSION, number=row.number)
    for name, value in values.items():
        setattr(row, name, value)


def activate(row: VersionRow, *, folder: CompetitionFolder, at: datetime, why: str | ChangeReason = "") -> None:
    """Makes a version the active one of its bot; the version that was active so far is retired.

    Raises `StateError` for a version that was not accepted or is disqualified.
    """
    bot: Any = row.bot
    with locked(folder.bots / bot.name):
        row.refresh_from_db()
        if row.state == VersionState.ACTIVE:
            return
        if not may_follow(VERSION_TRANSITIONS, VersionState(row.state), VersionState.ACTIVE):
            raise _refused(_VERSION, row.state, VersionState.ACTIVE, number=row.number, bot=bot.name)
        for other in type(row).objects.select_related("bot").filter(bot=bot, state=VersionState.ACTIVE.value):
            replaced = ChangeReason(kind=ReasonKind.REPLACED, number=row.number)
            move_version(other, VersionState.RETIRED, folder=folder, at=at, why=replaced)
        move_version(row, VersionState.ACTIVE, folder=folder, at=at, why=why)


def move_round(
    row: RoundRow, after: RoundState, *, folder: CompetitionFolder, at: datetime, why: str = "", games: int = 0
) -> RoundFile:
    """Changes the state of a round, and returns its file as it is then.

    `games` is how many it has, once it is complete. Raises `StateError` when the state may not follow the present one.
    """
    path = folder.round(row.number)
    file = read_json(path / ROUND_FILE, RoundFile)
    if file.state is not after or not _is_behind(row, after):
        if not may_follow(ROUND_TRANSITIONS, file.state, after):
            raise _refused(_ROUND, file.state, after, number=row.number)
        file = msgspec.structs.replace(file, state=after, why=why or None)
        write_json(path / ROUND_FILE, file)
    values: dict[str, Any] = {"state": after.value, "why": why[:WHY_CHARACTERS]}
    if after is RoundState.PLAYING and row.started is None:
        values["started"] = at
    if after in (RoundState.COMPLETE, RoundState.ABANDONED):
        values |= {"ended": at, "games": games}
    if type(row).objects.filter(pk=row.pk).exclude(state__in=_ENDS).update(**values) != 1:
        raise _overtaken(_OTHER_ROUND, number=row.number)
    for name, value in values.items():
        setattr(row, name, value)
    return file


def _is_behind(row: VersionRow | RoundRow, after: VersionState | RoundState) -> bool:
    """Returns whether the row was not brought to a state that its file has: the database was away just then."""
    objects: Any = type(row).objects
    return bool(objects.filter(pk=row.pk).exclude(state=after.value).exists())


_ENDS: Final = tuple(state.value for state, following in ROUND_TRANSITIONS.items() if not following)


def _refused(text: str, before: str, after: str, **names: object) -> StateError:
    """Returns the error for a state that may not follow: the text has names, and the words of both states."""
    return StateError(gettext(text, before=gettext(before), after=gettext(after), **names))


def _overtaken(text: str, **names: object) -> StateError:
    return StateError(gettext(text, **names))
