"""What of a run has reached the disk, so that a machine that stops cannot take it away any more.

Appended files are handed to the disk by a timer, whether more is written or not. How far they were then stands in a
small file: behind that point, and only there, a file may be torn, or full of zeros, after the machine stopped.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from tournament.records.files import read_regular
from tournament.records.layout import SYNCED_FILE

SYNC_SECONDS: Final = 1.0
"""Appended files reach the disk so often: what a failing machine can lose."""


class Synced(msgspec.Struct, frozen=True, kw_only=True):
    """So many bytes of the records and of the results were on the disk, up to the end of a block."""

    records: int
    results: int


def read_synced(folder: Path) -> Synced | None:
    """Returns how far the files of a run were on the disk; None when nobody knows."""
    try:
        return msgspec.json.decode(read_regular(folder / SYNCED_FILE), type=Synced)
    except (OSError, msgspec.DecodeError):
        return None


def format_synced(synced: Synced) -> bytes:
    """Returns the whole of the file: always of the same length, to be written over in place."""
    return b'{"records":%20d,"results":%20d}\n' % (synced.records, synced.results)


def sync_file(path: Path) -> None:
    """Has a file reach the disk. Raises `OSError` with its name."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        sync_descriptor(descriptor, path)
    finally:
        os.close(descriptor)


def sync_descriptor(descriptor: int, path: Path) -> None:
    """Has an open file reach the disk. Raises `OSError` with its name."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def sync_folder(folder: Path) -> None:
    """Has the names in a folder reach the disk: of files that were made, moved or deleted. Raises `OSError`."""
    if sys.platform != "win32":  # folders cannot be opened there
        sync_file(folder)


class Timer:
    """Calls a function so often, in a thread of its own, until it is stopped."""

    def __init__(self, call: Callable[[], None], *, seconds: float) -> None:
        """Starts."""
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
