"""Systems that refuse to write: for the process that asks alone, in a mount namespace of its own or by a limit."""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import sys
from contextlib import suppress
from pathlib import Path

READ_ONLY = "read-only disk"
FULL = "full disk"
SMALL_FILES = "small files"

SMALL_BYTES = 900
"""So much may a file have: a message to the user fits, a record does not."""

_NEW_NAMESPACE = 0x00020000
_READ_ONLY, _REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 1, 32, 4096, 16384, 1 << 18


def can_mount() -> bool:
    """Returns whether a process of ours may have a mount namespace of its own."""
    child = os.fork()
    if child == 0:
        try:
            _leave_namespace()
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def refuse_writing(how: str, folder: Path) -> None:
    """Makes the system refuse this process, and what it starts, to write into a folder; it is the current one then."""
    if how == SMALL_FILES:
        # Python 3.11 would keep the first bytes of compiled modules, and fail to load them from then on.
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_BYTES, SMALL_BYTES))
        return
    _leave_namespace()
    if how == READ_ONLY:
        _mount(str(folder), folder, None, _BIND)
        _mount("none", folder, None, _BIND | _REMOUNT | _READ_ONLY)
    else:
        disk = folder.with_name(f"{folder.name}-disk")
        disk.mkdir()
        _mount("tmpfs", disk, "tmpfs", 0, "size=16m")
        shutil.copytree(folder, disk / "inside")
        with (disk / "filler").open("ab", buffering=0) as file:
            for size in (1 << 16, 1 << 10, 1):
                with suppress(OSError):
                    while file.write(bytes(size)):
                        pass
        _mount(str(disk / "inside"), folder, None, _BIND)
    os.chdir(folder)


def _leave_namespace() -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_NAMESPACE):
        raise OSError(ctypes.get_errno(), "unshare")
    _mount("none", Path("/"), None, _RECURSIVE | _PRIVATE)


def _mount(source: str, target: Path, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [None if word is None else word.encode() for word in (source, str(target), kind, data)]
    if ctypes.CDLL(None, use_errno=True).mount(*words[:3], flags, words[3]):
        raise OSError(ctypes.get_errno(), "mount", str(target))
