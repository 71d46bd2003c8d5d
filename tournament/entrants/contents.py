"""What a bot's own folder consists of: every file that may be a part of the bot, without running anything."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tournament.entrants.reading import Reader
from tournament.errors import BotError

MOST_FILES: Final = 10_000
MOST_BYTES: Final = 1_073_741_824
"""A folder with more than these is no bot's own: somebody's project, or their home."""

MOST_DEPTH: Final = 32
MARKED_BYTES: Final = 65_536
"""So much is read of a file to see whether it is a configuration, or was written by this program."""

CACHES: Final = frozenset({"__pycache__", "__pypackages__"})
ENVIRONMENT_FILE: Final = "pyvenv.cfg"
RUN_FILE: Final = "run.json"
_CONFIGURATION: Final = re.compile(rb"^(bots|games)[ \t]*:", re.MULTILINE)
_WRITTEN: Final = re.compile(rb'"format" ?: ?"tournament-')


def is_apart(path: Path) -> bool:
    """Returns whether a file or folder is nobody's part: hidden, a cache, an environment of Python, a run."""
    if path.name.startswith(".") or path.name in CACHES:
        return True
    return (path / ENVIRONMENT_FILE).is_file() or (path / RUN_FILE).is_file()


def files_of(folder: Path) -> dict[str, Path] | None:
    """Returns the files of a folder by their names below it; None when they are too many for one bot's.

    Left out are hidden ones, caches, environments of Python, run folders, configurations of tournaments, and what
    this program wrote. Links are followed, but for those that lead round in a circle.
    """
    files: dict[str, Path] = {}
    size = 0
    for path in _walk(folder, (os.path.realpath(folder),)):
        try:
            found = path.stat()
        except OSError:
            continue  # a link to nowhere has nothing in it
        if not stat.S_ISREG(found.st_mode) or path.suffix == ".pyc" or _is_ours(path):
            continue
        files[path.relative_to(folder).as_posix()] = path
        size += found.st_size
        if len(files) > MOST_FILES or size > MOST_BYTES:
            return None
    return files


class Contents(NamedTuple):
    """What a folder consists of."""

    files: dict[str, Path] | None
    """By their names below it; None when they are too many for one bot's."""

    with_bots: frozenset[str]
    """Which of its files have a bot."""


def contents_of(folder: Path) -> Contents:
    """Returns what a folder consists of, and where in it bots are.

    A file deeper in it is read only when it says `tournament`: every bot there, or a base of it, does.
    """
    files = files_of(folder)
    modules = {name: path for name, path in (files or {}).items() if path.suffix == ".py"}
    return Contents(files, frozenset(name for name, path in modules.items() if _has_bot(folder, name, path)))


def _has_bot(folder: Path, name: str, path: Path) -> bool:
    reader = Reader(folder if "/" not in name else path.parent)
    try:
        module = reader.read(path)
        return ("/" not in name or b"tournament" in module.data) and bool(reader.bots(module))
    except BotError:
        return False  # it cannot be read, and so play


def _walk(folder: Path, above: tuple[str, ...]) -> Iterator[Path]:
    """Yields all that is no folder below a folder, sorted; `above` are the real paths on the way to it."""
    try:
        children = sorted(folder.iterdir())
    except OSError:
        return
    for path in children:
        if is_apart(path):
            continue
        if not path.is_dir():
            yield path
        elif (real := os.path.realpath(path)) not in above and len(above) < MOST_DEPTH:
            yield from _walk(path, (*above, real))


def _is_ours(path: Path) -> bool:
    """Returns whether a file is a configuration, or was written by this program: no bot's part, and often changed."""
    marks = {".yaml": _CONFIGURATION, ".yml": _CONFIGURATION, ".json": _WRITTEN, ".jsonl": _WRITTEN}
    mark = marks.get(path.suffix)
    if mark is None:
        return False
    try:
        with path.open("rb") as file:
            return mark.search(file.read(MARKED_BYTES)) is not None
    except OSError:
        return False
