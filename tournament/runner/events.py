"""A run as JSON Lines, for other programs that follow it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tournament.errors import UsageError
from tournament.records.events import (
    FORMAT,
    VERSION,
    AnyEvent,
    BlockPlayed,
    FaultSeen,
    Finished,
    Noted,
    Started,
    format_event,
)
from tournament.records.results import ResultLine
from tournament.records.run import RunInfo
from tournament.runner.describing import now
from tournament.schedule import Block


class EventWriter:
    """An observer that appends an event a line to a file, each at once."""

    def __init__(self, path: Path) -> None:
        """Makes the file where there is none. Raises `UsageError` when it cannot be written."""
        self._path = path
        self._played = 0
        self._append(b"")

    def started(self, info: RunInfo, folder: Path, *, games: int) -> None:
        """Writes that play begins."""
        self._played = games
        self._write(
            Started(
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
        self._write(Finished(format=FORMAT, version=VERSION, at=now(), state=info.state, played=self._played))

    def _write(self, event: AnyEvent) -> None:
        self._append(format_event(event) + b"\n")

    def _append(self, data: bytes) -> None:
        try:
            with self._path.open("ab") as file:
                file.write(data)
        except OSError as error:
            raise UsageError(f"{self._path} cannot be written: {error.strerror}. Give another --events.") from None
