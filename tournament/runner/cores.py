"""Cores: a worker shares one with the processes of its bots, because one that sleeps elsewhere is woken late.

What shares a core also has its libraries at the same addresses, where no bot is a stranger's: that made decisions a
fifth to a half faster, and makes it easier to break into a program.
"""

from __future__ import annotations

import os
import sys
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tournament.configuration import usable_cores
from tournament.players.launcher import fix_addresses, restore_addresses
from tournament.records.hosting import Isolation


def cores_of_workers(workers: int) -> list[int | None]:
    """Returns a core for each worker, from the one on that this thread runs on; see `own_core`.

    None for all where there are fewer cores, or they cannot be chosen.
    """
    if workers > usable_cores() or not hasattr(os, "sched_getaffinity"):
        return [None] * workers
    cores = sorted(os.sched_getaffinity(0))
    begin = bisect_left(cores, _core_of_this_thread() or 0)
    rotated: list[int | None] = [*cores[begin:], *cores[:begin]]
    return rotated[:workers]


def workers_at_once(workers: int, *, cluster: str | None = None) -> int:
    """Returns how many of so many workers play at the same time: here one a core at most, on a cluster all."""
    return workers if cluster is not None else min(workers, usable_cores())


def too_many_workers(workers: int) -> str | None:
    """Returns what to say of more workers than there are cores here; None where there are not more."""
    cores = usable_cores()
    if workers <= cores:
        return None
    on = "1 core: only 1 plays" if cores == 1 else f"{cores} cores: only {cores} play"
    return f"{workers} workers on {on} at a time. `--workers auto` takes one a core."


def own_core(isolation: Isolation) -> int | None:
    """Returns the core that this thread runs on now, so that runs side by side do not all take the first.

    None where it cannot be told or chosen, and for bots in this process: threads that they start would keep it.
    """
    if isolation is Isolation.NONE or not hasattr(os, "sched_setaffinity"):
        return None
    return _core_of_this_thread()


def _core_of_this_thread() -> int | None:
    try:
        # Fields after the name, which may hold anything: the 39th of all is the processor, the 3rd is the first here.
        return int(Path("/proc/thread-self/stat").read_text().rpartition(")")[2].split()[39 - 3])
    except OSError:
        return None


@contextmanager
def pinned(core: int | None) -> Iterator[None]:
    """Keeps this thread and the processes that it starts meanwhile on a core; the thread is let go afterwards."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def same_addresses() -> Iterator[None]:
    """Has processes that this thread starts meanwhile lie in memory as their bots do; see `launcher.fix_addresses`."""
    if sys.platform != "linux":
        yield
        return
    before = fix_addresses()
    try:
        yield
    finally:
        restore_addresses(before)
