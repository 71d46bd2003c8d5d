"""One runner at a time: a lock on a run folder, that ends with the process that holds it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tournament.errors import RunError

if sys.platform != "win32":
    import fcntl


class RunLock:
    """A lock on a folder. The system lets go of it when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        """Takes the lock. Raises `RunError` when another process has it."""
        self._descriptor: int | None = None
        if sys.platform == "win32":
            return  # folders cannot be locked there
        self._descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.release()
            raise RunError(
                f"{folder} is being played right now by another process. Wait for it (`tournament watch {folder}` "
                "follows it), or stop it first."
            ) from None

    def release(self) -> None:
        """Lets go of the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def is_locked(folder: Path) -> bool:
    """Returns whether a process plays a run right now."""
    try:
        RunLock(folder).release()
    except RunError:
        return True
    return False
