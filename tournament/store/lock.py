"""One writer at a time: a lock on a run folder, which ends with the process that holds it.

Whoever changes a run takes the lock before reading `run.json` and holds it to the end. Otherwise it would overwrite
what another process wrote meanwhile.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from tournament.errors import RunError
from tournament.text import format_place

if sys.platform != "win32":
    import fcntl


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
