"""A run as JSON Lines, for other programs that follow it."""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Final

import msgspec

from tournament.errors import UsageError
from tournament.records.events import (
    FORMAT,
    VERSION,
    AnyEvent,
    BlockPlayed,
    FaultSeen,
    Noted,
    RunFinished,
    RunStarted,
    format_event,
)
from tournament.records.results import ResultLine
from tournament.records.run import RunInfo, RunState
from tournament.runner.describing import now
from tournament.schedule import Block

_BEGIN: Final = b'{"event":"'
"""How every event begins."""

PATIENCE_SECONDS: Final = 10.0
"""So long an event waits for a reader of a full pipe."""

_LONGEST: Final = 1 << 20
"""Bytes of an event at most; a last line that is longer is none."""


class EventWriter:
    """An observer that appends an event a line to a file, each at once."""

    def __init__(self, path: Path) -> None:
        """Makes the file where there is none. Raises `UsageError` when it cannot be written."""
        self._path = path
        self._played = 0
        self._has_reader = True
        self._advice = "Give another --events."
        self._descriptor = self._open()
        self._is_mended = False

    def started(self, info: RunInfo, folder: Path, *, games: int) -> None:
        """Writes that play begins. Like all that follows it raises `UsageError`, which says how the run goes on."""
        self._played = games
        self._advice = f"Go on with another:\n  tournament resume {quote(str(folder))} --events OTHER.jsonl"
        self._write(
            RunStarted(
                format=FORMAT,
                version=VERSION,
                at=now(),
                run=info.name,
                folder=str(folder),
                entrants=tuple(entrant.name for entrant in info.entrants),
                games=sum(segment.games for segment in info.segments),
                played=games,
            )
        )

    def block(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Writes a block, and the faults in it."""
        self._played += len(results)
        at = now()
        self._write(
            BlockPlayed(
                format=FORMAT,
                version=VERSION,
                at=at,
                block=block.id,
                order=block.order,
                scores=tuple(result.scores for result in results),
                places=tuple(result.places for result in results),
                played=self._played,
            )
        )
        for result in results:
            for seat, kind in result.faults:
                self._write(
                    FaultSeen(
                        format=FORMAT,
                        version=VERSION,
                        at=at,
                        id=result.id,
                        seat=seat,
                        entrant=result.seats[seat],
                        kind=kind,
                    )
                )

    def note(self, text: str) -> None:
        """Writes what a user should know."""
        self._write(Noted(format=FORMAT, version=VERSION, at=now(), text=text))

    def finished(self, info: RunInfo, folder: Path) -> None:
        """Writes how play ended."""
        if info.state is RunState.COMPLETE:
            self._advice = f"{folder} is complete all the same; only its last event is missing."
        self._write(RunFinished(format=FORMAT, version=VERSION, at=now(), state=info.state, played=self._played))

    def _write(self, event: AnyEvent) -> None:
        if not self._is_mended:
            with suppress(OSError):  # where it cannot be read, or has no room: what cannot be written is told below
                _mend(self._path)
            self._is_mended = True
        self._append(format_event(event) + b"\n")

    def _open(self) -> int:
        """Opens the file for as long as the run goes on; a pipe waits here for its reader, and Ctrl-C ends that."""
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        except OSError as error:
            raise UsageError(f"{self._path} cannot be written: {error.strerror}. {self._advice}") from None
        if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            os.set_blocking(descriptor, False)
        return descriptor

    def _append(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left and self._has_reader:
                left = left[self._write_some(left) :]
        except OSError as error:
            raise UsageError(f"{self._path} cannot be written: {error.strerror}. {self._advice}") from None

    def _write_some(self, data: memoryview) -> int:
        """Returns how much was written; a reader of a pipe that left, or takes nothing for long, has had enough."""
        try:
            return os.write(self._descriptor, data)
        except BrokenPipeError:
            self._has_reader = False
        except BlockingIOError:
            self._has_reader = bool(select.select([], [self._descriptor], [], PATIENCE_SECONDS)[1])
        return 0


def _mend(path: Path) -> None:
    """Has a file end with a whole line: an event that a power cut tore is dropped, anything else stays."""
    if not path.is_file():
        return
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _LONGEST))
        torn = file.read().rpartition(b"\n")[2]
        if torn and torn.startswith(_BEGIN[: len(torn)]) and not _is_json(torn):
            file.truncate(size - len(torn))
        elif torn:
            file.write(b"\n")


def _is_json(data: bytes) -> bool:
    try:
        msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True
