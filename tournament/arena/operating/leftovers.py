"""What is removed now and then: files that processes of an arena were writing when they died."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from tournament.arena.folder import ArenaFolder, CompetitionFolder
from tournament.arena.states import locked
from tournament.store.leftovers import remove_leftovers_of_dead

_READ_HERE: Final = f".{'[0-9a-f]' * 32}"
"""The folder in which rules are read before they are taken, in that of their competition."""

_MADE_HERE: Final = f"{_READ_HERE}.new"
"""The folder of a competition until all of it is there."""


def remove_leftovers(arena: ArenaFolder) -> None:
    """Removes what processes that died were writing, in all places of an arena; nothing that a living one writes.

    What was handed in, and what runs keep below their folders, is not looked at. Raises `OSError`.
    """
    if arena.competitions.is_dir():
        _remove_half_made(arena.competitions, _MADE_HERE)
    for place in _places(arena):
        remove_leftovers_of_dead(place)


def _remove_half_made(folder: Path, pattern: str) -> None:
    """Removes folders that are made only by whoever holds the lock of the folder in which they lie."""
    if not any(folder.glob(pattern)):
        return
    with locked(folder):
        for path in list(folder.glob(pattern)):
            shutil.rmtree(path, ignore_errors=True)


def _places(arena: ArenaFolder) -> Iterator[Path]:
    """Yields the folders in which something of an arena is written beside its place."""
    yield arena.path
    yield from arena.cache.glob("rounds/*/*")
    for path in arena.competitions.glob("[a-z]*"):
        with suppress(FileNotFoundError):
            _remove_half_made(path, _READ_HERE)
        competition = CompetitionFolder(path)
        yield from (path, competition.outcomes, path / "left")
        yield from competition.rounds.glob("[0-9]*")
        for version in competition.bots.glob("*/[0-9]*"):
            yield from (version, version / "check")
