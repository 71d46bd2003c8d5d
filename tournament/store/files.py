"""Files of a run as somebody may have sent them: regular ones only, and never more in memory than a limit.

A pipe in a run folder would keep its reader waiting for ever, and a few compressed bytes may become gigabytes.
Appended files are handed to the disk by a timer. How far they were then stands in `synced.json`: behind that
point, and only there, a file may be torn, or full of zeros, after the machine stopped.

Only one process writes a run. It locks the folder before it reads `run.json`, and holds the lock until it has
finished. Otherwise it would overwrite what another process wrote meanwhile.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from io import BufferedReader, FileIO
from pathlib import Path
from typing import IO, Final

import msgspec

from tournament.errors import RecordError, RunError, UsageError, writing_advice
from tournament.paths import real_path
from tournament.store.layout import RUN_FILE, SYNCED_FILE
from tournament.text import format_place, option

if sys.platform != "win32":
    import fcntl


MOST_LINE_BYTES: Final = 1 << 26
"""The longest line that is read."""

MOST_FILE_BYTES: Final = 1 << 29
"""The longest file that is read as a whole."""

_NO_WAITING: Final = getattr(os, "O_NONBLOCK", 0)


def _opened(path: Path, flags: int) -> int:
    descriptor = os.open(path, flags | _NO_WAITING | getattr(os, "O_BINARY", 0), 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return descriptor


def check_free(path: Path, *, force: bool) -> None:
    """Raises `UsageError` if a file exists, unless `force`; and always if it belongs to a run."""
    if path.is_dir():
        raise UsageError(f"{path} exists already, and is a folder. Give another name.")
    if not path.is_file():
        return  # it does not exist, or is a pipe or a device
    if not force:
        raise UsageError(f"{path} exists already. Give another name, or {option('--force')} to write over it.")
    if any((folder / RUN_FILE).exists() for folder in real_path(path).parents):
        raise UsageError(f"{path} is part of a run, and runs are never written over. Give another name.")


def check_makeable(path: Path) -> None:
    """Raises `UsageError` if a file cannot be made or opened for writing, before there is anything to write."""
    is_there = path.exists()
    if is_there and not path.is_file():
        return  # a pipe or a device, which opening would already change
    try:
        with path.open("ab"):
            pass
        if not is_there:
            path.unlink()
    except OSError as error:
        raise _unwritten(path, error) from None


def write_output(path: Path, data: bytes) -> None:
    """Writes the file that a command makes, all or nothing of a new one. Raises `UsageError` where that is refused."""
    is_there = path.exists()
    try:
        path.write_bytes(data)
    except OSError as error:
        if not is_there:
            with suppress(OSError):
                path.unlink()
        raise _unwritten(path, error) from None


def _unwritten(path: Path, error: OSError) -> UsageError:
    return UsageError(
        f"{path} cannot be written: {error.strerror}. {writing_advice(error)}, or give another {option('--out')}."
    )


def open_regular(path: Path) -> BufferedReader:
    """Returns a regular file, open for reading. Raises `OSError` for anything else: reading a pipe might never end."""
    return os.fdopen(_opened(path, os.O_RDONLY), "rb")


def append_to_regular(path: Path) -> FileIO:
    """Returns a regular file, made where there is none, open to append to. Raises `OSError` for anything else."""
    os.close(_opened(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT))
    return FileIO(path, "ab")  # which knows its name


def check_no_links(paths: Iterable[Path]) -> None:
    """Raises `RunError` for a link among the files that are appended to: a runner would write where it leads."""
    for path in paths:
        if path.is_symlink():
            raise RunError(
                f"{path} is a link, and nothing of a run is written behind one. Put the file itself there, or work on "
                "a copy of the run without links."
            )


def read_regular(path: Path) -> bytes:
    """Returns the bytes of a regular file. Raises `OSError` for anything else, and above `MOST_FILE_BYTES`."""
    with open_regular(path) as file:
        data = file.read(MOST_FILE_BYTES + 1)
    if len(data) > MOST_FILE_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {MOST_FILE_BYTES:,} bytes", str(path))
    return data


def bounded_lines(file: IO[bytes], path: Path) -> Iterator[bytes]:
    """Yields the lines of a file with their newlines, up to the first without one.

    A line without one is still being written, and its rest follows. Raises `RecordError` for a line that is too long.
    """
    number = 0
    while data := file.readline(MOST_LINE_BYTES + 1):
        number += 1
        if len(data) > MOST_LINE_BYTES:
            raise RecordError(
                f"{path}, line {number}: expected at most {MOST_LINE_BYTES:,} bytes, found more. This is no file of "
                "records."
            )
        yield data
        if not data.endswith(b"\n"):
            return


SYNC_SECONDS: Final = 1.0
"""How often appended files are written through to the disk: what a failing machine can lose."""


class Synced(msgspec.Struct, frozen=True, kw_only=True):
    """How many bytes of the records and of the results had reached the disk, up to the end of a block."""

    records: int
    results: int


def read_synced(folder: Path) -> Synced | None:
    """Returns how much of the files of a run had reached the disk; None when that is not known."""
    try:
        return msgspec.json.decode(read_regular(folder / SYNCED_FILE), type=Synced)
    except (OSError, msgspec.DecodeError):
        return None


def format_synced(synced: Synced) -> bytes:
    """Returns the bytes of `synced.json`: always equally many, so that they are overwritten in place."""
    return b'{"records":%20d,"results":%20d}\n' % (synced.records, synced.results)


FileStamp = tuple[int, int, int]


def stamp_of(path: Path) -> FileStamp:
    """Returns a value that changes whenever a file is written or replaced; zeros if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0, 0
    return status.st_ino, status.st_size, status.st_mtime_ns


