"""Copies of what a bot consists of: one for each of its processes, so that they share no file.

Two processes that read the same file share its pages in memory, however it is mounted, and by what is there and what is
not one tells the other what it likes. And a copy can be read by a user whom the files themselves are closed to.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from tournament.records.layout import RUN_FILE

COPY_MB: Final = 512
"""The most that one process gets a copy of."""

COPY_FILES: Final = 20_000
COPY_DEPTH: Final = 64

LEFT_OUT: Final = frozenset({"__pycache__", ".git", ".hg", ".svn"})
MARKS: Final = frozenset({RUN_FILE, "pyvenv.cfg"})
"""A folder with one of these is a run or an environment, and no part of a bot: it is left out."""


class BotPart(NamedTuple):
    """A file, folder or link of a bot."""

    folder: int
    """The descriptor of the folder that it lies in, for as long as the iteration stands here."""

    name: str
    place: str
    """Its path below the top, or nothing for the top itself."""

    status: os.stat_result


def copy_parts(source: str, target: str, *, hidden: Collection[str]) -> None:
    """Copies a file, or a folder with all in it, to a path that is not there yet; all may read the copy.

    Links below are copied as links, so nothing comes along that lies elsewhere. What is neither file, folder nor link,
    and what we may not read, stays away; a `hidden` folder, given by its real path, is empty in the copy.
    """
    for part in parts_of(source, hidden=hidden):
        path = os.path.join(target, part.place) if part.place else target
        mode = part.status.st_mode
        if stat.S_ISDIR(mode):
            os.mkdir(path)
            os.chmod(path, 0o755)
        elif stat.S_ISLNK(mode):
            os.symlink(os.readlink(part.name, dir_fd=part.folder), path)
        elif stat.S_ISREG(mode):
            with contextlib.suppress(PermissionError):
                _copy_file(part, path)


def copy_problem(sources: Collection[str], *, hidden: Collection[str] = ()) -> str | None:
    """Returns why a copy for each process would be too much, as the end of a sentence, or None."""
    size = count = 0
    for source in sources:
        for part in parts_of(source, hidden=hidden):
            count += 1
            size += part.status.st_size if stat.S_ISREG(part.status.st_mode) else 0
            if size > COPY_MB << 20:
                return f"holds more than {COPY_MB} MB"
            if count > COPY_FILES:
                return f"holds more than {COPY_FILES:,} files"
            if part.place.count(os.sep) >= COPY_DEPTH:
                return f"has more than {COPY_DEPTH} folders one in another"
    return None


def closed_part(source: str) -> str | None:
    """Returns the first part of a file or folder that other users may not read, or None."""
    for part in parts_of(source, hidden=()):
        mode = part.status.st_mode
        needed = 0o005 if stat.S_ISDIR(mode) else 0o004 if stat.S_ISREG(mode) else 0
        if mode & needed != needed:
            return os.path.join(source, part.place) if part.place else source
    return None


def parts_of(source: str, *, hidden: Collection[str]) -> Iterator[BotPart]:
    """Yields a file, or a folder and what is in it, a folder before its parts; nothing for what is not there."""
    top = os.path.realpath(source)
    try:
        folder = os.open(os.path.dirname(top), os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return
    try:
        yield from _walk(folder, os.path.basename(top) or ".", "", top, hidden)
    finally:
        os.close(folder)


def _walk(above: int, name: str, place: str, path: str, hidden: Collection[str]) -> Iterator[BotPart]:
    """Goes by descriptors and follows no link, so that nobody can put one there meanwhile."""
    try:
        status = os.stat(name, dir_fd=above, follow_symlinks=False)
    except OSError:
        return
    if not stat.S_ISDIR(status.st_mode):
        yield BotPart(above, name, place, status)
        return
    try:
        folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=above)
    except OSError:
        return
    try:
        names = os.listdir(folder)
        if place and MARKS.intersection(names) and path not in hidden:
            return
        yield BotPart(above, name, place, status)
        if path in hidden or place.count(os.sep) > COPY_DEPTH:
            return
        for one in sorted(names):
            if one not in LEFT_OUT:
                yield from _walk(folder, one, os.path.join(place, one), os.path.join(path, one), hidden)
    finally:
        os.close(folder)


def _copy_file(part: BotPart, path: str) -> None:
    """Copies a file without a link on the way. The data is written anew, so that it has pages of its own."""
    reading = os.open(part.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=part.folder)
    try:
        if not stat.S_ISREG(os.fstat(reading).st_mode):
            return
        with open(path, "xb") as file:
            while data := os.read(reading, 1 << 20):
                file.write(data)
            os.fchmod(file.fileno(), 0o755 if part.status.st_mode & 0o111 else 0o644)
    finally:
        os.close(reading)
