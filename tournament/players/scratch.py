"""Scratch folders: where bots work, locked while their worker lives, removed whatever a bot has made of them."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from typing import Final

from tournament.players.launcher import SHARED_PLACES

if sys.platform != "win32":
    import fcntl

SCRATCH_PREFIX: Final = "tournament-scratch-"


def make_scratch() -> tuple[str, int]:
    """Returns a new folder that others may pass through, and the descriptor that holds its lock."""
    while True:
        folder = tempfile.mkdtemp(prefix=SCRATCH_PREFIX, dir=_scratch_place())
        with contextlib.suppress(OSError):  # somebody may sweep it before it is locked
            lock = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.chmod(folder, 0o711)
            except OSError:
                os.close(lock)
                raise
            return folder, lock


def remove_scratch(folder: str, lock: int) -> None:
    """Removes a folder that `make_scratch` made, and lets go of its lock."""
    remove_tree(folder)
    os.close(lock)


def sweep_scratch() -> None:
    """Removes the scratch folders of workers that were killed; those of living ones are locked."""
    if sys.platform == "win32":
        return  # there are no processes of bots there
    for name in os.listdir(_scratch_place()):
        if name.startswith(SCRATCH_PREFIX):
            with contextlib.suppress(OSError):  # it is another user's, locked, or gone by now
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
    """Removes a folder whatever its bot has made of it: folders without rights, or nested by the thousand."""
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
    """Removes what a user who was nobody else has left where all may add files; none of its processes may live."""
    for place in (*SHARED_PLACES, "/dev/shm"):
        with contextlib.suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_uid == uid:
                        remove_tree(entry.path) if entry.is_dir(follow_symlinks=False) else os.unlink(entry.path)


def _scratch_place() -> str:
    """Returns where scratch folders lie: for root's bots not where root keeps its own files."""
    return "/tmp" if is_root() else tempfile.gettempdir()


def is_root() -> bool:
    """Returns whether this process may become another user."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