def sync_file(path: Path) -> None:
    """Writes a file through to the disk. Raises `OSError` with its name."""
    # Windows writes through only what may be written to; elsewhere a folder cannot be opened so.
    descriptor = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        sync_descriptor(descriptor, path)
    finally:
        os.close(descriptor)


def sync_descriptor(descriptor: int, path: Path) -> None:
    """Writes an open file through to the disk. Raises `OSError` with its name."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def replace_file(path: Path, data: bytes, *, beside: Path) -> None:
    """Writes a file at `beside`, through to the disk, and moves it to its place. Raises `OSError`.

    What lies at `beside` goes first: it may be a link, in a run that somebody sent.
    """
    try:
        beside.unlink(missing_ok=True)
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        sync_folder(path.parent)
    except OSError:
        with suppress(OSError):  # where nothing can be written nothing can be taken away
            beside.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Writes the names in a folder through to the disk: of files made, moved or deleted. Raises `OSError`."""
    if sys.platform != "win32":  # folders cannot be opened there
        sync_file(folder)


class Timer:
    """Calls a function every so many seconds, in a thread of its own, until it is stopped."""

    def __init__(self, call: Callable[[], None], *, seconds: float) -> None:
        self._call = call
        self._seconds = seconds
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._go, name="sync", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stops, after the call that may be under way."""
        self._is_over.set()
        self._thread.join()

    def _go(self) -> None:
        while not self._is_over.wait(self._seconds):
            self._call()


class UnlockableError(RunError):
    """A folder whose file system allows no locks, so that nobody can tell whether it is in use."""


class RunLock:
    """A lock on a folder, as a context manager. The system releases it when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        """Takes the lock. Raises `RunError` when another process has it, and when there is no such folder."""
        self._descriptor: int | None = None
        if sys.platform == "win32":
            return  # folders cannot be locked there
        try:
            self._descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except (FileNotFoundError, NotADirectoryError):
            raise RunError(
                f"{folder} is not a run: there is no such folder. Give the folder that `tournament run` wrote."
            ) from None
        except OSError as error:
            raise RunError(f"{folder} cannot be opened: {error.strerror}. Check its permissions.") from None
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.release()
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise UnlockableError(
                    f"{folder} cannot be locked, so that two processes could write it at once: {error.strerror}. Some "
                    "network file systems allow no locks: use another disk, and copy the run when it is complete."
                ) from None
            raise RunError(
                f"{folder} is being played right now by another process, or changed. Wait for it "
                f"(`tournament watch {format_place(folder)}` follows it), or stop it first."
            ) from None

    def __enter__(self) -> RunLock:
        return self

    def __exit__(self, *raised: object) -> None:
        self.release()

    def release(self) -> None:
        """Releases the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def is_locked(folder: Path) -> bool:
    """Returns whether a process plays or changes a run right now."""
    try:
        RunLock(folder).release()
    except UnlockableError:
        return False
    except RunError:
        return True
    return False
