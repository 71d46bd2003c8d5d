"""Files that a process writes beside their places before it moves them there, and what dead processes left of them."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

QUIET_SECONDS: Final = 60.0
"""What was touched within so many seconds may be another machine's or another container's, whose processes have numbers
of their own."""

_OF_PROCESS: Final = re.compile(r".+\.(\d{1,9})\.(?:new|old)")


def place_beside(place: Path, word: str = "new") -> Path:
    """Returns where this process writes what it then moves to a place, or what stood there: `ladder.json.4711.new`.

    `word` is `new` or `old`.
    """
    return place.with_name(f"{place.name}.{os.getpid()}.{word}")


def remove_leftovers_of_dead(folder: Path, name: str = "") -> list[Path]:
    """Removes, and returns, what processes that are dead left beside their places in a folder, not below it.

    With a `name` only what begins with it. What a living process writes stays, and so does what was touched less than
    `QUIET_SECONDS` ago, and all that cannot be removed. Nothing is done where there is no folder.
    """
    removed = []
    for path in _left(folder, name):
        with suppress(OSError):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
            removed.append(path)
    return removed


def _left(folder: Path, name: str) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found = _OF_PROCESS.fullmatch(entry.name)
            if found is None or not entry.name.startswith(name) or not _is_dead(int(found[1])):
                continue
            if entry.stat(follow_symlinks=False).st_mtime < time.time() - QUIET_SECONDS:
                yield folder / entry.name


def _is_dead(process: int) -> bool:
    if sys.platform == "win32":  # to ask there is to end it
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:  # it is somebody else's
        return False
    return False
