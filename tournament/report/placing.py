"""A folder of files that takes another's place in one step: nobody sees half of it, and whoever is killed leaves none.

All files are written into a folder beside, the older one is moved away, the new one put in its place, and only then
the older one is deleted. What a killed writer left beside is cleared by the next.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from glob import escape
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tournament.errors import RunError, UsageError
from tournament.records.lock import RunLock, UnlockableError

_MOST_MOVES: Final = 20
"""So often another one is moved away that was put in place meanwhile."""


def replace_folder(out: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Writes files, by their names in it, as a folder that takes the place of `out`, whatever that holds.

    Another process may do the same at the same time: the last one stays. Raises `UsageError` for a link, behind which
    nothing is written, and where it cannot be written.
    """
    if out.is_symlink():
        raise UsageError(f"{out} is a link, and nothing is written behind it. Give another --out, or delete the link.")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        _clear(out)
        with ExitStack() as stack:
            new = _locked_folder(out, stack) / "new"
            new.mkdir()
            for name, data in files:
                path = new / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            _put_in_place(new, out)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}. Make room, or give another --out.") from None


def _locked_folder(out: Path, stack: ExitStack) -> Path:
    """Returns a folder beside that nobody clears; another writer may take it for a leftover until it is locked."""
    for number in count():
        beside = TemporaryDirectory(prefix=f".{out.name}-", suffix=".new", dir=out.parent, ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(beside))
        try:
            stack.enter_context(RunLock(folder))
        except UnlockableError:  # where nothing can be locked, nobody clears it either
            return folder
        except RunError:  # it is being cleared, or was
            if number == _MOST_MOVES:
                raise
        else:
            if folder.is_dir():
                return folder
    raise AssertionError("the last try returns or raises")


def _clear(out: Path) -> None:
    """Removes what killed writers left beside, and nothing of those that write now."""
    for path in out.parent.glob(f".{escape(out.name)}-*.new"):
        if path.is_symlink() or not path.is_dir():
            continue
        with suppress(RunError), RunLock(path):
            shutil.rmtree(path, ignore_errors=True)


def _put_in_place(new: Path, out: Path) -> None:
    for number in count():
        away = new.with_name(f"old-{number}")
        try:
            with suppress(FileNotFoundError):
                out.rename(away)
            new.rename(out)
        except BaseException as error:
            if not out.exists() and away.exists():
                away.rename(out)
            is_there_again = isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST)
            if not is_there_again or number == _MOST_MOVES:
                raise
        else:
            return


def stamp_of(path: Path) -> tuple[int, int, int]:
    """Returns what changes whenever a file is written or replaced; zeros where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0, 0
    return status.st_ino, status.st_size, status.st_mtime_ns
