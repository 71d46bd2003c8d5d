"""What a process has gained since: processes below it, descriptors, and what lies in some folders."""

from __future__ import annotations

import os
from pathlib import Path

from tournament.players.linux.trees import descendants


def held(*folders: Path) -> tuple[set[int | str], ...]:
    """Returns the processes below this one, its descriptors, and the names in each folder."""
    return set(descendants(os.getpid())), set(os.listdir("/proc/self/fd")), *(set(os.listdir(one)) for one in folders)


def gained(before: tuple[set[int | str], ...], *folders: Path) -> tuple[set[int | str], ...]:
    """Returns what there is now of `held` and was not before.

    What earlier tests left to this process, which adopts orphans, may come to an end at any time.
    """
    return tuple(now - then for now, then in zip(held(*folders), before, strict=True))
