"""The files of a bot: its scratch folder, and copies of what it consists of.

A scratch folder is locked while its worker runs, and removed whatever a bot has put in it. Each process of a bot in a
sandbox gets its own copy of the bot's files: two processes that read the same file share its pages in memory, however
it is mounted, and by what is in memory and what is not one could tell the other anything. A copy can also be read by a
user to whom the files themselves are closed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from tournament.players.linux.launcher import SHARED_PLACES
from tournament.store.layout import RUN_FILE

if sys.platform != "win32":
    import fcntl

SCRATCH_PREFIX: Final = "tournament-scratch-"


def make_scratch() -> tuple[str, int]:
    """Returns a new folder that other users may pass through, and the descriptor that holds its lock."""
    while True:
        folder = tempfile.mkdtemp(prefix=SCRATCH_PREFIX, dir=_scratch_place())
        with contextlib.suppress(OSError):  # another worker may sweep it before it is locked
            lock = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.chmod(folder, 0o711)
            except OSError:
                os.close(lock)
                raise
            return folder, lock


def remove_scratch(folder: str, lock: int) -> None:
    """Removes a folder that `make_scratch` made, and releases its lock."""
    remove_tree(folder)
    os.close(lock)


def sweep_scratch() -> None:
    """Removes the scratch folders of workers that were killed; those of running workers are locked."""
    if sys.platform == "win32":
        return  # there are no processes of bots there
    for name in os.listdir(_scratch_place()):
        if name.startswith(SCRATCH_PREFIX):
            with contextlib.suppress(OSError):  # it belongs to another user, is locked, or is gone
                _sweep(os.path.join(_scratch_place(), name))


def _sweep(folder: str) -> None:
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(lock).st_uid == os.geteuid():
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove_tree(folder)
    finally:
        os.close(lock)


def remove_tree(folder: str) -> None:
    """Removes a folder whatever a bot has put in it: folders without rights, or nested by the thousand."""
    with contextlib.suppress(OSError, RecursionError):
        os.chmod(folder, stat.S_IRWXU)
        for place, inner, _ in os.walk(folder):
            for path in (os.path.join(place, name) for name in inner):
                if not os.path.islink(path):
                    os.chmod(path, stat.S_IRWXU)  # before the walk goes into it
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder):
        subprocess.run(["rm", "-rf", "--", folder], check=False, capture_output=True)  # it needs no recursion


def remove_left(uid: int) -> None:
    """Removes the files of a bot's own user from folders where all may add files, after its processes have ended."""
    for place in (*SHARED_PLACES, "/dev/shm"):
        with contextlib.suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_uid == uid:
                        remove_tree(entry.path) if entry.is_dir(follow_symlinks=False) else os.unlink(entry.path)


def _scratch_place() -> str:
    """Returns where scratch folders lie; under root not in root's own folder for temporary files."""
    return "/tmp" if is_root() else tempfile.gettempdir()


def is_root() -> bool:
    """Returns whether this process may become another user."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


COPY_MB: Final = 512
"""The most that is copied for one process."""

COPY_FILES: Final = 20_000
COPY_DEPTH: Final = 64

LEFT_OUT: Final = frozenset({"__pycache__", ".git", ".hg", ".svn"})
MARKS: Final = frozenset({RUN_FILE, "pyvenv.cfg"})
"""A folder that has one of these is a run or a Python environment, so it is no part of a bot."""


class BotPart(NamedTuple):
    """A file, folder or link of a bot."""

    folder: int
    """The descriptor of the folder that it lies in, open until the iteration goes on."""

    name: str
    place: str
    """Its path below the top; empty for the top itself."""

    status: os.stat_result


def copy_parts(source: str, target: str, *, hidden: Collection[str]) -> None:
    """Copies a file, or a folder and everything in it, to a path that is not there yet; anybody may read the copy.

    Links in the folder are copied as links, so that nothing from elsewhere comes along. What we may not read, and what
    is no file, folder or link, is left out. A `hidden` folder, given by its real path, is empty in the copy.
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


def copy_problem(sources: Collection[str]) -> str | None:
    """Returns why these are too much to copy for each process, as the end of a sentence; None when they are not."""
    size = count = 0
    for source in sources:
        for part in parts_of(source, hidden=()):
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
    """Goes by descriptors and follows no link, so that nobody can slip one in meanwhile."""
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
    """Copies a file that no link leads to. Its data is written anew, so that the copy shares no page with it."""
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
