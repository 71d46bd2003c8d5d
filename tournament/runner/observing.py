"""Who follows a run while it is played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from tournament.records.results import ResultLine
from tournament.records.run import RunInfo
from tournament.schedule import Block


class Observer(Protocol):
    """Follows a run; called from the thread that writes it, in schedule order."""

    def started(self, info: RunInfo, folder: Path, *, games: int) -> None:
        """Play begins or goes on; `games` were played before."""
        ...

    def block(self, block: Block, results: Sequence[ResultLine]) -> None:
        """A block has been written."""
        ...

    def note(self, text: str) -> None:
        """Something happened that a user should know."""
        ...

    def finished(self, info: RunInfo, folder: Path) -> None:
        """Play has ended: complete with its standings, or as `info.state` says."""
        ...


class Observers:
    """Passes everything on to each of several."""

    def __init__(self, *observers: Observer) -> None:
        """Takes those who follow, in the order in which they are told."""
        self._observers = observers

    def started(self, info: RunInfo, folder: Path, *, games: int) -> None:
        """Passes it on."""
        for observer in self._observers:
            observer.started(info, folder, games=games)

    def block(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Passes it on."""
        for observer in self._observers:
            observer.block(block, results)

    def note(self, text: str) -> None:
        """Passes it on."""
        for observer in self._observers:
            observer.note(text)

    def finished(self, info: RunInfo, folder: Path) -> None:
        """Passes it on."""
        for observer in self._observers:
            observer.finished(info, folder)
