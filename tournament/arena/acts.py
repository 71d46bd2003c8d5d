"""What the hosts of a competition did, in its order: appended to `acts.jsonl`, never changed, applied when ranking."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterable
from typing import Final

import msgspec

from tournament.arena.files import ACTS_FILE, ActKind, HostAct, unwritten
from tournament.arena.folder import CompetitionFolder
from tournament.arena.transitions import CompetitionState
from tournament.errors import RunError
from tournament.store.files import append_to_regular, read_regular, sync_folder

ACT_OF_STATE: Final = {
    CompetitionState.OPEN: ActKind.OPEN,
    CompetitionState.PAUSED: ActKind.PAUSE,
    CompetitionState.FROZEN: ActKind.FREEZE,
    CompetitionState.CLOSED: ActKind.CLOSE,
}
"""By the state that a competition has after it."""

_STATE_OF_ACT: Final = {ActKind.CREATE: CompetitionState.DRAFT} | {act: state for state, act in ACT_OF_STATE.items()}


def state_after(acts: Iterable[HostAct]) -> tuple[CompetitionState, int]:
    """Returns the state of a competition and its season after all acts of its hosts."""
    state, season = CompetitionState.DRAFT, 1
    for act in acts:
        state = _STATE_OF_ACT.get(act.kind, state)
        season += act.kind is ActKind.SEASON
    return state, season


def append_act(folder: CompetitionFolder, act: HostAct) -> None:
    """Writes an act behind the others, through to the disk. Raises `RunError`."""
    path = folder.path / ACTS_FILE
    try:
        is_new = not path.exists()
        with append_to_regular(path) as file:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX)
            whole = _whole(read_regular(path))
            os.ftruncate(file.fileno(), len(whole))  # the machine may have stopped in the middle of a line
            line = msgspec.json.encode(act) + b"\n"
            if file.write(line) != len(line):
                os.ftruncate(file.fileno(), len(whole))
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())
        if is_new:
            sync_folder(folder.path)
    except OSError as error:
        raise unwritten(path, error) from None


def read_acts(folder: CompetitionFolder) -> tuple[HostAct, ...]:
    """Returns every act, the oldest first; none where nothing was done yet. Raises `RunError` for a damaged file."""
    path = folder.path / ACTS_FILE
    try:
        lines = _whole(read_regular(path)).splitlines()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}. Mend its rights.") from None
    acts = []
    for number, line in enumerate(lines, start=1):
        try:
            acts.append(msgspec.json.decode(line, type=HostAct))
        except msgspec.DecodeError as error:
            raise RunError(f"{path}, line {number}: {error}. Take the file from a backup.") from None
    return tuple(acts)


def _whole(data: bytes) -> bytes:
    return data[: data.rfind(b"\n") + 1]


class Disqualified:
    """Who is out after some acts: versions, or whole bots."""

    def __init__(self, acts: Iterable[HostAct]) -> None:
        """Takes all acts of a competition in their order."""
        self._bots: dict[str, str] = {}
        self._versions: dict[tuple[str, int], str | None] = {}
        """None: taken back in, though all of its bot was out."""

        for act in acts:
            if act.bot is not None and act.kind in (ActKind.DISQUALIFY, ActKind.REINSTATE):
                self._apply(act.bot, act.number, act.text or "" if act.kind is ActKind.DISQUALIFY else None)

    def _apply(self, bot: str, number: int | None, reason: str | None) -> None:
        if number is not None:
            self._versions[bot, number] = reason
            return
        self._versions = {version: why for version, why in self._versions.items() if version[0] != bot}
        if reason is None:
            self._bots.pop(bot, None)
        else:
            self._bots[bot] = reason

    def reason(self, bot: str, number: int | None) -> str | None:
        """Returns why a version is out; None when it is not. A house bot has no number."""
        if number is not None and (bot, number) in self._versions:
            return self._versions[bot, number]
        return self._bots.get(bot)
