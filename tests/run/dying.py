"""The command line in a process that is killed at a chosen point: `dying.py POINT NUMBER ARGUMENTS...`.

Points: `inside` (half of a line of the records is written), `between` (the records of a block are there, its
results are not), `rename` (a file is written beside and not moved into place). The point is taken at its
NUMBER-th time.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
from pathlib import Path

from tournament.store import writer

point, number = sys.argv[1], int(sys.argv[2])
times = itertools.count(1)
append, replace = writer._append, Path.replace


def now() -> bool:
    """Returns whether this is the time to die."""
    return next(times) == number


def die() -> None:
    """Ends this process as a failing machine would."""
    os.kill(os.getpid(), signal.SIGKILL)


def dying_append(file, data):
    name = Path(file.name).name
    if point == "inside" and name == "games.jsonl" and now():
        file.write(data[: len(data) * 2 // 3])
        die()
    if point == "between" and name == "results.jsonl" and now():
        die()
    append(file, data)


def dying_replace(self, target):
    if point == "rename" and now():
        die()
    return replace(self, target)


writer._append = dying_append
Path.replace = dying_replace  # type: ignore[method-assign]
sys.argv[1:] = sys.argv[3:]

if __name__ == "__main__":
    from tournament.cli.main import run

    run()
